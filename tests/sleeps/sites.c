#include "sites.h"

#include <ctype.h>

static const struct {
    const char *head;
    enum sync_kind kind;
} heads[] = {
    {"tcgen05.wait::ld", SYNC_WAIT_LD},
    {"tcgen05.wait::st", SYNC_WAIT_ST},
    {"tcgen05.fence::before_thread_sync", SYNC_FENCE_BEFORE},
    {"tcgen05.fence::after_thread_sync", SYNC_FENCE_AFTER},
    {"fence.proxy.async", SYNC_PROXY},
    {"tcgen05.commit.", SYNC_COMMIT},
    {"mbarrier.try_wait.", SYNC_MBARRIER_WAIT},
    {"mbarrier.test_wait.", SYNC_MBARRIER_WAIT},
    {"mbarrier.arrive.", SYNC_ARRIVE},
    {"bar.sync", SYNC_BARRIER},
    {"barrier.sync", SYNC_BARRIER},
    {"bar.warp.sync", SYNC_BARRIER},
    {"barrier.cluster.wait", SYNC_CLUSTER},
    {"tcgen05.relinquish_alloc_permit.", SYNC_RELINQUISH},
    {"tcgen05.dealloc.", SYNC_DEALLOC},
};

const char *sync_name(enum sync_kind kind)
{
    static const char *const names[SYNC_KINDS] = {
        "wait::ld",     "wait::st",        "fence::before", "fence::after",
        "proxy fence",  "commit",          "mbarrier wait", "mbarrier arrive",
        "bar, barrier", "cluster barrier", "relinquish",    "dealloc",
    };
    return names[kind];
}

/* One past the last character of a word at text. */
static const char *word_end(const char *text)
{
    while (isalnum((unsigned char)*text) || strchr("_$%", *text)) {
        if (!*text) break;
        text++;
    }
    return text;
}

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text)) text++;
    return text;
}

/* The end of a branch to the label, if the statement at text is one; otherwise NULL. */
static const char *branch_to(const char *text, struct str label)
{
    if (strncmp(text, "bra", 3) != 0) return NULL;
    const char *name = skip_space(text + (strncmp(text, "bra.uni", 7) ? 3 : 7));
    const char *end = word_end(name);
    bool same = (size_t)(end - name) == label.n && !memcmp(name, label.p, label.n);
    end = skip_space(end);
    return same && *end == ';' ? end + 1 : NULL;
}

/* Past one .loc, .pragma or similar directive; text if there is none. */
static const char *skip_directives(const char *text)
{
    text = skip_space(text);
    while (!strncmp(text, ".loc", 4)) text = skip_space(text + strcspn(text, "\n"));
    return text;
}

/* The label before the statement at `at`; empty if there is none. */
static struct str label_before(const char *text, size_t at)
{
    for (;;) {
        while (at && isspace((unsigned char)text[at - 1])) at--;
        size_t line = at;
        while (line && text[line - 1] != '\n') line--;
        if (strncmp(skip_space(text + line), ".loc", 4) != 0) break;
        at = line;
    }
    if (!at || text[at - 1] != ':') return (struct str){"", 0};
    size_t end = at - 1, start = end;
    while (start && word_end(text + start - 1) > text + start - 1) start--;
    return (struct str){text + start, end - start};
}

/* Finds the branch back of the loop around the statement of the site; false if it has another form.
 */
static bool find_branch(const char *text, struct sync_site *site)
{
    struct str label = label_before(text, site->statement.start);
    const char *guard = skip_directives(text + site->statement.end);
    if (!label.n || *guard != '@') return false;
    bool negated = guard[1] == '!';
    const char *branch = skip_space(word_end(guard + 1 + negated));
    if (!negated) {
        branch += strcspn(branch, ";");
        branch = *branch ? skip_directives(branch + 1) : branch;
        guard = branch;
    }
    const char *end = branch_to(branch, label);
    if (!end) return false;
    site->branch = (struct site){.start = (uint32_t)(guard - text), .end = (uint32_t)(end - text)};
    return true;
}

struct sync_sites sync_sites_of(struct str text)
{
    struct sync_sites sites = {0};
    char *plain = text_without_comments(text);
    uint32_t line = 1;
    for (size_t at = 0; at < text.n; at++) {
        line += plain[at] == '\n';
        if (!strchr("tfmb", plain[at]) || (at && !strchr(" \t\n;{}:", plain[at - 1]))) continue;
        for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
            if (strncmp(plain + at, heads[h].head, strlen(heads[h].head)) != 0) continue;
            const char *end = strchr(plain + at, ';');
            size_t start = site_start(plain, at);
            if (!end) break;
            struct sync_site site = {
                .kind = heads[h].kind,
                .statement = {(uint32_t)start, (uint32_t)(end + 1 - plain), line, start < at}};
            if (site.kind != SYNC_MBARRIER_WAIT || find_branch(plain, &site))
                vec_push(&sites, site);
            break;
        }
    }
    free(plain);
    return sites;
}

static void blank(char *text, struct site site)
{
    for (uint32_t i = site.start; i < site.end; i++)
        if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

void sync_blank(char *text, const struct sync_site *site)
{
    blank(text, site->statement);
    blank(text, site->branch);
}

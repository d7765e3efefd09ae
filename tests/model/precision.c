/* Measures the share of the possible removals that the rules make, over the examples.
 *
 * A removal is possible if the rules make it, or if the checker accepts it alone in their result.
 * Together these are a largest set of removals made one at a time, since only one of two neighbours
 * that make each other redundant can be removed. The removals that the checker accepts one by one
 * in the original only show how many sites are redundant on their own. Each of these must be in one
 * of the two sets, or a removal must make it necessary. */
#include "sites.h"
#include "strictness.h"

enum { PERCENT_MIN = 95 };

struct tally {
    uint32_t sites, alone, deleted, missed, unlisted, other_reason;
    bool met[STRICTNESS_COUNT];
};

static bool goes_singly(struct str text, struct site site)
{
    struct buf less = {0};
    char *message;
    text_less(text, site, &less);
    enum check_verdict verdict = checked(text, (struct str){less.data, less.len}, &message);
    free(message);
    buf_free(&less);
    return verdict == CHECK_PROVEN;
}

/* The optimizer itself kept the instruction in that line for the listed reason. */
static bool is_declined(const struct ptxopt_result *result, const struct strictness *row)
{
    const struct ptxopt_finding *kept = NULL;
    while ((kept = ptxopt_result_next(result, PTXOPT_KEPT, kept)))
        for (uint32_t i = 0; i < kept->decline_count; i++)
            if (kept->line == row->line && !strcmp(kept->declines[i].rule, row->rule))
                return !strcmp(kept->declines[i].reason, row->reason);
    return false;
}

static void meet(struct tally *tally, const struct ptxopt_result *result, const char *path,
                 struct str after, struct site site)
{
    tally->missed++;
    uint32_t row = strictness_of(path, site.line);
    struct str statement = {after.p + site.start, site.end - site.start};
    if (row < STRICTNESS_COUNT && str_is(statement, strictness[row].statement)) {
        tally->met[row] = true;
        if (is_declined(result, &strictness[row])) return;
        printf("# %s line %u is not declined by %s for the reason \"%s\"\n", path, site.line,
               strictness[row].rule, strictness[row].reason);
        tally->other_reason++;
        return;
    }
    printf("# %s line %u `%.*s` could go and is not listed\n", path, site.line, (int)statement.n,
           statement.p);
    tally->unlisted++;
}

static void count_kernel(const char *path, struct tally *tally)
{
    struct bytes text = file_read(path);
    struct str before = {text.data, text.len};
    struct ptxopt_result *result = run_defaults(before);
    struct str after;
    after.p = ptxopt_result_text(result, &after.n);
    struct sites at_first = sites_of(before), left = sites_of(after);
    uint32_t alone = 0, missed = tally->missed;
    for (uint32_t i = 0; i < at_first.count; i++) alone += goes_singly(before, at_first.at[i]);
    for (uint32_t i = 0; i < left.count; i++)
        if (goes_singly(after, left.at[i])) meet(tally, result, path, after, left.at[i]);
    printf("# %s: %u waits and fences, %u could go alone, %u deleted, %u more could go\n", path,
           at_first.count, alone, at_first.count - left.count, tally->missed - missed);
    tally->sites += at_first.count;
    tally->alone += alone;
    tally->deleted += at_first.count - left.count;
    vec_free(&at_first);
    vec_free(&left);
    ptxopt_result_free(result);
    free(text.data);
}

static bool each_is_met(const struct tally *tally)
{
    bool fine = true;
    for (uint32_t i = 0; i < STRICTNESS_COUNT; i++) {
        if (tally->met[i] || !*strictness[i].path) continue;
        printf("# %s line %u does not occur any more\n", strictness[i].path, strictness[i].line);
        fine = false;
    }
    return fine;
}

static void report(uint32_t number, bool fine, const char *name)
{
    printf("%s %u - %s\n", fine ? "ok" : "not ok", number, name);
}

int main(void)
{
    enter_source_tree();
    struct tally tally = {0};
    glob_t found;
    list_kernels("examples/*/*.ptx", &found);
    for (size_t i = 0; i < found.gl_pathc; i++) count_kernel(found.gl_pathv[i], &tally);
    globfree(&found);
    uint32_t possible = tally.deleted + tally.missed;
    printf("1..4\n# %u waits and fences, %u could go alone, %u deleted of %u that could go\n",
           tally.sites, tally.alone, tally.deleted, possible);
    report(1, possible && tally.deleted * 100 >= possible * PERCENT_MIN,
           "of what could go from the examples 95 in 100 are deleted");
    report(2, !tally.unlisted, "what could go and stays is listed");
    report(3, !tally.other_reason, "what is listed is declined for the reason given");
    report(4, each_is_met(&tally), "what is listed still occurs");
    return EXIT_SUCCESS;
}

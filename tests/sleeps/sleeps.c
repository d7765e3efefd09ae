/* Checks lint: blanks every single synchronisation of each kernel, and prints a line for each,
 * separated by tabs:
 *
 *   SOURCE FILE LINE KIND CHECKER OUTCOME CODE WHERE WHAT
 *
 * CHECKER: proven, refused, cannot-tell; "-" for the kinds that it does not analyse. OUTCOME: the
 * gravest finding about that place that lint has for the blanked text and not for the original:
 * error, warning, note. If there is none and the checker refuses, the accepted style:
 *   exit     only the end of the kernel needs it
 *   waited   a fence::before after which all operations of the thread, or of another thread, are
 *            waited for or committed, and the next release is not a relaxed arrive
 *   relayed  a fence::after that only another thread could need, and no operation of this one
 *   acquired a fence::after after an mbarrier wait, or a barrier, that acquires: house style
 *   consumed a wait::ld or fence::before after which each register is stored before the next
 *            release
 *   meant    a wait that has nothing to wait for: it is kept because of other operations in flight
 *   apart    a wait between operations on different columns, another after them
 *   idle     a proxy fence: each path through it between accesses of two proxies has another one
 *   twice    a proxy fence on a path with another one: with all blanked, lint reports the path
 * Otherwise elsewhere (new, but about another place) or nothing. WHERE is LINE/WITNESS of the
 * finding, WHAT the checker's message.
 *
 * sleeps [-n MOST] <LIST: lines of SOURCE, tabulator, FILE; MOST sites of a kind in a kernel. */
#include <errno.h>

#include "touched.h"
#include "sites.h"

struct found VEC(struct ptxopt_finding);

struct kernel {
    const char *source, *path;
    struct str text;
    struct sync_sites sites;
    struct touched *touched;
    struct ptxopt_options *plain, *waited, *exits, *pairs; /* the assumptions of the checker */
    struct ptxopt_result *before, *unfenced;               /* as it is; without any proxy fence */
};

static const char *const levels[] = {
    [PTXOPT_ERROR] = "error", [PTXOPT_WARNING] = "warning", [PTXOPT_NOTE] = "note"};

/* From grave to harmless: error, warning, note, nothing. */
static int rank(const struct ptxopt_finding *finding)
{
    if (!finding) return 3;
    return finding->level == PTXOPT_ERROR ? 0 : finding->level == PTXOPT_WARNING ? 1 : 2;
}

static struct ptxopt_options *options(const char *assumption)
{
    struct ptxopt_options *made = ptxopt_options_new();
    if (!made || !ptxopt_options_set_rules(made, "none") ||
        !ptxopt_options_set_lint_level(made, PTXOPT_NOTE) ||
        !ptxopt_options_assume(made, "ptxas-follows-isa",
                               true) || /* the finding is about a fault by the ISA */
        (assumption && !ptxopt_options_assume(made, assumption, true)))
        exit(EXIT_FAILURE);
    ptxopt_options_set_lint(made, true);
    ptxopt_options_set_remarks(made, false);
    return made;
}

/* ---- whether a finding is new, and about that place ---- */

/* At one place only one finding of a code is reported: with another witness it is a different
 * finding. */
static bool was_there(const struct kernel *kernel, const struct ptxopt_finding *finding)
{
    const struct ptxopt_finding *old = NULL;
    while ((old = ptxopt_result_next(kernel->before, PTXOPT_HAZARD, old)))
        if (old->line == finding->line && old->witness_line == finding->witness_line &&
            !strcmp(old->code, finding->code) && rank(old) <= rank(finding))
            return true;
    return false;
}

/* The blanked statement is on the path of the finding, or the checker's path to the observer
 * contains what the finding names, or these are neighbours. */
static bool names(const struct ptxopt_finding *finding, uint32_t line,
                  const struct ptxopt_checked *checked)
{
    enum { NEAR = 24 };
    uint32_t named[] = {finding->line, finding->witness_line};
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t n = 0; n < 2; n++) {
        if (!named[n]) continue;
        if (named[n] < line + NEAR && line < named[n] + NEAR) return true;
        for (uint32_t i = 0; checked && i < checked->path_count; i++)
            if (checked->path[i] == named[n]) return true;
        if (named[n] < low) low = named[n];
        if (named[n] > high) high = named[n];
    }
    for (uint32_t i = 0; i < finding->step_count; i++) {
        if (finding->steps[i].line < low) low = finding->steps[i].line;
        if (finding->steps[i].line > high) high = finding->steps[i].line;
    }
    return low <= line && line <= high;
}

static const struct ptxopt_finding *gravest(const struct kernel *kernel, uint32_t line,
                                            const struct ptxopt_checked *checked,
                                            const struct ptxopt_result *after, bool *elsewhere)
{
    const struct ptxopt_finding *finding = NULL, *best = NULL;
    while ((finding = ptxopt_result_next(after, PTXOPT_HAZARD, finding))) {
        if (rank(finding) >= rank(best) || was_there(kernel, finding)) continue;
        if (names(finding, line, checked))
            best = finding;
        else
            *elsewhere = true;
    }
    return best;
}

/* ---- one site ---- */

static struct ptxopt_verification *verify(const struct ptxopt_options *with,
                                          const struct kernel *kernel, const char *blanked)
{
    return ptxopt_verify(with, kernel->text.p, kernel->text.n, blanked, kernel->text.n);
}

static bool is_proven(const struct ptxopt_options *with, const struct kernel *kernel,
                      const char *blanked)
{
    struct ptxopt_verification *v = verify(with, kernel, blanked);
    bool proven = ptxopt_verification_verdict(v) == PTXOPT_PROVEN;
    ptxopt_verification_free(v);
    return proven;
}

/* A relaxed arrive publishes nothing by itself, whatever the author of the text believes. */
static bool tells_relaxed(const struct kernel *kernel, const struct ptxopt_checked *checked)
{
    const char *line = kernel->text.p;
    if (!checked || !checked->path_count) return false;
    for (uint32_t n = 1; n < checked->path[checked->path_count - 1]; n++)
        line = strchr(line, '\n') + 1;
    size_t len = strcspn(line, "\n");
    return memmem(line, len, "arrive", 6) && memmem(line, len, ".relaxed", 8);
}

/* Whether the lost order, if waits publish their completion, is one of the thread's own operations.
 * The checker looks for these first. */
static bool loses_own(const struct kernel *kernel, const char *blanked)
{
    struct ptxopt_verification *v = verify(kernel->waited, kernel, blanked);
    const char *lost = strstr(ptxopt_verification_message(v), "sees less of line ");
    const char *text = lost ? strchr(lost, '`') : NULL;
    bool own = text && !strncmp(text, "`tcgen05.", 9) && strncmp(text, "`tcgen05.commit", 15) &&
               strncmp(text, "`tcgen05.alloc", 14);
    ptxopt_verification_free(v);
    return own;
}

/* The observer that needs what a fence::after took over is not an operation on tensor memory:
 * another thread may need it. */
static bool only_relays(const struct ptxopt_verification *v)
{
    const char *observer = strstr(ptxopt_verification_message(v), "deleted, but line ");
    const char *text = observer ? strchr(observer, '`') : NULL;
    return text && strncmp(text, "`tcgen05.", 9) != 0;
}

/* The fence::after took over what an acquiring wait or barrier received. */
static bool is_behind_acquire(const struct ptxopt_verification *v)
{
    const char *source = strstr(ptxopt_verification_message(v), "sees less of what line ");
    const char *text = source ? strchr(source, '`') : NULL;
    const char *end = text ? strchr(text + 1, '`') : NULL;
    bool waits = end && (!strncmp(text, "`mbarrier.t", 11) || !strncmp(text, "`bar", 4));
    return waits && !memmem(text, (size_t)(end - text), ".relaxed", 8);
}

/* The checker's path goes only forward in the text. */
static bool goes_down(const struct ptxopt_checked *checked)
{
    for (uint32_t i = 1; i < checked->path_count; i++)
        if (checked->path[i] < checked->path[i - 1]) return false;
    return true;
}

/* The path of the finding passes that line, between two steps that are near each other. */
static bool goes_by(const struct ptxopt_finding *finding, uint32_t line)
{
    enum { FAR = 200 };
    for (uint32_t i = 0; i + 1 < finding->step_count; i++) {
        uint32_t from = finding->steps[i].line, to = finding->steps[i + 1].line;
        if (from <= line && line <= to && to - from < FAR) return true;
    }
    return false;
}

static bool is_fenced_twice(const struct kernel *kernel, uint32_t line)
{
    const struct ptxopt_finding *finding = NULL;
    while ((finding = ptxopt_result_next(kernel->unfenced, PTXOPT_HAZARD, finding)))
        if (!strcmp(finding->code, "proxy-fence-missing") && !was_there(kernel, finding) &&
            goes_by(finding, line))
            return true;
    return false;
}

/* The two ends of the path that the checker reports; false if it reports none. */
static bool has_ends(const struct ptxopt_checked *checked, uint32_t *first, uint32_t *last)
{
    if (!checked || !checked->path_count) return false;
    *first = checked->path[0];
    *last = checked->path[checked->path_count - 1];
    return true;
}

static const char *forgiven_wait(const struct kernel *kernel, const struct sync_site *site,
                                 const struct ptxopt_checked *checked, const char *blanked)
{
    uint32_t first, last;
    if (checked && strstr(checked->message, "nothing that it waits for is in flight"))
        return "meant";
    if (!has_ends(checked, &first, &last)) return NULL;
    if (site->kind == SYNC_WAIT_LD && goes_down(checked) &&
        touched_consumed(kernel->touched, first, last))
        return "consumed";
    return touched_apart(kernel->touched, first, last, goes_down(checked)) &&
                   is_proven(kernel->pairs, kernel, blanked)
               ? "apart"
               : NULL;
}

static const char *forgiven_before(const struct kernel *kernel, const struct sync_site *site,
                                   const struct ptxopt_checked *checked, const char *blanked)
{
    uint32_t first, last;
    if (tells_relaxed(kernel, checked)) return NULL;
    if (!loses_own(kernel, blanked)) return "waited";
    if (!has_ends(checked, &first, &last)) return NULL;
    if (touched_tracked(kernel->touched, first, site->statement.line)) return "waited";
    return goes_down(checked) && touched_consumed(kernel->touched, first, last) ? "consumed" : NULL;
}

static const char *forgiven_after(const struct kernel *kernel, const struct sync_site *site,
                                  const struct ptxopt_verification *v,
                                  const struct ptxopt_checked *checked)
{
    uint32_t first, last;
    if (only_relays(v)) return "relayed";
    if (is_behind_acquire(v)) return "acquired";
    bool acquired = has_ends(checked, &first, &last) &&
                    touched_acquired(kernel->touched, first, site->statement.line);
    return acquired ? "acquired" : NULL;
}

static const char *forgiven_proxy(const struct kernel *kernel, const struct sync_site *site)
{
    if (touched_idle(kernel->touched, site->statement.line)) return "idle";
    return is_fenced_twice(kernel, site->statement.line) ? "twice" : NULL;
}

/* The accepted style because of which no finding is correct; NULL if there is none. */
static const char *forgiven(const struct kernel *kernel, const struct sync_site *site,
                            const struct ptxopt_verification *v,
                            const struct ptxopt_checked *checked, const char *blanked)
{
    if (is_proven(kernel->exits, kernel, blanked)) return "exit";
    switch (site->kind) {
    case SYNC_WAIT_LD:
    case SYNC_WAIT_ST: return forgiven_wait(kernel, site, checked, blanked);
    case SYNC_FENCE_BEFORE: return forgiven_before(kernel, site, checked, blanked);
    case SYNC_FENCE_AFTER: return forgiven_after(kernel, site, v, checked);
    case SYNC_PROXY: return forgiven_proxy(kernel, site);
    default: return NULL;
    }
}

static void print_site(const struct kernel *kernel, const struct sync_site *site,
                       const char *blanked)
{
    static const char *const words[] = {[PTXOPT_PROVEN] = "proven",
                                        [PTXOPT_REFUSED] = "refused",
                                        [PTXOPT_CANNOT_TELL] = "cannot-tell"};
    bool judged = site->kind < SYNC_JUDGED, elsewhere = false;
    struct ptxopt_verification *v = NULL;
    const struct ptxopt_checked *checked = NULL;
    size_t n = 0;
    const char *verdict = "-", *message = "", *outcome = NULL;
    if (judged) {
        v = verify(kernel->plain, kernel, blanked);
        verdict = words[ptxopt_verification_verdict(v)];
        message = ptxopt_verification_message(v);
        checked = ptxopt_verification_functions(v, &n);
        if (!n) checked = NULL;
    }
    struct ptxopt_result *after = NULL;
    const struct ptxopt_finding *best = NULL;
    if (!judged || ptxopt_verification_verdict(v) == PTXOPT_REFUSED) {
        after = ptxopt_run(kernel->plain, kernel->path, blanked, kernel->text.n);
        best = gravest(kernel, site->statement.line, checked, after, &elsewhere);
    }
    if (best) outcome = levels[best->level];
    if (!outcome && judged && ptxopt_verification_verdict(v) == PTXOPT_REFUSED)
        outcome = forgiven(kernel, site, v, checked, blanked);
    if (!outcome) outcome = elsewhere ? "elsewhere" : "nothing";
    printf("%s\t%s\t%u\t%s\t%s\t%s\t%s\t%u/%u\t%s\n", kernel->source, kernel->path,
           site->statement.line, sync_name(site->kind), verdict, outcome, best ? best->code : "-",
           best ? best->line : 0, best ? best->witness_line : 0, message);
    ptxopt_result_free(after);
    ptxopt_verification_free(v);
}

/* ---- one kernel ---- */

/* Of count sites of a kind the index-th is one of the chosen, which are spread evenly. */
static bool is_chosen(uint32_t index, uint32_t count, uint32_t most)
{
    if (count <= most) return true;
    return (uint64_t)index * most / count != (uint64_t)(index + 1) * most / count;
}

static void blank_each(struct kernel *kernel, uint32_t most)
{
    uint32_t counts[SYNC_KINDS] = {0}, seen[SYNC_KINDS] = {0};
    char *blanked = must(malloc(kernel->text.n + 1));
    for (uint32_t i = 0; i < kernel->sites.count; i++) counts[kernel->sites.at[i].kind]++;
    for (uint32_t i = 0; i < kernel->sites.count; i++) {
        const struct sync_site *site = &kernel->sites.at[i];
        if (!is_chosen(seen[site->kind]++, counts[site->kind], most)) continue;
        memcpy(blanked, kernel->text.p, kernel->text.n + 1);
        sync_blank(blanked, site);
        print_site(kernel, site, blanked);
    }
    free(blanked);
}

static struct ptxopt_result *without_proxy_fences(const struct kernel *kernel)
{
    char *blanked = must(malloc(kernel->text.n + 1));
    memcpy(blanked, kernel->text.p, kernel->text.n + 1);
    for (uint32_t i = 0; i < kernel->sites.count; i++)
        if (kernel->sites.at[i].kind == SYNC_PROXY) sync_blank(blanked, &kernel->sites.at[i]);
    struct ptxopt_result *result = ptxopt_run(kernel->plain, kernel->path, blanked, kernel->text.n);
    free(blanked);
    return result;
}

static void try_kernel(struct kernel *kernel, uint32_t most)
{
    struct bytes text = file_read(kernel->path);
    if (!text.data) {
        fprintf(stderr, "sleeps: %s: %s\n", kernel->path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    kernel->text = (struct str){text.data, text.len};
    kernel->sites = sync_sites_of(kernel->text);
    kernel->before = ptxopt_run(kernel->plain, kernel->path, text.data, text.len);
    kernel->unfenced = without_proxy_fences(kernel);
    kernel->touched = touched_of(kernel->text);
    if (kernel->touched && ptxopt_result_status(kernel->before) == PTXOPT_OK)
        blank_each(kernel, most);
    else
        fprintf(stderr, "sleeps: %s\n", ptxopt_result_message(kernel->before));
    ptxopt_result_free(kernel->before);
    ptxopt_result_free(kernel->unfenced);
    touched_free(kernel->touched);
    vec_free(&kernel->sites);
    free(text.data);
}

int main(int argc, char **argv)
{
    uint32_t most = argc == 3 && !strcmp(argv[1], "-n") ? (uint32_t)atoi(argv[2]) : UINT32_MAX;
    struct kernel kernel = {.plain = options(NULL),
                            .waited = options("wait-publishes"),
                            .exits = options("exit-silent"),
                            .pairs = options("isa-9.4-pairs")};
    char line[4096], *path;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!(path = strchr(line, '\t'))) continue;
        *path++ = '\0';
        kernel.source = line;
        kernel.path = path;
        try_kernel(&kernel, most);
        fflush(stdout);
    }
    ptxopt_options_free(kernel.plain);
    ptxopt_options_free(kernel.waited);
    ptxopt_options_free(kernel.exits);
    ptxopt_options_free(kernel.pairs);
    return EXIT_SUCCESS;
}

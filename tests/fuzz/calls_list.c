/* Lists the calls, and checks that the result of each agrees with its status. See calls.h. */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "report/format.h"

enum { NO_STATUS = -1, MOST = 32 };

static struct bytes kernel, broken, missing; /* texts */
static struct ptxopt_result *optimized;
static struct subject list[MOST];
static size_t count;

/* ---- digests: without allocations ---- */

static uint64_t mix(uint64_t digest, const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < len; i++) digest = (digest ^ p[i]) * 1099511628211u;
    return (digest ^ 0xff) * 1099511628211u;
}

static uint64_t mix_text(uint64_t digest, const char *text)
{
    return mix(digest, text, strlen(text));
}

/* ---- options ---- */

static struct ptxopt_options *options_for(size_t max_memory, bool (*cancelled)(void *context))
{
    struct ptxopt_options *options = ptxopt_options_new();
    if (!options) return NULL;
    if (max_memory) ptxopt_options_set_max_memory(options, max_memory);
    ptxopt_options_set_cancel(options, cancelled, NULL);
    ptxopt_options_set_certificate(options, true);
    ptxopt_options_set_steps(options, true);
    ptxopt_options_set_parse(options, PTXOPT_PARSE_FULL);
    return options;
}

static const char *const codes[] = {[PTXOPT_NO_MEMORY] = "no-memory",
                                    [PTXOPT_CANCELLED] = "cancelled",
                                    [PTXOPT_INTERNAL] = "internal"};

/* A call that failed returns the input, unchanged, and one diagnostic. */
static bool goes_with(const struct ptxopt_result *result, struct bytes text)
{
    size_t len, found;
    const char *out = ptxopt_result_text(result, &len);
    const struct ptxopt_finding *first = ptxopt_result_findings(result, &found);
    enum ptxopt_status status = ptxopt_result_status(result);
    bool blank = status == PTXOPT_NO_MEMORY && !out && !len;
    if (status == PTXOPT_OK) return true;
    if (out != text.data && !blank) return false;
    if ((len != text.len && !blank) || ptxopt_result_changed(result)) return false;
    if (!found || ptxopt_result_count(result, PTXOPT_DIAGNOSTIC) != found) return false;
    if (!*first->message || strcmp(first->message, ptxopt_result_message(result))) return false;
    return status == PTXOPT_BAD_INPUT || (found == 1 && !strcmp(first->code, codes[status]));
}

static uint64_t digest_of(const struct ptxopt_result *result)
{
    size_t len, n;
    const char *text = ptxopt_result_text(result, &len);
    uint64_t digest = mix(14695981039346656037u, text, len);
    const char *certificate = ptxopt_result_certificate(result, &len);
    digest = mix(digest, certificate, len);
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &n);
    for (size_t i = 0; i < n; i++) {
        digest = mix_text(mix_text(digest, findings[i].id), findings[i].message);
        for (uint32_t s = 0; s < findings[i].step_count; s++)
            digest = mix_text(digest, findings[i].steps[s].part);
    }
    return digest;
}

/* ---- the calls ---- */

static enum ptxopt_status run_with(const struct bytes *text, size_t max_memory,
                                   bool (*cancelled)(void *context), bool lint, uint64_t *digest)
{
    struct ptxopt_options *options = options_for(max_memory, cancelled);
    *digest = 0;
    if (!options) return PTXOPT_NO_MEMORY;
    ptxopt_options_set_lint(options, lint);
    must(ptxopt_options_set_lint_level(options, PTXOPT_NOTE) ? options : NULL);
    struct ptxopt_result *result = ptxopt_run(options, "k.ptx", text->data, text->len);
    enum ptxopt_status status = ptxopt_result_status(result);
    *digest = digest_of(result);
    if (!goes_with(result, *text)) {
        printf("# the result does not go with status %d\n", (int)status);
        status = (enum ptxopt_status)NO_STATUS;
    }
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    return status;
}

static enum ptxopt_status call_run(const struct subject *subject, size_t max_memory,
                                   bool (*cancelled)(void *context), uint64_t *digest)
{
    return run_with(subject->what, max_memory, cancelled, false, digest);
}

static enum ptxopt_status call_lint(const struct subject *subject, size_t max_memory,
                                    bool (*cancelled)(void *context), uint64_t *digest)
{
    return run_with(subject->what, max_memory, cancelled, true, digest);
}

static enum ptxopt_status call_verify(const struct subject *subject, size_t max_memory,
                                      bool (*cancelled)(void *context), uint64_t *digest)
{
    size_t len, functions;
    const struct bytes *after = subject->what;
    struct ptxopt_options *options = options_for(max_memory, cancelled);
    *digest = 0;
    if (!options) return PTXOPT_NO_MEMORY;
    struct ptxopt_verification *made =
        ptxopt_verify(options, kernel.data, kernel.len, after->data, after->len);
    enum ptxopt_status status = ptxopt_verification_status(made);
    enum ptxopt_verdict verdict = ptxopt_verification_verdict(made);
    const char *message = ptxopt_verification_message(made);
    const char *certificate = ptxopt_verification_certificate(made, &len);
    const struct ptxopt_checked *checked = ptxopt_verification_functions(made, &functions);
    *digest = mix(mix_text(verdict + 1, message), certificate, len);
    for (size_t i = 0; i < functions; i++) *digest = mix_text(*digest, checked[i].function);
    bool fits =
        status == PTXOPT_OK || (verdict == PTXOPT_CANNOT_TELL && *message && !functions && !len);
    if (!fits) printf("# the verdict does not go with status %d\n", (int)status);
    ptxopt_verification_free(made);
    ptxopt_options_free(options);
    return fits ? status : (enum ptxopt_status)NO_STATUS;
}

static bool ends_in(const char *text, size_t len, const char *end)
{
    size_t n = strlen(end);
    return len >= n && memcmp(text + len - n, end, n) == 0;
}

static enum ptxopt_status call_dump(const struct subject *subject, size_t max_memory,
                                    bool (*cancelled)(void *context), uint64_t *digest)
{
    size_t len = 0;
    struct ptxopt_options *options = options_for(max_memory, cancelled);
    *digest = 0;
    if (!options) return PTXOPT_NO_MEMORY;
    char *out = ptxopt_dump(options, subject->what, "k.ptx", kernel.data, kernel.len, &len);
    ptxopt_options_free(options);
    if (!out) return PTXOPT_NO_MEMORY;
    *digest = mix(1, out, len);
    enum ptxopt_status status = ends_in(out, len, " [cancelled]\n")         ? PTXOPT_CANCELLED
                                : ends_in(out, len, " [too-much-memory]\n") ? PTXOPT_BAD_INPUT
                                : ends_in(out, len, " [internal]\n")        ? PTXOPT_INTERNAL
                                                                            : PTXOPT_OK;
    free(out);
    return status;
}

static enum ptxopt_status call_report(const struct subject *subject, size_t max_memory,
                                      bool (*cancelled)(void *context), uint64_t *digest)
{
    static const enum ptxopt_status statuses[] = {[WORK_DONE] = PTXOPT_OK,
                                                  [WORK_NO_MEMORY] = PTXOPT_NO_MEMORY,
                                                  [WORK_OVER_LIMIT] = PTXOPT_BAD_INPUT,
                                                  [WORK_CANCELLED] = PTXOPT_CANCELLED,
                                                  [WORK_BUG] = PTXOPT_INTERNAL};
    struct buf out = {0};
    struct work_limits limits = {.max_bytes = max_memory, .cancelled = cancelled};
    struct work_outcome outcome = report_one(&out, subject->what, &limits, "k.ptx", optimized);
    bool fits = outcome.end == WORK_DONE ? out.len > 0 : !out.data;
    *digest = mix(1, out.data, out.len);
    if (!fits) printf("# the report does not go with how it ended\n");
    buf_free(&out);
    return fits ? statuses[outcome.end] : (enum ptxopt_status)NO_STATUS;
}

/* Ids are stored in memory: if one cannot be stored, no id may be missing silently. */
static enum ptxopt_status call_options(const struct subject *subject, size_t max_memory,
                                       bool (*cancelled)(void *context), uint64_t *digest)
{
    static const char text[] = ".version 8.8\n.target sm_100a\n.address_size 64\n";
    (void)subject;
    (void)max_memory;
    (void)cancelled;
    *digest = 0;
    struct ptxopt_options *options = ptxopt_options_new();
    for (int i = 0; options && i < 40; i++) {
        char id[16];
        snprintf(id, sizeof id, "%012x", (unsigned)i);
        if (!ptxopt_options_skip(options, id) || !ptxopt_options_only(options, id) ||
            !ptxopt_options_accept(options, id) || !ptxopt_options_give_up(options, id, "why"))
            printf("# an id is refused\n");
    }
    struct ptxopt_options *copy = ptxopt_options_copy(options);
    ptxopt_options_free(options);
    if (!copy) return PTXOPT_NO_MEMORY;
    ptxopt_options_set_parse(copy, PTXOPT_PARSE_FULL);
    ptxopt_options_set_estimates(copy, true);
    struct ptxopt_result *result = ptxopt_run(copy, "k.ptx", text, sizeof text - 1);
    enum ptxopt_status status = ptxopt_result_status(result);
    ptxopt_result_free(result);
    ptxopt_options_free(copy);
    return status;
}

/* ---- all of them ---- */

static void add(struct subject subject)
{
    if (count < MOST) list[count++] = subject;
}

const struct subject *calls_begin(void)
{
    static const char *const stages[] = {"dump cst", "dump view", "dump cfg", "dump facts",
                                         "dump plan"};
    static struct bytes result;
    size_t formats;
    kernel = file_read("tests/fuzz/calls.ptx");
    broken = file_read("tests/bad/closing-brace-too-many.ptx");
    missing = file_read("tests/cli/inputs/wrong-wait.ptx");
    must(kernel.data && broken.data && missing.data ? kernel.data : NULL);
    struct ptxopt_options *options = must(options_for(0, NULL));
    ptxopt_options_set_certificate(options, false);
    optimized = ptxopt_run(options, "k.ptx", kernel.data, kernel.len);
    ptxopt_options_free(options);
    result.data = (char *)(uintptr_t)ptxopt_result_text(optimized, &result.len);
    add((struct subject){"run", call_run, &kernel, PTXOPT_OK, true, true});
    add((struct subject){"run of bad input", call_run, &broken, PTXOPT_BAD_INPUT, true, false});
    add((struct subject){"lint", call_lint, &kernel, PTXOPT_OK, true, true});
    add((struct subject){"lint of what is missing", call_lint, &missing, PTXOPT_OK, true, true});
    add((struct subject){"verify", call_verify, &result, PTXOPT_OK, true, true});
    add((struct subject){"verify of other texts", call_verify, &broken, PTXOPT_OK, true, true});
    add((struct subject){"options", call_options, NULL, PTXOPT_OK, false, false});
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        add((struct subject){stages[i], call_dump, stages[i] + strlen("dump "), PTXOPT_OK, true,
                             true});
    const struct report_format *format = report_formats(&formats);
    for (size_t i = 0; i < formats; i++)
        add((struct subject){format[i].name, call_report, &format[i], PTXOPT_OK, true, false});
    return list;
}

size_t calls_count(void)
{
    return count;
}

void calls_end(void)
{
    ptxopt_result_free(optimized);
    free(kernel.data);
    free(broken.data);
    free(missing.data);
}

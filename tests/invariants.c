/* Checks properties of every text. It parses; without rules nothing changes; the changed flag is
 * correct; the output is the input without the spans of the edits, line for line; a second run
 * changes nothing; two runs are equal; ptxopt_verify proves the output and not its reverse; the
 * other two styles have the same properties. --parses: only that it parses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define CHECK(condition, what)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("# %s\n", (what));                                                              \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool same_text(const struct ptxopt_result *result, const char *text, size_t len)
{
    size_t got_len;
    const char *got = ptxopt_result_text(result, &got_len);
    return bytes_equal(got, got_len, text, len);
}

static bool is_accepted(const struct ptxopt_result *result)
{
    if (ptxopt_result_status(result) == PTXOPT_OK) return true;
    const struct ptxopt_finding *first = ptxopt_result_next(result, PTXOPT_DIAGNOSTIC, NULL);
    if (first)
        printf("# %u:%u: %s [%s]\n", first->line, first->column, first->message, first->code);
    printf("# is refused\n");
    return false;
}

static size_t count_lines(const char *text, size_t len)
{
    size_t lines = 0;
    for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
    return lines;
}

/* ---- the properties ---- */

static bool stays_without_rules(const char *path, struct bytes text)
{
    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_parse(options, PTXOPT_PARSE_TREE);
    CHECK(ptxopt_options_set_rules(options, "none"), "rules cannot be set to none");
    struct ptxopt_result *result = ptxopt_run(options, path, text.data, text.len);
    bool same = same_text(result, text.data, text.len) && !ptxopt_result_changed(result);
    bool accepted = is_accepted(result);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    CHECK(accepted, "does not parse");
    CHECK(same, "changed although no rule is enabled");
    return true;
}

static bool is_all_blank(struct bytes text, uint32_t from, uint32_t to)
{
    while (from < to && (text.data[from] == ' ' || text.data[from] == '\t')) from++;
    return from == to;
}

/* An edit replaces its instruction and blanks beside it. */
static bool replaces_its_span(struct bytes text, const struct ptxopt_finding *edit)
{
    uint32_t start = edit->replaced_start, end = edit->replaced_end;
    CHECK(start <= edit->start && edit->end <= end && end <= text.len,
          "an edit does not replace all of its span");
    CHECK(is_all_blank(text, start, edit->start) && is_all_blank(text, edit->end, end),
          "an edit replaces more than blanks beside its span");
    return true;
}

/* The output is the input without what the edits replace, but with the line breaks of that. */
static bool is_input_less_edits(const struct ptxopt_result *result, struct bytes text)
{
    size_t count = ptxopt_result_count(result, PTXOPT_DELETED), kept = 0;
    const struct ptxopt_finding *edit = NULL;
    char *rebuilt = must(malloc(text.len + 1));
    uint32_t at = 0;
    for (size_t i = 0; i <= count; i++) {
        edit = ptxopt_result_next(result, PTXOPT_DELETED, edit);
        if (edit && !replaces_its_span(text, edit)) return false;
        uint32_t start = edit ? edit->replaced_start : (uint32_t)text.len;
        CHECK(start >= at && start <= text.len, "spans overlap or are out of order");
        memcpy(rebuilt + kept, text.data + at, start - at);
        kept += start - at;
        at = edit ? edit->replaced_end : start;
        CHECK(start <= at && at <= text.len, "a span lies outside the text");
        for (uint32_t p = start; p < at; p++)
            if (text.data[p] == '\n' || text.data[p] == '\r') rebuilt[kept++] = text.data[p];
    }
    bool same = same_text(result, rebuilt, kept);
    if (!same) {
        struct bytes got;
        got.data = (char *)(uintptr_t)ptxopt_result_text(result, &got.len);
        print_difference((struct bytes){rebuilt, kept}, got);
    }
    free(rebuilt);
    CHECK(same, "a byte outside the reported spans changed");
    return true;
}

static bool places_are_true(const struct ptxopt_result *result, struct bytes text)
{
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count; i++) {
        const struct ptxopt_finding *one = &findings[i];
        CHECK(one->line == count_lines(text.data, one->start) + 1, "it names another line");
        CHECK(one->end_line == count_lines(text.data, one->end) + 1, "it ends on another line");
        CHECK(one->column >= 1 && one->end_column >= 1, "a column is not 1-based");
        CHECK(!i || one[-1].start <= one->start, "findings are not in order of place");
    }
    return true;
}

static bool finds_nothing_more(const struct ptxopt_options *options, const char *path,
                               const struct ptxopt_result *result)
{
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    struct ptxopt_result *again = ptxopt_run(options, path, text, len);
    bool accepted = is_accepted(again);
    bool same = !ptxopt_result_changed(again) && same_text(again, text, len);
    ptxopt_result_free(again);
    CHECK(accepted, "the output does not parse");
    CHECK(same, "a second run changes more");
    return true;
}

static bool equal_findings(const struct ptxopt_result *a, const struct ptxopt_result *b)
{
    size_t count, other;
    const struct ptxopt_finding *x = ptxopt_result_findings(a, &count);
    const struct ptxopt_finding *y = ptxopt_result_findings(b, &other);
    if (count != other) return false;
    for (size_t i = 0; i < count; i++)
        if (x[i].start != y[i].start || x[i].end != y[i].end || strcmp(x[i].id, y[i].id) != 0 ||
            strcmp(x[i].code, y[i].code) != 0 || strcmp(x[i].message, y[i].message) != 0)
            return false;
    return true;
}

static bool is_deterministic(const struct ptxopt_options *options, const char *path,
                             struct bytes text, const struct ptxopt_result *result)
{
    struct ptxopt_result *twin = ptxopt_run(options, path, text.data, text.len);
    size_t len;
    const char *output = ptxopt_result_text(result, &len);
    bool same = same_text(twin, output, len) && equal_findings(result, twin);
    ptxopt_result_free(twin);
    CHECK(same, "two runs differ");
    return true;
}

/* The verdict on two texts; deletions: in all functions. */
static enum ptxopt_verdict verify(const struct ptxopt_options *options, struct bytes before,
                                  struct bytes after, size_t *deletions)
{
    size_t count;
    struct ptxopt_verification *verification =
        ptxopt_verify(options, before.data, before.len, after.data, after.len);
    const struct ptxopt_checked *function = ptxopt_verification_functions(verification, &count);
    enum ptxopt_verdict verdict = ptxopt_verification_verdict(verification);
    *deletions = 0;
    for (size_t i = 0; i < count; i++) *deletions += function[i].deletions;
    ptxopt_verification_free(verification);
    return verdict;
}

static bool is_verified(const struct ptxopt_options *options, struct bytes text,
                        const struct ptxopt_result *result)
{
    size_t deletions, none;
    struct bytes output = {0};
    output.data = (char *)(uintptr_t)ptxopt_result_text(result, &output.len);
    CHECK(verify(options, text, output, &deletions) == PTXOPT_PROVEN, "ptxopt_verify refuses it");
    CHECK(deletions == ptxopt_result_count(result, PTXOPT_DELETED),
          "ptxopt_verify counts other deletions");
    CHECK(verify(options, output, text, &none) != PTXOPT_PROVEN,
          "ptxopt_verify proves the reverse");
    return true;
}

static bool style_holds(struct ptxopt_options *options, enum ptxopt_style style, const char *path,
                        struct bytes text)
{
    ptxopt_options_set_style(options, style);
    struct ptxopt_result *result = ptxopt_run(options, path, text.data, text.len);
    size_t len, before = count_lines(text.data, text.len);
    const char *output = ptxopt_result_text(result, &len);
    size_t after = count_lines(output, len);
    bool holds = finds_nothing_more(options, path, result);
    bool lines = style == PTXOPT_SQUEEZE ? after <= before : after == before;
    ptxopt_result_free(result);
    CHECK(holds && lines,
          style == PTXOPT_SQUEEZE ? "so it is with lines squeezed" : "so it is with comments left");
    return true;
}

static bool all_hold(struct ptxopt_options *options, const char *path, struct bytes text,
                     const struct ptxopt_result *result)
{
    CHECK(is_accepted(result), "does not parse");
    bool same = same_text(result, text.data, text.len);
    CHECK(ptxopt_result_changed(result) != same, "the changed flag is not true");
    if (!is_input_less_edits(result, text) || !places_are_true(result, text)) return false;
    if (!is_deterministic(options, path, text, result)) return false;
    if (same) return true;
    return finds_nothing_more(options, path, result) && is_verified(options, text, result) &&
           style_holds(options, PTXOPT_ANNOTATE, path, text) &&
           style_holds(options, PTXOPT_SQUEEZE, path, text);
}

/* ---- running ---- */

static bool parses(const char *path)
{
    struct bytes text = file_read(path);
    bool passed = stays_without_rules(path, text);
    free(text.data);
    return passed;
}

static bool holds(const char *path)
{
    struct bytes text = file_read(path);
    struct ptxopt_options *options = options_of(text);
    if (!options) return false;
    struct ptxopt_result *result = ptxopt_run(options, path, text.data, text.len);
    bool passed = stays_without_rules(path, text) && all_hold(options, path, text, result);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    free(text.data);
    return passed;
}

int main(int argc, char **argv)
{
    enter_source_tree();
    if (argc > 2 && !strcmp(argv[1], "--parses")) return run_all(argv + 2, parses);
    if (argc > 1 && *argv[1] != '-') return run_all(argv + 1, holds);
    return fprintf(stderr, "usage: invariants [--parses] PATH...\n"), 2;
}

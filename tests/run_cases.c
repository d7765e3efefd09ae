/* Does each case become what its neighbour says? NAME.ptx stands beside NAME.out, the text it
 * must become, or NAME.no: it must stay byte for byte, for the reasons in that file, each line
 * "LINE REASON" (lines that begin with # are comments). Below tests/rules/RULE/ only RULE is
 * enabled; elsewhere all rules are. UPDATE=1 makes the expectations of failing cases what they
 * get, and passes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* One case and what it gave. rule: the only one enabled, or NULL. */
struct outcome {
    const char *path;
    char *rule;
    struct ptxopt_result *result;
    struct bytes text;
};

/* "tests/rules/RULE/case.ptx" -> "RULE", NULL for paths elsewhere. */
static char *rule_of(const char *path)
{
    static const char folder[] = "tests/rules/";
    if (strncmp(path, folder, sizeof folder - 1) != 0) return NULL;
    const char *rule = path + sizeof folder - 1, *slash = strchr(rule, '/');
    return slash ? must(strndup(rule, (size_t)(slash - rule))) : NULL;
}

static void print_diagnostics(const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_finding *all = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count && i < 3 && all[i].kind == PTXOPT_DIAGNOSTIC; i++)
        printf("# %u:%u: %s [%s]\n", all[i].line, all[i].column, all[i].message, all[i].code);
}

/* ---- reasons ---- */

static bool is_about(const struct outcome *o, const char *rule)
{
    return !o->rule || !strcmp(rule, o->rule);
}

static bool is_declined(const struct outcome *o, uint32_t line, const char *reason)
{
    const struct ptxopt_finding *kept = NULL;
    while ((kept = ptxopt_result_next(o->result, PTXOPT_KEPT, kept)))
        for (uint32_t i = 0; i < kept->decline_count; i++)
            if (kept->line == line && !strcmp(kept->declines[i].reason, reason) &&
                is_about(o, kept->declines[i].rule))
                return true;
    return false;
}

static bool is_advised(const struct outcome *o, uint32_t line)
{
    const struct ptxopt_finding *advice = NULL;
    while ((advice = ptxopt_result_next(o->result, PTXOPT_ADVICE, advice)))
        if (advice->line == line && is_about(o, advice->code)) return true;
    return false;
}

/* A function that was left whole explains every line from its head on. */
static bool is_skipped(const struct outcome *o, uint32_t line, const char *reason)
{
    const struct ptxopt_finding *skipped = NULL;
    while ((skipped = ptxopt_result_next(o->result, PTXOPT_SKIPPED, skipped)))
        if (skipped->line <= line && !strcmp(skipped->code, reason)) return true;
    return false;
}

/* Prints what was declined, as a .no file says it, each line behind prefix. */
static void print_reasons(const struct outcome *o, FILE *to, const char *prefix)
{
    const struct ptxopt_finding *kept = NULL, *advice = NULL, *skipped = NULL;
    while ((kept = ptxopt_result_next(o->result, PTXOPT_KEPT, kept)))
        for (uint32_t i = 0; i < kept->decline_count; i++)
            if (is_about(o, kept->declines[i].rule))
                fprintf(to, "%s%u %s\n", prefix, kept->line, kept->declines[i].reason);
    while ((advice = ptxopt_result_next(o->result, PTXOPT_ADVICE, advice)))
        if (is_about(o, advice->code)) fprintf(to, "%s%u advice\n", prefix, advice->line);
    while ((skipped = ptxopt_result_next(o->result, PTXOPT_SKIPPED, skipped)))
        fprintf(to, "%s%u %s\n", prefix, skipped->line, skipped->code);
}

static bool reason_holds(const struct outcome *o, const char *wanted)
{
    char *reason;
    unsigned long line = strtoul(wanted, &reason, 10);
    reason += strspn(reason, " \t");
    if (!line || !*reason) {
        printf("# not \"LINE REASON\": %s\n", wanted);
        return false;
    }
    if (is_declined(o, (uint32_t)line, reason) || is_skipped(o, (uint32_t)line, reason) ||
        (!strcmp(reason, "advice") && is_advised(o, (uint32_t)line)))
        return true;
    printf("# nothing declined for: %s\n", wanted);
    return false;
}

static bool reasons_hold(const struct outcome *o, const struct bytes reasons)
{
    bool hold = true;
    char *rest;
    for (char *line = strtok_r(reasons.data, "\r\n", &rest); line;
         line = strtok_r(NULL, "\r\n", &rest))
        if (*line != '#' && !reason_holds(o, line)) hold = false;
    if (!hold) {
        printf("# declined were:\n");
        print_reasons(o, stdout, "#   ");
    }
    return hold;
}

/* ---- one case ---- */

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static struct bytes output_of(const struct outcome *o)
{
    struct bytes got;
    got.data = (char *)(uintptr_t)ptxopt_result_text(o->result, &got.len);
    return got;
}

static bool becomes(const struct outcome *o, struct bytes want)
{
    struct bytes got = output_of(o);
    if (bytes_equal(want.data, want.len, got.data, got.len)) return true;
    print_difference(want, got);
    print_diagnostics(o->result);
    print_reasons(o, stdout, "# declined: ");
    return false;
}

static bool is_as_expected(const struct outcome *o, struct bytes out, struct bytes no)
{
    if (ptxopt_result_status(o->result) != PTXOPT_OK) {
        printf("# refused\n");
        print_diagnostics(o->result);
        return false;
    }
    if (out.data && no.data) {
        printf("# both .out and .no are there\n");
        return false;
    }
    if (out.data) return becomes(o, out);
    if (no.data) return becomes(o, o->text) && reasons_hold(o, no);
    printf("# neither .out nor .no is there\n");
    return false;
}

/* True when the expectation is what was got. */
static bool update(const struct outcome *o, const char *out, const char *no)
{
    if (ptxopt_result_status(o->result) != PTXOPT_OK) return false;
    bool changed = ptxopt_result_changed(o->result);
    remove(changed ? no : out);
    printf("# rewrote %s\n", changed ? out : no);
    if (changed) {
        struct bytes got = output_of(o);
        file_write(out, got.data, got.len);
        return true;
    }
    FILE *file = must(fopen(no, "w"));
    print_reasons(o, file, "");
    return !fclose(file);
}

static bool run_case(const char *path)
{
    struct outcome o = {.path = path, .rule = rule_of(path), .text = file_read(path)};
    struct ptxopt_options *options = options_of(o.text);
    if (!options) return false;
    if (o.rule && !ptxopt_options_set_rules(options, o.rule)) {
        printf("# there is no rule %s\n", o.rule);
        return false;
    }
    o.result = ptxopt_run(options, path, o.text.data, o.text.len);
    char *out_path = with_suffix(path, ".out"), *no_path = with_suffix(path, ".no");
    struct bytes out = file_read(out_path), no = file_read(no_path);
    bool passed = is_as_expected(&o, out, no);
    if (!passed && is_set("UPDATE")) passed = update(&o, out_path, no_path);
    free(out.data);
    free(no.data);
    free(out_path);
    free(no_path);
    ptxopt_result_free(o.result);
    ptxopt_options_free(options);
    free(o.text.data);
    free(o.rule);
    return passed;
}

int main(int argc, char **argv)
{
    if (argc < 2) return fprintf(stderr, "usage: run_cases FOLDER...\n"), 2;
    if (is_set("UPDATE") && is_set("CI")) {
        printf("Bail out! UPDATE is refused under CI\n");
        return EXIT_FAILURE;
    }
    enter_source_tree();
    return run_all(argv + 1, run_case);
}

/* Which cases does this build of the optimizer get wrong, and does the checker see it? Each case of
 * the folders (see ../run_cases.c) is run with a checker that believes everything and, where that
 * changes it, with the real one. One line a case that is not as its neighbour says, then one line
 * that counts:
 *
 *   wrong    unchecked, the output is not what the case wants
 *   refused  of these, the real checker does not prove the output
 *   slipped  checked, an output came out that the real checker does not prove
 *
 * The checker is taken out by the linker (--wrap=check_run), so the optimizer is the one that
 * ships. */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

#include "../harness.h"

void __wrap_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result);
void __real_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result);

static bool believe_everything;

void __wrap_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result)
{
    if (believe_everything)
        *result = (struct check_result){.verdict = CHECK_PROVEN, .message = ""};
    else
        __real_check_run(options, before, after, arena, result);
}

/* What the first line of the case asks for, read here anew: what the optimizer under test makes of
 * it is part of what is judged. */
static struct check_options asked_for(struct bytes text)
{
    struct check_options options = {0};
    char line[512] = "", *rest;
    sscanf(text.data, "// options:%511[^\n]", line);
    for (char *flag = strtok_r(line, " \t\r", &rest); flag; flag = strtok_r(NULL, " \t\r", &rest)) {
        const char *value = strtok_r(NULL, " \t\r", &rest);
        if (!value) break;
        if (!strcmp(flag, "--assume")) options.assume |= check_assume_bit(str_from(value));
        if (!strcmp(flag, "--no-assume")) options.deny |= check_assume_bit(str_from(value));
        if (!strcmp(flag, "--isa")) sscanf(value, "%u.%u", &options.isa_major, &options.isa_minor);
    }
    return options;
}

/* The folder below tests/rules/, or NULL: the one rule that is enabled. */
static char *rule_of(const char *path)
{
    static const char folder[] = "tests/rules/";
    if (strncmp(path, folder, sizeof folder - 1) != 0) return NULL;
    const char *rule = path + sizeof folder - 1;
    return must(strndup(rule, strcspn(rule, "/")));
}

static struct bytes expected(const char *path, struct bytes text)
{
    char *out = with_suffix(path, ".out");
    struct bytes want = file_read(out);
    free(out);
    if (want.data) return want;
    return (struct bytes){must(strndup(text.data, text.len)), text.len};
}

static struct ptxopt_result *run(const char *path, struct bytes text, bool unchecked)
{
    struct ptxopt_options *options = options_of(text);
    if (!options) exit(EXIT_FAILURE);
    char *rule = rule_of(path);
    if (rule && !ptxopt_options_set_rules(options, rule)) exit(EXIT_FAILURE);
    free(rule);
    believe_everything = unchecked;
    struct ptxopt_result *result = ptxopt_run(options, path, text.data, text.len);
    ptxopt_options_free(options);
    return result;
}

static bool proves(struct bytes text, const struct ptxopt_result *result)
{
    struct check_options options = asked_for(text);
    struct check_result checked;
    struct arena arena = {0};
    size_t len;
    const char *after = ptxopt_result_text(result, &len);
    __real_check_run(&options, (struct str){text.data, text.len}, (struct str){after, len}, &arena,
                     &checked);
    bool proven = checked.verdict == CHECK_PROVEN;
    arena_free(&arena);
    return proven;
}

static unsigned wrong, refused, slipped;

static void judge(const char *path)
{
    struct bytes text = file_read(path), want = expected(path, text);
    struct ptxopt_result *unchecked = run(path, text, true);
    size_t len;
    const char *got = ptxopt_result_text(unchecked, &len);
    if (!bytes_equal(got, len, want.data, want.len)) {
        wrong++;
        printf("%s: wrong\n", path);
        refused += !proves(text, unchecked);
    }
    if (ptxopt_result_changed(unchecked)) {
        struct ptxopt_result *checked = run(path, text, false);
        bool proven = proves(text, checked);
        if (!proven) printf("%s: slipped\n", path);
        slipped += !proven;
        ptxopt_result_free(checked);
    }
    ptxopt_result_free(unchecked);
    free(want.data);
    free(text.data);
}

int main(int argc, char **argv)
{
    if (argc < 2) return fprintf(stderr, "usage: judge FOLDER...\n"), 2;
    enter_source_tree();
    FTS *walk = fts_open(argv + 1, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (!walk) return perror("fts_open"), EXIT_FAILURE;
    unsigned cases = 0;
    for (FTSENT *entry; (entry = fts_read(walk));) {
        const char *suffix = strrchr(entry->fts_name, '.');
        if (entry->fts_info != FTS_F || !suffix || strcmp(suffix, ".ptx") != 0) continue;
        judge(entry->fts_path);
        cases++;
    }
    fts_close(walk);
    printf("cases=%u wrong=%u refused=%u slipped=%u\n", cases, wrong, refused, slipped);
    return EXIT_SUCCESS;
}

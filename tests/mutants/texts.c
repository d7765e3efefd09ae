/* Compares the optimizer's output for each case with the expected one: with a checker that accepts
 * everything and, if the text was changed, with the real one. The linker replaces the checker
 * (--wrap=check_run), so the optimizer is the one that ships. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../case_file.h"
#include "cases.h"

static const struct test_case **texts;
static size_t text_count, text_room;
static bool believe_everything;

void __wrap_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result);

void __wrap_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result)
{
    if (believe_everything)
        *result = (struct check_result){.verdict = CHECK_PROVEN, .message = ""};
    else
        __real_check_run(options, before, after, arena, result);
}

/* Many wrong removals are still proven, by orders that ptxas keeps. So these are not considered,
 * except in the cases about them, whose first line names the assumption. */
static const char apart[] = "ptxas-follows-isa";

static bool is_apart(struct bytes text)
{
    size_t line = text.len ? strcspn(text.data, "\n") : 0;
    return !memmem(text.data, line, apart, sizeof apart - 1);
}

/* This test reads the options itself: how the optimizer reads the line is part of what is tested.
 */
struct check_options options_asked_for(struct bytes text)
{
    struct check_options options = {.assume = is_apart(text) ? CHECK_PTXAS_FOLLOWS_ISA : 0};
    char line[512] = "", *rest;
    if (text.len) sscanf(text.data, "// options:%511[^\n]", line);
    for (char *flag = strtok_r(line, " \t\r", &rest); flag; flag = strtok_r(NULL, " \t\r", &rest)) {
        const char *value = strtok_r(NULL, " \t\r", &rest);
        if (!value) break;
        if (!strcmp(flag, "--assume")) options.assume |= check_assume_bit(str_from(value));
        if (!strcmp(flag, "--no-assume")) options.deny |= check_assume_bit(str_from(value));
        if (!strcmp(flag, "--isa")) sscanf(value, "%u.%u", &options.isa_major, &options.isa_minor);
    }
    return options;
}

/* The cases are never freed. */
static void add_texts(const char *path, void *context)
{
    (void)context;
    struct case_list list = case_list_read(path);
    if (text_count + list.count > text_room)
        texts = must(
            realloc(texts, (text_room = text_room * 2 + list.count) * sizeof(struct test_case *)));
    for (size_t i = 0; i < list.count; i++) texts[text_count++] = &list.cases[i];
}

void texts_read(char *const *folders)
{
    case_files_visit(folders, add_texts, NULL);
}

static struct ptxopt_result *optimize(const struct test_case *text, bool unchecked)
{
    struct ptxopt_options *options = options_of(text->text);
    if (!options) exit(EXIT_FAILURE);
    if (is_apart(text->text) && !ptxopt_options_assume(options, apart, true)) exit(EXIT_FAILURE);
    if (text->rule && !ptxopt_options_set_rules(options, text->rule)) exit(EXIT_FAILURE);
    believe_everything = unchecked;
    struct ptxopt_result *result = ptxopt_run(options, text->name, text->text.data, text->text.len);
    ptxopt_options_free(options);
    return result;
}

static bool proves(const struct test_case *text, const struct ptxopt_result *result)
{
    struct check_options options = options_asked_for(text->text);
    struct check_result checked;
    struct arena arena = {0};
    size_t len;
    const char *after = ptxopt_result_text(result, &len);
    __real_check_run(&options, (struct str){text->text.data, text->text.len},
                     (struct str){after, len}, &arena, &checked);
    bool proven = checked.verdict == CHECK_PROVEN;
    arena_free(&arena);
    return proven;
}

static void judge_text(const struct test_case *text, bool names, struct judged *judged)
{
    struct ptxopt_result *unchecked = optimize(text, true);
    size_t len;
    const char *got = ptxopt_result_text(unchecked, &len);
    bool wrong = !bytes_equal(got, len, text->want.data, text->want.len), slipped = false;
    judged->cases++;
    if (wrong) {
        judged->wrong++;
        judged->refused += !proves(text, unchecked);
        if (names) printf("%s: wrong\n", text->name);
    }
    if (ptxopt_result_changed(unchecked)) {
        struct ptxopt_result *checked = optimize(text, false);
        slipped = !proves(text, checked);
        if (slipped && names) printf("%s: slipped\n", text->name);
        judged->slipped += slipped;
        ptxopt_result_free(checked);
    }
    ptxopt_result_free(unchecked);
}

static bool is_reached(const struct test_case *text, struct reach reach)
{
    char rule[64];
    snprintf(rule, sizeof rule, " %s ", text->rule ? text->rule : "");
    if (reach.rules && text->rule && !strstr(reach.rules, rule)) return false;
    return !reach.word || strstr(text->text.data, reach.word);
}

struct judged texts_judge(struct reach reach, bool names, bool soon)
{
    struct judged judged = {0};
    for (size_t i = 0; i < text_count; i++) {
        if (!is_reached(texts[i], reach)) continue;
        judge_text(texts[i], names, &judged);
        if (soon && judged.refused) break;
    }
    return judged;
}

/* Checks that the bytes after a plan of removals are the promised ones, in each style. Texts mark
 * removals as [..]; the marks are not part of them. */
#include "text/edit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "unit.h"

static char *apply(struct str text, struct edit_plan *plan, enum edit_style style)
{
    struct arena arena = {0};
    struct source source;
    source_init(&source, &arena, "test.ptx", text);
    struct buf out = {0};
    edit_plan_apply(plan, &source, style, &out);
    arena_free(&arena);
    return buf_take(&out);
}

static void expect(enum edit_style style, const char *marked, const char *want)
{
    char text[256];
    uint32_t len = 0, start = 0;
    struct edit_plan plan = {0};
    for (const char *c = marked; *c; c++) {
        if (*c == '[')
            start = len;
        else if (*c == ']')
            edit_plan_add(&plan, (struct span){start, len}, "rule");
        else
            text[len++] = *c;
    }
    char *got = apply((struct str){text, len}, &plan, style);
    assert_string_equal(got, want);
    mem_free(got);
    vec_free(&plan);
}

static void an_empty_plan_changes_nothing(void **state)
{
    (void)state;
    expect(EDIT_BLANK, "", "");
    expect(EDIT_BLANK, "a;\r\nb;", "a;\r\nb;");
    expect(EDIT_SQUEEZE, "\n\n a;\n\n", "\n\n a;\n\n");
    expect(EDIT_ANNOTATE, "a;\n", "a;\n");
}

static void blank_keeps_the_line_and_what_stands_beside(void **state)
{
    (void)state;
    expect(EDIT_BLANK, "{ [w;] }", "{  }");
    expect(EDIT_BLANK, "[a;][b;] c;\n", " c;\n");
    expect(EDIT_BLANK, "\t[w;] // why\n", "\t // why\n");
    expect(EDIT_BLANK, "a;\n\n[w;] c;\n \n", "a;\n\n c;\n \n");
}

static void blank_leaves_no_blanks_at_the_end_of_a_line(void **state)
{
    (void)state;
    expect(EDIT_BLANK, "a;\n\t[w;]\nb;\n", "a;\n\nb;\n");
    expect(EDIT_BLANK, " a; [w;] \t\n b;\n", " a;\n b;\n");
    expect(EDIT_BLANK, " [v;] [w;] \n [x;] y; \n", "\n  y; \n");
    expect(EDIT_BLANK, " a; [w\n ;] b;\n", " a;\n b;\n");
    expect(EDIT_BLANK, " [w;] \r\n [x;] \r [y;] ", "\r\n\r");
}

static void blank_keeps_the_breaks_inside_a_span(void **state)
{
    (void)state;
    expect(EDIT_BLANK, "[w\n;]\nb;\n", "\n\nb;\n");
    expect(EDIT_BLANK, "[w\r\n;]\r\nb;\r\n", "\r\n\r\nb;\r\n");
    expect(EDIT_BLANK, "[w\r;]\rb;\r", "\r\rb;\r");
}

static void spans_may_touch_both_ends_of_the_text(void **state)
{
    (void)state;
    expect(EDIT_BLANK, "[w;]", "");
    expect(EDIT_BLANK, "[]a;[]", "a;");
    expect(EDIT_ANNOTATE, "[w;]a;[v;]", "/* rule */a;/* rule */");
}

static void annotate_names_the_rule_in_the_place(void **state)
{
    (void)state;
    expect(EDIT_ANNOTATE, "a;\n\t[w;]\nb;\n", "a;\n\t/* rule */\nb;\n");
    expect(EDIT_ANNOTATE, "a; [w;] \n", "a; /* rule */\n");
    expect(EDIT_ANNOTATE, "[w\n;] b;\n", "/* rule */\n b;\n");
}

static void squeeze_drops_lines_it_emptied(void **state)
{
    (void)state;
    expect(EDIT_SQUEEZE, "a;\n\t[w;]\nb;\n", "a;\nb;\n");
    expect(EDIT_SQUEEZE, "a;\r\n\t[w;] \r\nb;\r\n", "a;\r\nb;\r\n");
    expect(EDIT_SQUEEZE, "[w;]\nb;\n", "b;\n");
    expect(EDIT_SQUEEZE, "a;\n[w\n;]\nb;\n", "a;\nb;\n");
}

static void squeeze_keeps_lines_with_anything_left(void **state)
{
    (void)state;
    expect(EDIT_SQUEEZE, "a; [w;]\nb;\n", "a;\nb;\n");
    expect(EDIT_SQUEEZE, "[w;] // why\nb;\n", " // why\nb;\n");
    expect(EDIT_SQUEEZE, "L: [w;]\n", "L:\n");
}

static void squeeze_keeps_lines_that_were_empty_before(void **state)
{
    (void)state;
    expect(EDIT_SQUEEZE, "a;\n\n[w;]\n\nb;\n", "a;\n\n\nb;\n");
}

static void squeeze_sees_all_edits_of_a_line(void **state)
{
    (void)state;
    expect(EDIT_SQUEEZE, "a;\n [v;] [w;] \nb;\n", "a;\nb;\n");
    expect(EDIT_SQUEEZE, "a;\n[v;] c; [w;]\nb;\n", "a;\n c;\nb;\n");
    expect(EDIT_SQUEEZE, "[v;]\n[w;]\n[x;]\nb;\n", "b;\n");
}

static void squeeze_keeps_a_last_line_without_newline(void **state)
{
    (void)state;
    expect(EDIT_SQUEEZE, "a;\n[w;]", "a;\n");
    expect(EDIT_SQUEEZE, "[w;]", "");
}

/* ---- random plans against the definition ---- */

enum { LINES = 12 };
#define MARK "#"

struct line {
    char text[16], left[32];
    bool edited;
};

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r")] == '\0';
}

/* For left, which has a mark in place of each removal: the marks, with the blanks around those
 * after which the line has only blanks and marks. */
static void drop_marks(char *left)
{
    char *to = left;
    for (char *c = left; *c;) {
        size_t run = strspn(c, " \t" MARK);
        bool dropped = memchr(c, *MARK, run) && strchr("\r", c[run]);
        for (size_t i = 0; i < run; i++)
            if (!dropped && c[i] != *MARK) *to++ = c[i];
        c += run;
        if (*c) *to++ = *c++;
    }
    *to = '\0';
}

/* A random text of LINES lines with random removals inside its lines. */
static struct edit_plan random_lines(uint32_t *seed, struct line *lines, char *text)
{
    static const char letters[] = "a;  \t\r/";
    struct edit_plan plan = {0};
    uint32_t at = 0;
    for (int i = 0; i < LINES; i++) {
        struct line *line = &lines[i];
        memset(line, 0, sizeof *line);
        uint32_t len = random_below(seed, 9), left = 0;
        for (uint32_t c = 0; c < len; c++) line->text[c] = letters[random_below(seed, 7)];
        for (uint32_t c = 0; c < len;) {
            uint32_t span = random_below(seed, 3) ? 0 : 1 + random_below(seed, len - c);
            if (span) edit_plan_add(&plan, (struct span){at + c, at + c + span}, "rule");
            line->edited |= span > 0;
            if (span) line->left[left++] = *MARK;
            for (uint32_t d = 0; d < span; d++)
                if (line->text[c + d] == '\r') line->left[left++] = '\r';
            if (span) line->left[left++] = *MARK;
            c += span;
            if (c < len) line->left[left++] = line->text[c++];
        }
        drop_marks(line->left);
        at += (uint32_t)sprintf(text + at, "%s\n", line->text);
    }
    return plan;
}

static void random_plans_give_what_the_styles_promise(void **state)
{
    (void)state;
    uint32_t seed = 2024;
    for (int round = 0; round < 20000; round++) {
        struct line lines[LINES];
        char text[LINES * 16], blank[LINES * 16] = "";
        struct edit_plan plan = random_lines(&seed, lines, text);
        for (int i = 0; i < LINES; i++) sprintf(blank + strlen(blank), "%s\n", lines[i].left);
        char *got = apply(str_from(text), &plan, EDIT_BLANK);
        assert_string_equal(got, blank);
        mem_free(got);
        vec_free(&plan);
    }
}

static void random_plans_squeeze_to_the_lines_with_something_left(void **state)
{
    (void)state;
    uint32_t seed = 2025;
    for (int round = 0; round < 20000; round++) {
        struct line lines[LINES];
        char text[LINES * 16], want[LINES * 16] = "";
        struct edit_plan plan = random_lines(&seed, lines, text);
        for (int i = 0; i < LINES; i++)
            if (!lines[i].edited || !is_blank(lines[i].left))
                sprintf(want + strlen(want), "%s\n", lines[i].left);
        char *got = apply(str_from(text), &plan, EDIT_SQUEEZE);
        assert_string_equal(got, want);
        mem_free(got);
        vec_free(&plan);
    }
}

static void overlapping_spans_are_a_bug(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        struct edit_plan plan = {0};
        edit_plan_add(&plan, (struct span){0, 3}, "rule");
        edit_plan_add(&plan, (struct span){2, 4}, "rule");
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        apply(str_from("abcdef"), &plan, EDIT_BLANK);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_plan_changes_nothing),
        cmocka_unit_test(blank_keeps_the_line_and_what_stands_beside),
        cmocka_unit_test(blank_leaves_no_blanks_at_the_end_of_a_line),
        cmocka_unit_test(blank_keeps_the_breaks_inside_a_span),
        cmocka_unit_test(spans_may_touch_both_ends_of_the_text),
        cmocka_unit_test(annotate_names_the_rule_in_the_place),
        cmocka_unit_test(squeeze_drops_lines_it_emptied),
        cmocka_unit_test(squeeze_keeps_lines_with_anything_left),
        cmocka_unit_test(squeeze_keeps_lines_that_were_empty_before),
        cmocka_unit_test(squeeze_sees_all_edits_of_a_line),
        cmocka_unit_test(squeeze_keeps_a_last_line_without_newline),
        cmocka_unit_test(random_plans_give_what_the_styles_promise),
        cmocka_unit_test(random_plans_squeeze_to_the_lines_with_something_left),
        cmocka_unit_test(overlapping_spans_are_a_bug),
    };
    return RUN_TESTS(tests);
}

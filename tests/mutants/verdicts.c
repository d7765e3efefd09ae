/* The verdicts of tests/check, computed in this process. check.sh describes the format, and
 * compares the same verdicts of the program ptxopt-verify. */
#include <ctype.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* A text before and after, and the expected verdicts: lines "KERNEL VERDICT", in any order. */
struct rewrite {
    char *name;
    struct check_options options;
    struct bytes before, after, want;
};

static struct rewrite *rewrites;
static size_t rewrite_count, rewrite_room;

static void append(struct bytes *to, const char *data, size_t len)
{
    to->data = must(realloc(to->data, to->len + len + 1));
    memcpy(to->data + to->len, data, len);
    to->data[to->len += len] = '\0';
}

/* The start of the line's mark, "// deleted…" or "// refused" at its end; NULL without one. */
static const char *mark_of(const char *line, size_t len)
{
    static const char *const marks[] = {"// deleted: refused with the whole rewrite",
                                        "// deleted: cannot tell",
                                        "// deleted: proven",
                                        "// deleted: refused",
                                        "// deleted",
                                        "// refused"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t marked = strlen(marks[i]);
        if (len >= marked && !memcmp(line + len - marked, marks[i], marked)) return marks[i];
    }
    return NULL;
}

/* The name after ".entry" or ".func" in the line, if there is one. */
static void read_name(const char *line, size_t len, char *name, size_t room)
{
    const char *head = memmem(line, len, ".entry", 6), *end = line + len;
    if (!head) head = memmem(line, len, ".func", 5);
    if (!head) return;
    for (head += 5; head < end && isalpha((unsigned char)*head);) head++;
    while (head < end && !isalpha((unsigned char)*head)) head++;
    size_t at = 0;
    while (head < end && (isalnum((unsigned char)*head) || *head == '_') && at + 1 < room)
        name[at++] = *head++;
    name[at] = '\0';
}

/* Adds "KERNEL VERDICT" if the mark has one. */
static void add_verdict(struct rewrite *rewrite, const char *mark, const char *name,
                        unsigned number)
{
    char line[512] = "";
    if (strstr(mark, "whole rewrite"))
        snprintf(line, sizeof line, "* refused %u\n", number);
    else if (strstr(mark, "refused"))
        snprintf(line, sizeof line, "%s refused %u\n", name, number);
    else if (strstr(mark, ": "))
        snprintf(line, sizeof line, "%s %s\n", name,
                 strstr(mark, "proven") ? "proven" : "cannot-tell");
    append(&rewrite->want, line, strlen(line));
}

/* The text without the marks, and without the statements marked as deleted; and the verdicts. */
static void split_marked(struct bytes text, struct rewrite *rewrite)
{
    char name[256] = "";
    unsigned number = 0;
    for (char *line = text.data, *next; line < text.data + text.len; line = next) {
        char *end = memchr(line, '\n', (size_t)(text.data + text.len - line));
        next = end ? end + 1 : text.data + text.len;
        if (!end) end = next;
        size_t len = (size_t)(end - line);
        const char *mark = mark_of(line, len);
        read_name(line, len, name, sizeof name);
        number++;
        if (mark) add_verdict(rewrite, mark, name, number);
        if (mark) len -= strlen(mark);
        while (mark && len && line[len - 1] == ' ') len--;
        append(&rewrite->before, line, len);
        append(&rewrite->before, "\n", 1);
        if (mark && !strncmp(mark, "// deleted", 10)) continue;
        append(&rewrite->after, line, len);
        append(&rewrite->after, "\n", 1);
    }
}

static struct rewrite *add_rewrite(const char *name, struct bytes text, struct bytes want)
{
    if (rewrite_count == rewrite_room)
        rewrites =
            must(realloc(rewrites, (rewrite_room = rewrite_room * 2 + 64) * sizeof *rewrites));
    struct rewrite *rewrite = &rewrites[rewrite_count++];
    *rewrite = (struct rewrite){.name = must(strdup(name)), .want = want};
    rewrite->options = options_asked_for(text);
    split_marked(text, rewrite);
    return rewrite;
}

static void read_case(const char *path)
{
    struct bytes text = file_read(path);
    add_rewrite(path, text, (struct bytes){0});
    free(text.data);
}

/* ---- tests/check/opcodes ---- */

/* The probe with the instruction in place of the line X. */
static struct bytes fill_probe(struct bytes probe, const char *instruction)
{
    struct bytes text = {0};
    char *x = must(strstr(probe.data, "\nX\n"));
    append(&text, probe.data, (size_t)(x + 1 - probe.data));
    append(&text, instruction, strlen(instruction));
    append(&text, x + 2, strlen(x + 2));
    return text;
}

/* The verdict of the class, from lines "CLASS VERDICT". */
static const char *verdict_of(struct bytes verdicts, const char *class)
{
    static char word[32];
    size_t len = strlen(class);
    for (const char *line = verdicts.data; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, class, len) && line[len] == ' ' && sscanf(line + len, "%31s", word) == 1)
            return word;
    }
    return NULL;
}

static void read_probe(const char *path, struct bytes instructions)
{
    struct bytes probe = file_read(path);
    char *verdict_path = with_suffix(path, ".verdict");
    struct bytes verdicts = file_read(verdict_path);
    char *copy = must(strndup(instructions.data, instructions.len)), *rest;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char class[64], name[512];
        int at = 0;
        if (*line == '#' || sscanf(line, "%63s %n", class, &at) != 1 || !line[at]) continue;
        struct bytes text = fill_probe(probe, line + at), want = {0};
        const char *verdict = verdict_of(verdicts, class);
        append(&want, "probe ", 6);
        append(&want, verdict ? verdict : "?", strlen(verdict ? verdict : "?"));
        snprintf(name, sizeof name, "%s: %s", path, line + at);
        add_rewrite(name, text, want);
        free(text.data);
    }
    free(copy);
    free(verdicts.data);
    free(verdict_path);
    free(probe.data);
}

void verdicts_read(void)
{
    char folder[] = "tests/check", *const folders[] = {folder, NULL};
    struct bytes instructions = file_read("tests/check/opcodes/instructions.txt");
    FTS *walk = must(fts_open(folders, FTS_LOGICAL | FTS_NOCHDIR, NULL));
    for (FTSENT *entry; (entry = fts_read(walk));) {
        const char *suffix = strrchr(entry->fts_name, '.');
        if (entry->fts_info != FTS_F || !suffix || strcmp(suffix, ".ptx") != 0) continue;
        if (strstr(entry->fts_path, "/opcodes/"))
            read_probe(entry->fts_path, instructions);
        else
            read_case(entry->fts_path);
    }
    fts_close(walk);
    free(instructions.data);
}

/* ---- the verdicts of the checker ---- */

/* "refused 12": the line that its message names first. */
static void say_verdict(char *said, size_t room, enum check_verdict verdict, const char *message)
{
    const char *line = strstr(message, "line ");
    if (verdict == CHECK_PROVEN)
        snprintf(said, room, "proven");
    else if (verdict == CHECK_CANNOT_TELL)
        snprintf(said, room, "cannot-tell");
    else
        snprintf(said, room, "refused %u", line ? (unsigned)strtoul(line + 5, NULL, 10) : 0);
}

/* The expectation for the kernel: after its name and a blank, on a separate line; NULL if there is
 * none. */
static const char *wanted_of(const struct rewrite *rewrite, struct str kernel)
{
    for (const char *line = rewrite->want.data; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, kernel.p, kernel.n) && line[kernel.n] == ' ') return line + kernel.n + 1;
    }
    return NULL;
}

/* A probe's verdict has no line. */
static bool is_wanted(const struct rewrite *rewrite, struct str kernel, enum check_verdict verdict,
                      const char *message)
{
    char said[64];
    say_verdict(said, sizeof said, verdict, message);
    const char *want = wanted_of(rewrite, kernel);
    size_t len = want ? strcspn(want, "\n") : 0;
    bool probe = strstr(rewrite->name, "/opcodes/") != NULL;
    if (want &&
        (probe ? !strncmp(said, want, len) : len == strlen(said) && !strncmp(said, want, len)))
        return true;
    return false;
}

static size_t lines_in(struct bytes text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.data[i] != '\n' && (i + 1 == text.len || text.data[i + 1] == '\n');
    return count;
}

/* The number of verdicts that differ from the expectation, or are missing. */
static unsigned others_of(const struct rewrite *rewrite, const struct check_result *result)
{
    unsigned good = 0, bad = 0;
    bool said = result->verdict == CHECK_PROVEN;
    for (uint32_t i = 0; i < result->function_count; i++)
        said |= result->functions[i].message == result->message;
    if (!said) {
        bool whole = is_wanted(rewrite, str_from("*"), result->verdict, result->message);
        return whole && lines_in(rewrite->want) == 1 ? 0 : 1;
    }
    for (uint32_t i = 0; i < result->function_count; i++) {
        const struct check_function *function = &result->functions[i];
        bool wanted = is_wanted(rewrite, function->name, function->verdict, function->message);
        *(wanted ? &good : &bad) += 1;
    }
    return good == lines_in(rewrite->want) ? bad : bad + 1;
}

struct judged verdicts_judge(struct reach reach, bool names, bool soon)
{
    struct judged judged = {0};
    for (size_t i = 0; i < rewrite_count && !(soon && judged.wrong); i++) {
        const struct rewrite *rewrite = &rewrites[i];
        if (reach.word && !strstr(rewrite->before.data, reach.word)) continue;
        struct arena arena = {0};
        struct check_result result;
        __real_check_run(&rewrite->options, (struct str){rewrite->before.data, rewrite->before.len},
                         (struct str){rewrite->after.data, rewrite->after.len}, &arena, &result);
        unsigned others = others_of(rewrite, &result);
        if (others && names) printf("%s: %u other verdicts\n", rewrite->name, others);
        judged.cases++;
        judged.wrong += others > 0;
        arena_free(&arena);
    }
    return judged;
}

/* Checks that the cases notice a changed entry of a table. Every entry of the optimizer's table of
 * opcodes, of the questions of its rules and of its pairs, and of the checker's table of opcodes,
 * is changed in turn, in a child of this process that then runs the cases (cases.h).
 * mutants/README.md has the possible results. The expectation is `caught`, unless
 * tests/mutants/survivors.tsv has a line for the mutant: a pattern of names, the expectation, the
 * reason.
 *
 * The tables are constants of the library; the child makes their pages writable. */
#include "tables.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

enum { VALUE_MOST = 32, HANGS_SECONDS = 600 };

struct mutant {
    char name[160];
    enum side side;
    struct reach reach;
    const void *at;
    unsigned char value[VALUE_MOST];
    size_t size;
};

struct survivor {
    char *pattern, *expect;
    unsigned matched;
};

static struct mutant *mutants;
static size_t mutant_count, mutant_room;
static struct survivor *survivors;
static size_t survivor_count;

void add_mutant(enum side side, struct reach reach, const void *at, const void *value, size_t size,
                const char *name, ...)
{
    if (mutant_count == mutant_room)
        mutants = must(realloc(mutants, (mutant_room = mutant_room * 2 + 64) * sizeof *mutants));
    struct mutant *mutant = &mutants[mutant_count++];
    *mutant = (struct mutant){.side = side, .reach = reach, .at = at, .size = size};
    if (size > VALUE_MOST) abort();
    memcpy(mutant->value, value, size);
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(mutant->name, sizeof mutant->name, name, arguments);
    va_end(arguments);
}

static void read_survivors(const char *path)
{
    struct bytes text = file_read(path);
    char *rest;
    for (char *line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *expect = strchr(line, '\t'), *reason = expect ? strchr(expect + 1, '\t') : NULL;
        if (*line == '#') continue;
        if (!reason || !reason[1]) {
            printf("Bail out! %s: no pattern, expectation and reason: %s\n", path, line);
            exit(EXIT_FAILURE);
        }
        *expect = *reason = '\0';
        survivors = must(realloc(survivors, (survivor_count + 1) * sizeof *survivors));
        survivors[survivor_count++] = (struct survivor){line, expect + 1, 0};
    }
}

static const char *expected_of(const char *name)
{
    for (size_t i = 0; i < survivor_count; i++)
        if (!fnmatch(survivors[i].pattern, name, 0)) {
            survivors[i].matched++;
            return survivors[i].expect;
        }
    return "caught";
}

/* In the child: the entry is changed, and the cases run. */
static _Noreturn void judge_mutant(const struct mutant *mutant, struct judged *judged)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)mutant->at;
    uintptr_t start = at / page * page, end = at + mutant->size;
    alarm(HANGS_SECONDS);
    judged->crashed = true;
    if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE)) _exit(EXIT_FAILURE);
    memcpy((void *)at, mutant->value, mutant->size);
    *judged = mutant->side == OF_CHECKER ? verdicts_judge(mutant->reach, false, true)
                                         : texts_judge(mutant->reach, false, true);
    _exit(EXIT_SUCCESS);
}

static const char *outcome(enum side side, struct judged judged)
{
    if (judged.crashed) return "crashes";
    if (side == OF_CHECKER) return judged.wrong ? "caught" : "equivalent";
    if (judged.slipped) return "slips";
    if (!judged.wrong) return "equivalent";
    return judged.refused ? "caught" : "cases";
}

/* Each in a child, a few at a time; their results are in shared memory. */
static struct judged *judge_all(const bool *chosen)
{
    size_t size = (mutant_count + 1) * sizeof(struct judged);
    struct judged *found =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) exit(EXIT_FAILURE);
    long most = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    for (size_t i = 0; i < mutant_count; i++) {
        if (!chosen[i]) continue;
        if (running >= most && wait(NULL) > 0) running--;
        fflush(stdout);
        pid_t child = fork();
        if (child < 0) exit(EXIT_FAILURE);
        if (!child) judge_mutant(&mutants[i], &found[i]);
        running++;
    }
    while (wait(NULL) > 0) continue;
    return found;
}

static void report(const bool *chosen, const struct judged *found, bool all)
{
    for (size_t i = 0; i < mutant_count; i++) {
        const char *want = expected_of(mutants[i].name);
        const char *got = outcome(mutants[i].side, found[i]);
        if (!chosen[i]) continue;
        if (!strcmp(want, got) || (!strcmp(want, "unseen") && !strcmp(got, "equivalent"))) {
            printf("ok - %s: %s\n", want, mutants[i].name);
            continue;
        }
        printf("# of %u cases %u wrong, %u refused, %u slipped; %s\n", found[i].cases,
               found[i].wrong, found[i].refused, found[i].slipped,
               strcmp(want, "caught")
                   ? "correct its line in tests/mutants/survivors.tsv, or drop it if caught"
                   : "write the case that notices, or a line with the reason in "
                     "tests/mutants/survivors.tsv");
        printf("not ok - %s (it is: %s): %s\n", want, got, mutants[i].name);
    }
    for (size_t i = 0; all && i < survivor_count; i++)
        if (!survivors[i].matched)
            printf("not ok - survivors.tsv: no mutant is called %s\n", survivors[i].pattern);
}

/* tables [PATTERN] */
int main(int argc, char **argv)
{
    static char rules[] = "tests/rules", isa[] = "tests/isa", never[] = "tests/never",
                pipeline[] = "tests/pipeline", cases[] = "tests/mutants/cases";
    char *const folders[] = {rules, isa, never, pipeline, cases, NULL};
    enter_source_tree();
    texts_read(folders);
    verdicts_read();
    make_opcode_mutants();
    make_cover_mutants();
    make_pair_mutants();
    make_effect_mutants();
    read_survivors("tests/mutants/survivors.tsv");
    bool *chosen = must(calloc(mutant_count + 1, sizeof *chosen));
    for (size_t i = 0; i < mutant_count; i++)
        chosen[i] = argc < 2 || !fnmatch(argv[1], mutants[i].name, 0);
    report(chosen, judge_all(chosen), argc < 2);
    return EXIT_SUCCESS;
}

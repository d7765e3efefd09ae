/* routes COUNT KEPT FILE...: reads each file, and COUNT mutants of it, in both ways that
 * same_view.h compares. Mutants change bytes, tokens and statements; they are the same in each run.
 * Prints how many texts it read, and exits with 1 if the two ways differ; then KEPT has the last
 * such text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "harness.h"
#include "same_view.h"

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

/* Strings that change how a text is read: signs, words that are keywords somewhere, and unusual
 * numbers. */
static const char *const PIECES[] = {
    ";",
    ",",
    ":",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "|",
    "!",
    "@",
    "%",
    "_",
    "=",
    "-",
    "+",
    "*",
    "/",
    "~",
    "^",
    "?",
    "&",
    "$",
    "#",
    "\"",
    "'",
    "\\",
    "\n",
    "\t",
    " ",
    ".",
    "::",
    "<<",
    ">=",
    "||",
    "//",
    "/*",
    "*/",
    "@@",
    ".5",
    "1.",
    "1e5",
    "0x",
    "0x1F",
    "0b2",
    "5U",
    "0f3F800000",
    "1.f32",
    ".v4",
    ".v4x",
    ".reg",
    ".loc",
    ".loc 1 2 3",
    ".loc_",
    ".file",
    ".entry",
    ".func",
    ".visible",
    ".pragma",
    ".align",
    ".global",
    ".param",
    ".section",
    ".source_begin\n",
    ".branchtargets",
    ".callprototype",
    ".version 8.7",
    ".attribute",
    ".attr",
    ".foo",
    ".foo::bar",
    ".foo::bar:4",
    "call",
    "inlined_at",
    "function_name",
    "a",
    "%r1",
    "%rd1+16",
    "L1:",
    "N<5>",
    "ret;",
    "{ ret; }",
    "%p|%q",
    "\v",
    "\xc3\xa9",
    ".reg .b32 t;",
    "@%p bra L1;",
    "mov.u32 %r1, %tid.x;",
    "call (r), f, (a, b);",
    "\0x",
};
enum { PIECE_COUNT = sizeof PIECES / sizeof *PIECES };

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '%' || c == '$' || c == '.' || c == ':';
}

/* A byte, a word or a statement at that byte: [start, end). */
static void choose(struct str text, size_t *start, size_t *end)
{
    *start = draw(text.n);
    *end = *start + 1;
    uint64_t what = draw(3);
    if (what == 1 && in_word(text.p[*start])) {
        while (*start && in_word(text.p[*start - 1])) --*start;
        while (*end < text.n && in_word(text.p[*end])) ++*end;
    }
    if (what == 2) {
        while (*start && text.p[*start - 1] != ';') --*start;
        while (*end < text.n && text.p[*end - 1] != ';') ++*end;
    }
}

static void mutate(struct str text, struct buf *out)
{
    size_t start, end, from, to;
    choose(text, &start, &end);
    choose(text, &from, &to);
    const char *piece = PIECES[draw(PIECE_COUNT)];
    uint64_t what = draw(5);
    buf_add(out, text.p, start);
    if (what == 0) buf_add(out, text.p + from, to - from); /* put there */
    if (what == 1) buf_puts(out, piece);                   /* … this */
    if (what == 2) buf_puts(out, piece), buf_add(out, text.p + start, end - start);
    if (what == 3)
        buf_add(out, text.p + start, end - start), buf_add(out, text.p + start, end - start);
    buf_add(out, text.p + end, text.n - end); /* 4: removed */
}

struct tally {
    unsigned long read, untold, wrong;
};

static const char *kept;

static void compare(const char *name, struct str text, struct tally *tally)
{
    enum same_view same = same_view(name, text);
    tally->read++;
    tally->untold += same == SAME_UNTOLD;
    tally->wrong += same == SAME_WRONG;
    FILE *file = same == SAME_WRONG ? fopen(kept, "wb") : NULL;
    if (!file) return;
    fwrite(text.p, 1, text.n, file);
    fclose(file);
}

static void compare_mutants(const char *name, struct str text, unsigned long count,
                            struct tally *tally)
{
    struct buf mutant = {0};
    buf_expect(&mutant, text.n); /* so that an empty mutant has an address, too */
    for (unsigned long i = 0; i < count && text.n; i++) {
        mutant.len = 0;
        mutate(text, &mutant);
        compare(name, (struct str){mutant.data, mutant.len}, tally);
    }
    buf_free(&mutant);
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    if (argc < 4) return fputs("usage: routes COUNT KEPT FILE...\n", stderr), 2;
    unsigned long mutants = strtoul(argv[1], NULL, 10);
    kept = argv[2];
    for (int i = 3; i < argc; i++) {
        struct bytes bytes = file_read(argv[i]);
        struct str text = {bytes.data, bytes.len};
        if (!text.p) return perror(argv[i]), 2;
        state = 88172645463325252u + text.n;
        compare(argv[i], text, &tally);
        compare_mutants(argv[i], text, mutants, &tally);
        free(bytes.data);
    }
    printf("%lu texts, %lu of them read by the tree alone, %lu read differently\n", tally.read,
           tally.untold, tally.wrong);
    return tally.wrong > 0;
}

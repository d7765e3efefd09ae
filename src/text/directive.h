/* Reads comments for ptxopt. The grammar, of all of them:
 *
 *     // ptxopt: WORD[NAME, NAME] REASON
 *
 * or the same between the marks of the other kind of comment, up to the end of the line. The names,
 * in brackets, may be missing, and then all are meant; `--` may precede the reason.
 * After keep and keep-next the brackets may be left out around names: the reason then needs its
 * `--`.
 *
 * A comment is about the instructions of its line or, where it is on a line without one, about
 * the next instruction, as keep-next always is. What declares, labels or opens a block is no
 * instruction. */
#ifndef PTXOPT_TEXT_DIRECTIVE_H
#define PTXOPT_TEXT_DIRECTIVE_H

#include "base/vec.h"
#include "text/source.h"

enum directive_word {
    DIRECTIVE_IGNORE, /* what lint finds; the names are codes */
    DIRECTIVE_KEEP,   /* from being removed; the names are rules */
    DIRECTIVE_KEEP_NEXT,
    DIRECTIVE_UNKNOWN,
};

/* All strings are in the text. */
struct directive {
    struct span span;  /* of the comment, as far as it is on its line */
    struct span about; /* what touches it is meant: a line, or where the next instruction begins */
    uint32_t reaches;  /* the last end of what this one and those before it in its list are about */
    enum directive_word word;
    struct str spelled; /* the word */
    struct str names;   /* separated by commas; p is NULL for none */
    struct str reason;  /* or empty */
};

struct directive_list VEC(struct directive);

/* Whether the inside of a comment, after its mark, is for ptxopt. */
bool directive_begins(const char *at, const char *end);

/* Whether it may, by two bytes. Of "ptxopt" after blanks the second is none from a to o, which
 * excludes most comments. */
static inline bool directive_may_begin(const char *at)
{
    if ((unsigned char)(at[1] - 'a') < 'p' - 'a') return false;
    return at[0] != ' ' || at[1] == 'p' || at[1] <= ' ';
}

/* Appends those in the span, which is whole lines of no string or comment that began before, in
 * order. The lines of source are not needed. */
void directive_find(struct directive_list *list, const struct source *source, struct span span);

/* The place in the list of the first that may be about what ends after start. */
uint32_t directive_first(const struct directive_list *list, uint32_t start);

/* Takes the first name off the list of names; false when there is none. */
bool directive_next_name(struct str *names, struct str *name);

/* Whether an instruction there is meant. */
static inline bool directive_meets(const struct directive *directive, uint32_t start, uint32_t end)
{
    return directive->about.start < end && directive->about.end > start;
}

#endif

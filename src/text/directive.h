/* Reads comments for ptxopt. Their grammar is
 *
 *     // ptxopt: WORD[NAME, NAME] REASON
 *
 * or the same in the other kind of comment, up to the end of the line. Without names in brackets,
 * all names are meant. `--` may precede the reason. After keep and keep-next, names may be written
 * without brackets; the reason then needs its `--`.
 *
 * A comment is about the instructions of its line. If its line has none, and for keep-next always,
 * it is about the next instruction. Declarations, labels and the opening brace of a block are no
 * instructions. */
#ifndef PTXOPT_TEXT_DIRECTIVE_H
#define PTXOPT_TEXT_DIRECTIVE_H

#include "base/vec.h"
#include "text/source.h"

enum directive_word {
    DIRECTIVE_IGNORE, /* accepts lint findings; the names are codes */
    DIRECTIVE_KEEP,   /* keeps candidates; the names are rules */
    DIRECTIVE_KEEP_NEXT,
    DIRECTIVE_UNKNOWN,
};

/* All strings are parts of the text. */
struct directive {
    struct span span;  /* of the comment, up to the end of its line */
    struct span about; /* it is about instructions that overlap this: a line, or the start of the
                          next instruction */
    uint32_t reaches;  /* the highest end of about in the list up to this one */
    enum directive_word word;
    struct str spelled; /* the word */
    struct str names;   /* separated by commas; p is NULL: none */
    struct str reason;  /* may be empty */
};

struct directive_list VEC(struct directive);

/* The text of a comment, from after its opening mark to end, is for ptxopt. */
bool directive_begins(const char *at, const char *end);

/* A quick test of two bytes: false only if directive_begins is false. In "ptxopt", possibly after
 * blanks, the second byte is never from a to o, which excludes most comments. */
static inline bool directive_may_begin(const char *at)
{
    if ((unsigned char)(at[1] - 'a') < 'p' - 'a') return false;
    return at[0] != ' ' || at[1] == 'p' || at[1] <= ' ';
}

/* Appends the comments for ptxopt in the span, in order. The span must be complete lines that do
 * not begin inside a string or comment. The line index of source is not used. */
void directive_find(struct directive_list *list, const struct source *source, struct span span);

/* The index of the first comment in the list that may be about something that ends after start. */
uint32_t directive_first(const struct directive_list *list, uint32_t start);

/* Removes the first name from *names; false if there is none. */
bool directive_next_name(struct str *names, struct str *name);

/* The comment is about an instruction at [start, end). */
static inline bool directive_meets(const struct directive *directive, uint32_t start, uint32_t end)
{
    return directive->about.start < end && directive->about.end > start;
}

#endif

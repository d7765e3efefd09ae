/* Searches for the words without which no rule has a candidate. Every candidate is a tcgen05
 * instruction or a fence.proxy.async. To the parser `tcgen05` is an opcode and `.proxy` a modifier,
 * each one token: blanks and comments may be around it, nothing between its letters, and PTX has
 * no macros, escapes or spliced lines that could spell it otherwise. So without either there is no
 * candidate, whatever else the text is. (A comment that names one only costs the parse.) */
#include "text/mention.h"

#include "base/work.h"

static const char tcgen05[] = "tcgen05", proxy[] = ".proxy";

enum {
    STRIDE = 512, /* positions that are looked at together */
    BYTES_A_UNIT = 256,
};

static bool text_holds(struct str text, const char *word)
{
    return memmem(text.p, text.n, word, strlen(word));
}

/* Whether a word may begin at one of STRIDE positions. By two letters of each that are rare in
 * PTX; no branch, so that the compiler compares many positions at once. */
static bool may_begin(const char *at)
{
    unsigned char may = 0;
    for (int i = 0; i < STRIDE; i++)
        may |= (unsigned char)((at[i] == 't') & (at[i + 1] == 'c')) |
               (unsigned char)((at[i + 4] == 'x') & (at[i + 5] == 'y'));
    return may;
}

bool mention_found(struct str text)
{
    const size_t window = STRIDE + MENTION_WORD - 1;
    size_t at = 0;
    for (; text.n - at >= window; at += STRIDE) {
        struct str part = {text.p + at, window};
        work_spend(STRIDE / BYTES_A_UNIT);
        if (may_begin(part.p) && (text_holds(part, tcgen05) || text_holds(part, proxy)))
            return true;
    }
    struct str rest = {text.p + at, text.n - at};
    return rest.n && (text_holds(rest, tcgen05) || text_holds(rest, proxy));
}

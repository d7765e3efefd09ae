/* Searches for the words without which no rule has a candidate. Each candidate is a tcgen05
 * instruction or a fence.proxy.async. In the grammar, `tcgen05` is an opcode and `.proxy` a
 * modifier, each a single token: blanks and comments may be around it, but not within it, and PTX
 * has no macros, escapes or spliced lines with which it could be spelled differently. So a text
 * with neither word has no candidate, whatever else it contains. (A comment with one of the words
 * only costs the parse.) See mention.h. */
#include "text/mention.h"

#include "base/work.h"

static const char tcgen05[] = "tcgen05", proxy[] = ".proxy";

enum {
    STRIDE = 512, /* positions that are tested together */
    BYTES_A_UNIT = 256,
};

static bool text_holds(struct str text, const char *word)
{
    return memmem(text.p, text.n, word, strlen(word));
}

/* A word may begin at one of STRIDE positions. It tests two letters of each word that are rare in
 * PTX, without branches, so that the compiler compares many positions at once. */
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

/* Finds the words that the grammar knows. See keyword.h. */
#include "syntax/keyword.h"

/* clang-format off */
/* known_by: the grammar takes every word with this many first bytes for the keyword; 0: only the
 * whole word. */
static const struct keyword {
    const char *word;
    size_t known_by;
} KEYWORDS[TOKEN_KINDS] = {
    [TOKEN_DOT_ADDRESS_SIZE] = {".address_size", sizeof ".addr" - 1},
    [TOKEN_DOT_ALIAS] = {".alias", 0},
    [TOKEN_DOT_ALIGN] = {".align", 0},
    [TOKEN_DOT_ATTRIBUTE] = {".attribute", sizeof ".att" - 1},
    [TOKEN_DOT_BRANCHTARGETS] = {".branchtargets", sizeof ".bran" - 1},
    [TOKEN_DOT_CALLPROTOTYPE] = {".callprototype", sizeof ".callp" - 1},
    [TOKEN_DOT_CALLTARGETS] = {".calltargets", sizeof ".callt" - 1},
    [TOKEN_DOT_COMMON] = {".common", 0},
    [TOKEN_DOT_CONST] = {".const", 0},
    [TOKEN_DOT_ENTRY] = {".entry", 0},
    [TOKEN_DOT_EXTERN] = {".extern", sizeof ".ext" - 1},
    [TOKEN_DOT_FILE] = {".file", 0},
    [TOKEN_DOT_FUNC] = {".func", 0},
    [TOKEN_DOT_GLOBAL] = {".global", 0},
    [TOKEN_DOT_LOC] = {".loc", 0},
    [TOKEN_DOT_LOCAL] = {".local", 0},
    [TOKEN_DOT_PARAM] = {".param", 0},
    [TOKEN_DOT_PRAGMA] = {".pragma", sizeof ".pra" - 1},
    [TOKEN_DOT_PTR] = {".ptr", 0},
    [TOKEN_DOT_REG] = {".reg", 0},
    [TOKEN_DOT_SECTION] = {".section", sizeof ".sec" - 1},
    [TOKEN_DOT_SHARED] = {".shared", 0},
    [TOKEN_DOT_TARGET] = {".target", sizeof ".tar" - 1},
    [TOKEN_DOT_TEX] = {".tex", 0},
    [TOKEN_DOT_VERSION] = {".version", sizeof ".ver" - 1},
    [TOKEN_DOT_VISIBLE] = {".visible", sizeof ".vis" - 1},
    [TOKEN_DOT_WEAK] = {".weak", 0},
};

/* The keywords with the same first letter, from ['a'] on. They are consecutive in the enumeration.
 */
static const struct {
    uint8_t first, end;
} BY_LETTER['z' - 'a' + 1] = {
    ['a' - 'a'] = {TOKEN_DOT_ADDRESS_SIZE, TOKEN_DOT_ATTRIBUTE + 1},
    ['b' - 'a'] = {TOKEN_DOT_BRANCHTARGETS, TOKEN_DOT_BRANCHTARGETS + 1},
    ['c' - 'a'] = {TOKEN_DOT_CALLPROTOTYPE, TOKEN_DOT_CONST + 1},
    ['e' - 'a'] = {TOKEN_DOT_ENTRY, TOKEN_DOT_EXTERN + 1},
    ['f' - 'a'] = {TOKEN_DOT_FILE, TOKEN_DOT_FUNC + 1},
    ['g' - 'a'] = {TOKEN_DOT_GLOBAL, TOKEN_DOT_GLOBAL + 1},
    ['l' - 'a'] = {TOKEN_DOT_LOC, TOKEN_DOT_LOCAL + 1},
    ['p' - 'a'] = {TOKEN_DOT_PARAM, TOKEN_DOT_PTR + 1},
    ['r' - 'a'] = {TOKEN_DOT_REG, TOKEN_DOT_REG + 1},
    ['s' - 'a'] = {TOKEN_DOT_SECTION, TOKEN_DOT_SHARED + 1},
    ['t' - 'a'] = {TOKEN_DOT_TARGET, TOKEN_DOT_TEX + 1},
    ['v' - 'a'] = {TOKEN_DOT_VERSION, TOKEN_DOT_VISIBLE + 1},
    ['w' - 'a'] = {TOKEN_DOT_WEAK, TOKEN_DOT_WEAK + 1},
};
/* clang-format on */

/* `.v4` is a token of its own. In `.v4x` the token may be `.v4` or the whole word, depending on the
 * place. */
static enum token_kind vector_kind(struct str word)
{
    size_t n = 2;
    while (n < word.n && word.p[n] >= '0' && word.p[n] <= '9') n++;
    if (n == 2) return TOKEN_MODIFIER;
    return n == word.n ? TOKEN_VECTOR_TYPE : TOKEN_ODD;
}

enum token_kind keyword_kind(struct str word)
{
    unsigned letter = (unsigned char)word.p[1] - (unsigned)'a';
    if (letter > 'z' - 'a') return TOKEN_MODIFIER;
    for (unsigned k = BY_LETTER[letter].first; k < BY_LETTER[letter].end; k++) {
        const struct keyword *keyword = &KEYWORDS[k];
        size_t n = 0;
        while (n < word.n && keyword->word[n] == word.p[n]) n++;
        if (n == word.n && !keyword->word[n]) return (enum token_kind)k;
        if (keyword->known_by && n >= keyword->known_by) return TOKEN_ODD;
    }
    if (str_starts(word, ".loc_")) return TOKEN_ODD;
    return word.p[1] == 'v' ? vector_kind(word) : TOKEN_MODIFIER;
}

const char *keyword_word(enum token_kind kind)
{
    return KEYWORDS[kind].word;
}

/* Finds the words that the grammar knows. See keyword.h. */
#include "syntax/keyword.h"

/* clang-format off */
/* known_by: the grammar takes every word with this beginning for the keyword; NULL: only the whole
 * word. */
static const struct keyword {
    const char *word, *known_by;
} KEYWORDS[TOKEN_KINDS] = {
    [TOKEN_DOT_ADDRESS_SIZE] = {".address_size", ".addr"},
    [TOKEN_DOT_ALIAS] = {".alias", NULL},
    [TOKEN_DOT_ALIGN] = {".align", NULL},
    [TOKEN_DOT_ATTRIBUTE] = {".attribute", ".att"},
    [TOKEN_DOT_BRANCHTARGETS] = {".branchtargets", ".bran"},
    [TOKEN_DOT_CALLPROTOTYPE] = {".callprototype", ".callp"},
    [TOKEN_DOT_CALLTARGETS] = {".calltargets", ".callt"},
    [TOKEN_DOT_COMMON] = {".common", NULL},
    [TOKEN_DOT_CONST] = {".const", NULL},
    [TOKEN_DOT_ENTRY] = {".entry", NULL},
    [TOKEN_DOT_EXTERN] = {".extern", ".ext"},
    [TOKEN_DOT_FILE] = {".file", NULL},
    [TOKEN_DOT_FUNC] = {".func", NULL},
    [TOKEN_DOT_GLOBAL] = {".global", NULL},
    [TOKEN_DOT_LOC] = {".loc", NULL},
    [TOKEN_DOT_LOCAL] = {".local", NULL},
    [TOKEN_DOT_PARAM] = {".param", NULL},
    [TOKEN_DOT_PRAGMA] = {".pragma", ".pra"},
    [TOKEN_DOT_PTR] = {".ptr", NULL},
    [TOKEN_DOT_REG] = {".reg", NULL},
    [TOKEN_DOT_SECTION] = {".section", ".sec"},
    [TOKEN_DOT_SHARED] = {".shared", NULL},
    [TOKEN_DOT_TARGET] = {".target", ".tar"},
    [TOKEN_DOT_TEX] = {".tex", NULL},
    [TOKEN_DOT_VERSION] = {".version", ".ver"},
    [TOKEN_DOT_VISIBLE] = {".visible", ".vis"},
    [TOKEN_DOT_WEAK] = {".weak", NULL},
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
        if (str_is(word, keyword->word)) return (enum token_kind)k;
        if (keyword->known_by && str_starts(word, keyword->known_by)) return TOKEN_ODD;
    }
    if (str_starts(word, ".loc_")) return TOKEN_ODD;
    return word.p[1] == 'v' ? vector_kind(word) : TOKEN_MODIFIER;
}

const char *keyword_word(enum token_kind kind)
{
    return KEYWORDS[kind].word;
}

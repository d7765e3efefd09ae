/* Which tokens does this text hold? See token.h. */
#include "syntax/token.h"

#include "syntax/keyword.h"

/* The loops over tokens are worth a copy of all that they call. */
#define INLINE static inline __attribute__((always_inline))

enum class {
    CLASS_ODD,
    CLASS_BLANK,
    CLASS_LETTER,
    CLASS_PREFIX, /* of a name: '_', '$' or '%' */
    CLASS_DIGIT,
    CLASS_DOT,
    CLASS_SIGN,
    CLASS_OPERATOR, /* a sign that may be the half of another */
    CLASS_AT,
    CLASS_SLASH,
    CLASS_QUOTE,
    CLASS_HASH,
};

/* May stand in a word: a letter, digit, '_' or '$'; may begin a name. */
enum { WORD = 1 << 7, NAME = 1 << 6 };

/* clang-format off */
#define LETTER (CLASS_LETTER | WORD | NAME)
#define DIGIT (CLASS_DIGIT | WORD)
static const uint8_t CLASSES[256] = {
    ['\t'] = CLASS_BLANK, ['\n'] = CLASS_BLANK, ['\v'] = CLASS_BLANK, ['\f'] = CLASS_BLANK,
    ['\r'] = CLASS_BLANK, [' '] = CLASS_BLANK,
    ['a'] = LETTER, ['b'] = LETTER, ['c'] = LETTER, ['d'] = LETTER, ['e'] = LETTER, ['f'] = LETTER,
    ['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER, ['k'] = LETTER, ['l'] = LETTER,
    ['m'] = LETTER, ['n'] = LETTER, ['o'] = LETTER, ['p'] = LETTER, ['q'] = LETTER, ['r'] = LETTER,
    ['s'] = LETTER, ['t'] = LETTER, ['u'] = LETTER, ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER,
    ['y'] = LETTER, ['z'] = LETTER,
    ['A'] = LETTER, ['B'] = LETTER, ['C'] = LETTER, ['D'] = LETTER, ['E'] = LETTER, ['F'] = LETTER,
    ['G'] = LETTER, ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER, ['K'] = LETTER, ['L'] = LETTER,
    ['M'] = LETTER, ['N'] = LETTER, ['O'] = LETTER, ['P'] = LETTER, ['Q'] = LETTER, ['R'] = LETTER,
    ['S'] = LETTER, ['T'] = LETTER, ['U'] = LETTER, ['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER,
    ['Y'] = LETTER, ['Z'] = LETTER,
    ['0'] = DIGIT, ['1'] = DIGIT, ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT,
    ['5'] = DIGIT, ['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT, ['9'] = DIGIT,
    ['_'] = CLASS_PREFIX | WORD | NAME, ['$'] = CLASS_PREFIX | WORD | NAME,
    ['%'] = CLASS_PREFIX | NAME,
    ['.'] = CLASS_DOT, ['/'] = CLASS_SLASH, ['"'] = CLASS_QUOTE, ['#'] = CLASS_HASH,
    ['@'] = CLASS_AT,
    ['('] = CLASS_SIGN, [')'] = CLASS_SIGN, ['['] = CLASS_SIGN, [']'] = CLASS_SIGN,
    ['{'] = CLASS_SIGN, ['}'] = CLASS_SIGN, [','] = CLASS_SIGN, [';'] = CLASS_SIGN,
    [':'] = CLASS_SIGN, ['?'] = CLASS_SIGN, ['^'] = CLASS_SIGN, ['~'] = CLASS_SIGN,
    ['+'] = CLASS_SIGN, ['-'] = CLASS_SIGN, ['*'] = CLASS_SIGN,
    ['<'] = CLASS_OPERATOR, ['>'] = CLASS_OPERATOR, ['='] = CLASS_OPERATOR,
    ['!'] = CLASS_OPERATOR, ['&'] = CLASS_OPERATOR, ['|'] = CLASS_OPERATOR,
};
/* clang-format on */

INLINE bool in_word(char c)
{
    return CLASSES[(unsigned char)c] & WORD;
}

INLINE enum class class_of(char c) {
    return (enum class)(CLASSES[(unsigned char)c] & ~(WORD | NAME));
}

INLINE bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* A last byte that no token goes on with ends every loop below. */
bool lexer_start(struct lexer *lexer, struct str text, size_t start)
{
    *lexer = (struct lexer){text.p, text.p + start, text.p + text.n};
    if (text.n == start) return true;
    char last = text.p[text.n - 1];
    return (class_of(last) == CLASS_BLANK || last == '}' || last == ';') &&
           !memchr(lexer->at, '\0', text.n - start);
}

/* Behind the comment at `at`; NULL when there is none there, or no end of it. */
static const char *behind_comment(const struct lexer *lexer, const char *at)
{
    size_t left = (size_t)(lexer->end - at);
    if (*at == '#' || (*at == '/' && at[1] == '/')) {
        const char *newline = memchr(at, '\n', left);
        return newline ? newline : lexer->end;
    }
    if (*at != '/' || at[1] != '*') return NULL;
    const char *close = memmem(at + 2, left - 2, "*/", 2);
    return close ? close + 2 : NULL;
}

INLINE const char *skip_spaces(const struct lexer *lexer, const char *at)
{
    while (at < lexer->end && CLASSES[(unsigned char)*at] == CLASS_BLANK) at++;
    return at;
}

/* Behind the comments, and the blanks behind each, that begin at `at`; there when none does. */
static const char *skip_comments(const struct lexer *lexer, const char *at)
{
    while (at < lexer->end && (*at == '/' || *at == '#')) {
        const char *behind = behind_comment(lexer, at);
        if (!behind) return at;
        at = skip_spaces(lexer, behind);
    }
    return at;
}

/* The first byte of the next token from `at` on, or the end. */
INLINE const char *skip_blanks(const struct lexer *lexer, const char *at)
{
    at = skip_spaces(lexer, at);
    return at < lexer->end && (*at == '/' || *at == '#') ? skip_comments(lexer, at) : at;
}

/* ---- words: each returns where the token ends ---- */

INLINE const char *word_end(const char *at)
{
    while (in_word(*at)) at++;
    return at;
}

static enum token_kind kind_of_prefix(char c)
{
    if (c == '_') return TOKEN_SINK;
    return c == '%' ? TOKEN_PERCENT : TOKEN_ODD;
}

INLINE const char *read_name(const char *at, enum token_kind *kind)
{
    const char *end = word_end(at + 1);
    *kind = TOKEN_IDENTIFIER;
    if (end == at + 4 && memcmp(at, "call", 4) == 0) *kind = TOKEN_CALL;
    if (end == at + 1 && class_of(*at) == CLASS_PREFIX) *kind = kind_of_prefix(*at);
    return end;
}

static const char *digits_end(const char *at)
{
    while (is_digit(*at)) at++;
    return at;
}

/* `e+5` and the like; at where there is none. */
static const char *exponent_end(const char *at)
{
    if ((*at | 32) != 'e') return at;
    const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');
    return is_digit(*digits) ? digits_end(digits) : at;
}

static const char *read_decimal(const char *at, enum token_kind *kind)
{
    const char *end = digits_end(at);
    *kind = TOKEN_INTEGER;
    if (*end == '.') {
        *kind = TOKEN_FLOAT;
        return exponent_end(digits_end(end + 1));
    }
    const char *behind = exponent_end(end);
    if (behind > end) *kind = TOKEN_FLOAT;
    return behind > end ? behind : end + (*end == 'U');
}

static const char *read_number(const char *at, enum token_kind *kind)
{
    char base = at[0] == '0' ? (char)(at[1] | 32) : '\0';
    const char *end;
    if ((base == 'x' || base == 'f' || base == 'd') && is_hex(at[2])) {
        for (end = at + 2; is_hex(*end);) end++;
        *kind = base == 'x' ? TOKEN_INTEGER : TOKEN_FLOAT;
        end += base == 'x' && *end == 'U';
    } else if (base == 'b' && (at[2] == '0' || at[2] == '1')) {
        for (end = at + 2; *end == '0' || *end == '1';) end++;
        *kind = TOKEN_INTEGER;
        end += *end == 'U';
    } else {
        end = read_decimal(at, kind);
    }
    if (in_word(*end) || *end == '.') *kind = TOKEN_ODD; /* where it ends depends on the place */
    return end;
}

/* `8.7`, as it stands behind .version. */
static const char *read_version(const char *at, enum token_kind *kind)
{
    const char *end = digits_end(at);
    while (*end == '.' && is_digit(end[1])) end = digits_end(end + 1);
    *kind = !is_digit(*at) || in_word(*end) || *end == '.' ? TOKEN_ODD : TOKEN_VERSION_NUMBER;
    return end;
}

/* The end of `.word`, with the `::word` and `::word:2` behind it. */
INLINE const char *dotted_end(const char *at)
{
    const char *end = word_end(at + 1);
    while (end[0] == ':' && end[1] == ':' && in_word(end[2])) {
        end = word_end(end + 2);
        if (end[0] == ':' && is_digit(end[1])) end = digits_end(end + 1);
    }
    return end;
}

/* Is the dotted word also the start of a number, of another language's source, or cut short? */
INLINE bool is_odd_dotted(const char *at, const char *end)
{
    if (!in_word(at[1]) || in_word(*end)) return true;
    if (at[1] == 's' && end - at >= 9 && memcmp(at, ".source_b", 9) == 0) return true;
    if (!is_digit(at[1])) return false;
    const char *digits = digits_end(at + 1);
    return digits == end || (*digits | 32) == 'e';
}

INLINE const char *read_dotted(const char *at, bool in_head, enum token_kind *kind)
{
    const char *end = dotted_end(at);
    *kind = TOKEN_MODIFIER;
    if (is_odd_dotted(at, end))
        *kind = TOKEN_ODD;
    else if (!in_head)
        *kind = keyword_kind((struct str){at, (size_t)(end - at)});
    return end;
}

static const char *read_string(const struct lexer *lexer, const char *at, enum token_kind *kind)
{
    const char *end = memchr(at + 1, '"', (size_t)(lexer->end - at - 1));
    *kind = end ? TOKEN_STRING : TOKEN_ODD;
    for (const char *p = at; end && p < end; p++)
        if ((unsigned char)*p >= 0x80) *kind = TOKEN_ODD;
    return end ? end + 1 : at;
}

/* ---- all ---- */

static const char *read_sign(const char *at, enum token_kind *kind)
{
    enum class class = class_of(*at);
    *kind = (enum token_kind) * at;
    if (class == CLASS_OPERATOR && class_of(at[1]) == CLASS_OPERATOR && at[1] != '!')
        *kind = TOKEN_ODD;
    if (class == CLASS_AT && class_of(at[1]) == CLASS_AT) *kind = TOKEN_ODD;
    if (class == CLASS_SLASH && at[1] == '*') *kind = TOKEN_ODD; /* a comment without end */
    return at + 1;
}

/* Where the token at `at` ends, which is none of the usual ones; kind is TOKEN_END for a comment.
 */
static const char *read_other(const struct lexer *lexer, const char *at, enum token_kind *kind)
{
    *kind = TOKEN_ODD;
    switch (class_of(*at)) {
    case CLASS_DIGIT: return read_number(at, kind);
    case CLASS_OPERATOR:
    case CLASS_AT: return read_sign(at, kind);
    case CLASS_HASH:
    case CLASS_SLASH: {
        const char *behind = skip_comments(lexer, at);
        if (behind == at) return read_sign(at, kind);
        *kind = TOKEN_END;
        return behind;
    }
    case CLASS_QUOTE: return read_string(lexer, at, kind);
    default: return at;
    }
}

/* Where the token at `at` ends, which is not the end of the text. */
INLINE const char *read_token(const struct lexer *lexer, const char *at, bool in_head,
                              enum token_kind *kind)
{
    uint8_t class = CLASSES[(unsigned char)*at];
    if (class & NAME) return read_name(at, kind);
    if (class == CLASS_DOT) return read_dotted(at, in_head, kind);
    if (class != CLASS_SIGN) return read_other(lexer, at, kind);
    *kind = (enum token_kind) * at;
    return at + 1;
}

/* When does taking tokens end, but for the end of the text and odd ones? */
enum until {
    UNTIL_ONE,
    UNTIL_LAST,      /* with a token of kind last */
    UNTIL_STATEMENT, /* from behind its first token: the same, or with the ':' of a label */
};

/* What changes with each token is in variables: the bytes stored might be any of list's. */
INLINE enum token_kind take(struct lexer *lexer, struct token_list *list, enum until until,
                            enum token_kind last)
{
    const char *at = lexer->at;
    uint32_t count = list->count;
    uint64_t hash = list->hash;
    bool in_head = until == UNTIL_STATEMENT, ends;
    enum token_kind kind;
    do {
        at = skip_spaces(lexer, at);
        kind = TOKEN_END;
        if (at == lexer->end) break;
        const char *end = read_token(lexer, at, in_head, &kind);
        ends = false;
        if (kind == TOKEN_END) {
            at = end;
            continue;
        }
        if (count == TOKEN_LIST_MAX) kind = TOKEN_ODD;
        if (kind == TOKEN_ODD) break;
        list->spans[count] =
            (struct span){(uint32_t)(at - lexer->text), (uint32_t)(end - lexer->text)};
        list->kinds[count++] = (uint8_t)kind;
        hash = token_hash(hash, kind);
        at = end;
        in_head &= kind == TOKEN_MODIFIER;
        ends = until == UNTIL_ONE || kind == last;
        if (until == UNTIL_STATEMENT) ends |= kind == TOKEN_COLON && count == 2;
    } while (!ends);
    lexer->at = at;
    list->count = count;
    list->hash = hash;
    return kind;
}

enum token_kind lexer_peek(struct lexer *lexer)
{
    enum token_kind kind;
    lexer->at = skip_blanks(lexer, lexer->at);
    if (lexer->at == lexer->end) return TOKEN_END;
    read_token(lexer, lexer->at, false, &kind);
    return kind;
}

enum token_kind lexer_take(struct lexer *lexer, struct token_list *list)
{
    return take(lexer, list, UNTIL_ONE, TOKEN_END);
}

bool lexer_take_through(struct lexer *lexer, struct token_list *list, enum token_kind last)
{
    return take(lexer, list, UNTIL_LAST, last) == last;
}

enum token_kind lexer_take_instruction(struct lexer *lexer, struct token_list *list)
{
    return take(lexer, list, UNTIL_STATEMENT, TOKEN_SEMICOLON);
}

enum token_kind lexer_take_version(struct lexer *lexer, struct token_list *list)
{
    enum token_kind kind;
    const char *at = skip_blanks(lexer, lexer->at);
    if (at == lexer->end) return TOKEN_END;
    lexer->at = read_version(at, &kind);
    if (kind == TOKEN_ODD) return kind;
    list->spans[list->count] =
        (struct span){(uint32_t)(at - lexer->text), (uint32_t)(lexer->at - lexer->text)};
    list->kinds[list->count++] = (uint8_t)kind;
    list->hash = token_hash(list->hash, kind);
    return kind;
}

bool lexer_skip_through(struct lexer *lexer, enum token_kind last, uint32_t most)
{
    enum token_kind kind;
    uint32_t depth = 0;
    do {
        const char *at = skip_blanks(lexer, lexer->at);
        if (at == lexer->end) return false;
        lexer->at = read_token(lexer, at, false, &kind);
        depth += kind == '(' || kind == '[' || kind == '{';
        depth -= depth && (kind == ')' || kind == ']' || kind == '}');
    } while (kind != last && kind != TOKEN_ODD && depth <= most);
    return kind == last;
}

void token_add_sample(struct buf *out, enum token_kind kind)
{
    static const char *const SAMPLES[TOKEN_FIRST_SIGN] = {
        [TOKEN_IDENTIFIER] = "a", [TOKEN_CALL] = "call",   [TOKEN_SINK] = "_",
        [TOKEN_INTEGER] = "1",    [TOKEN_FLOAT] = "1.5",   [TOKEN_VERSION_NUMBER] = "8",
        [TOKEN_STRING] = "\"\"",  [TOKEN_MODIFIER] = ".m", [TOKEN_VECTOR_TYPE] = ".v2",
    };
    if (kind > TOKEN_LAST_SIGN)
        buf_puts(out, keyword_word(kind));
    else if (kind >= TOKEN_FIRST_SIGN)
        buf_putc(out, (char)kind);
    else
        buf_puts(out, SAMPLES[kind]);
}

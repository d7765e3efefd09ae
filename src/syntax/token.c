/* Splits a text into tokens. See token.h. */
#include "syntax/token.h"

#include "base/work.h"
#include "syntax/keyword.h"
#include "syntax/marker.h"
#include "syntax/numeral.h"
#include "text/directive.h"

/* Inlining is worth its size in the loops over tokens. */
#define INLINE static inline __attribute__((always_inline))

enum class {
    CLASS_ODD,
    CLASS_BLANK,
    CLASS_LETTER,
    CLASS_PREFIX, /* the first character of a name: '_', '$' or '%' */
    CLASS_DIGIT,
    CLASS_DOT,
    CLASS_SIGN,
    CLASS_COLON,
    CLASS_OPERATOR, /* a sign that may be the first half of another operator */
    CLASS_AT,
    CLASS_SLASH,
    CLASS_QUOTE,
    CLASS_HASH,
};

/* Bits of CLASSES. WORD: may be in a word: a letter, digit, '_' or '$'. NAME: may begin a name. */
enum { WORD = 1 << 7, NAME = 1 << 6 };

/* clang-format off */
#define LETTER (CLASS_LETTER | WORD | NAME)
#define DIGIT (CLASS_DIGIT | WORD)
static const uint8_t CLASSES[256] = {
    ['\t'] = CLASS_BLANK, ['\n'] = CLASS_BLANK, ['\f'] = CLASS_BLANK, ['\r'] = CLASS_BLANK,
    [26] = CLASS_BLANK,   [' '] = CLASS_BLANK, /* 26: Ctrl-Z */
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
    [':'] = CLASS_COLON, ['?'] = CLASS_SIGN, ['^'] = CLASS_SIGN, ['~'] = CLASS_SIGN,
    ['+'] = CLASS_SIGN, ['-'] = CLASS_SIGN, ['*'] = CLASS_SIGN,
    ['<'] = CLASS_OPERATOR, ['>'] = CLASS_OPERATOR, ['='] = CLASS_OPERATOR,
    ['!'] = CLASS_OPERATOR, ['&'] = CLASS_OPERATOR, ['|'] = CLASS_OPERATOR,
};
/* clang-format on */

INLINE bool in_word(char c)
{
    return CLASSES[(unsigned char)c] & WORD;
}

INLINE enum class byte_class(char c) {
    return (enum class)(CLASSES[(unsigned char)c] & ~(WORD | NAME));
}

/* The last byte of the text must end every token, so the loops below need no check for the end of
 * the text. */
bool lexer_start(struct lexer *lexer, struct str text, size_t start)
{
    *lexer = (struct lexer){text.p, text.p + start, text.p + text.n, false, false};
    if (text.n == start) return true;
    char last = text.p[text.n - 1];
    return (byte_class(last) == CLASS_BLANK || last == '}' || last == ';') &&
           !memchr(lexer->at, '\0', text.n - start);
}

/* A separate function, because it is rarely needed. */
static __attribute__((noinline, cold)) void note_addressed(struct lexer *lexer, const char *at)
{
    lexer->addressed |= *at == '/' && directive_begins(at + 2, lexer->end);
}

/* Returns the end of the comment at `at`; NULL if there is no comment, or if it has no end. */
static const char *behind_comment(struct lexer *lexer, const char *at)
{
    size_t left = (size_t)(lexer->end - at);
    if (*at == '#') return marker_end(at, lexer->end);
    if (*at == '/' && at[1] == '/') {
        if (left > 3 && directive_may_begin(at + 2)) note_addressed(lexer, at);
        const char *newline = memchr(at, '\n', left);
        return newline ? newline : lexer->end;
    }
    if (*at != '/' || at[1] != '*') return NULL;
    note_addressed(lexer, at);
    const char *close = memmem(at + 2, left - 2, "*/", 2);
    return close ? close + 2 : NULL;
}

INLINE const char *skip_spaces(const struct lexer *lexer, const char *at)
{
    while (at < lexer->end && CLASSES[(unsigned char)*at] == CLASS_BLANK) at++;
    return at;
}

/* Returns the end of the comments that begin at `at`, and of the blanks after each; at if there is
 * none. */
static const char *skip_comments(struct lexer *lexer, const char *at)
{
    while (at < lexer->end && (*at == '/' || *at == '#')) {
        const char *behind = behind_comment(lexer, at);
        if (!behind) return at;
        at = skip_spaces(lexer, behind);
    }
    return at;
}

/* Returns the first byte of the next token from `at` on, or the end of the text. */
INLINE const char *lexer_skip_blanks(struct lexer *lexer, const char *at)
{
    at = skip_spaces(lexer, at);
    return at < lexer->end && (*at == '/' || *at == '#') ? skip_comments(lexer, at) : at;
}

/* ---- words ---- */

/* Returns the first byte from `at` on that is not in a word. */
INLINE const char *word_end(const char *at)
{
    for (;; at += 4) {
        if (!in_word(at[0])) return at;
        if (!in_word(at[1])) return at + 1;
        if (!in_word(at[2])) return at + 2;
        if (!in_word(at[3])) return at + 3;
    }
}

static enum token_kind kind_of_prefix(char c)
{
    return c == '_' ? TOKEN_SINK : TOKEN_ODD; /* % may also be an operator */
}

INLINE struct word read_name_word(const char *at)
{
    const char *end = word_end(at + 1);
    if (end == at + 1 && byte_class(*at) == CLASS_PREFIX)
        return (struct word){end, kind_of_prefix(*at)};
    bool is_call = end == at + 4 && memcmp(at, "call", 4) == 0;
    return (struct word){end, is_call ? TOKEN_CALL : TOKEN_IDENTIFIER};
}

/* If a number ends where a word may continue, its kind depends on the place. */
static struct word require_word_end(struct word number)
{
    if (in_word(*number.end) || *number.end == '.') number.kind = TOKEN_ODD;
    return number;
}

/* Most numbers are only digits, and need no call. */
INLINE struct word token_read_number(const char *at)
{
    const char *end = numeral_digits_end(at);
    bool only_digits = !in_word(*end) && *end != '.', octal = *at == '0' && end > at + 1;
    if (only_digits && !octal) return (struct word){end, TOKEN_INTEGER};
    return require_word_end(numeral_read(at));
}

/* Returns the end of `.word`, including a `::word` or `::word:2` after it. */
INLINE const char *dotted_end(const char *at)
{
    const char *end = word_end(at + 1);
    while (end[0] == ':' && end[1] == ':' && in_word(end[2])) {
        end = word_end(end + 2);
        if (end[0] == ':' && numeral_is_digit(end[1])) end = numeral_digits_end(end + 1);
    }
    return end;
}

/* The dotted word may also be the beginning of a number, or of the source of another language, or
 * it is incomplete. */
INLINE bool is_odd_dotted(const char *at, const char *end)
{
    if (!in_word(at[1]) || in_word(*end)) return true;
    if (at[1] == 's' && end - at >= 9 && memcmp(at, ".source_b", 9) == 0) return true;
    if (!numeral_is_digit(at[1])) return false;
    const char *digits = numeral_digits_end(at + 1);
    return digits == end || (*digits | 32) == 'e';
}

/* Reads a word in the head of an instruction, where each dotted word is a modifier. */
static struct word read_modifier(const char *at)
{
    const char *end = dotted_end(at);
    return (struct word){end, is_odd_dotted(at, end) ? TOKEN_ODD : TOKEN_MODIFIER};
}

static struct word read_dotted(const char *at)
{
    struct word word = read_modifier(at);
    if (word.kind != TOKEN_ODD) word.kind = keyword_kind((struct str){at, (size_t)(word.end - at)});
    return word;
}

static struct word read_string(const struct lexer *lexer, const char *at)
{
    const char *end = memchr(at + 1, '"', (size_t)(lexer->end - at - 1));
    if (!end) return (struct word){at, TOKEN_ODD};
    for (const char *p = at; p < end; p++)
        if ((unsigned char)*p >= 0x80) return (struct word){end + 1, TOKEN_ODD};
    return (struct word){end + 1, TOKEN_STRING};
}

/* ---- all tokens ---- */

static const char PAIRS[TOKEN_OR + 1][3] = {
    [TOKEN_SHIFT_LEFT] = "<<",    [TOKEN_SHIFT_RIGHT] = ">>", [TOKEN_LESS_EQUAL] = "<=",
    [TOKEN_GREATER_EQUAL] = ">=", [TOKEN_EQUAL] = "==",       [TOKEN_NOT_EQUAL] = "!=",
    [TOKEN_AND] = "&&",           [TOKEN_OR] = "||",
};

static bool begins_operator(const char *at)
{
    return byte_class(*at) == CLASS_OPERATOR && *at != '!';
}

/* Reads an operator of two bytes. More bytes are odd, because the grammar has no such operator. */
static struct word read_pair(const char *at)
{
    for (uint32_t kind = TOKEN_SHIFT_LEFT; kind <= TOKEN_OR; kind++)
        if (memcmp(at, PAIRS[kind], 2) == 0 && !begins_operator(at + 2))
            return (struct word){at + 2, (enum token_kind)kind};
    return (struct word){at + 1, TOKEN_ODD};
}

static struct word read_sign_word(const char *at)
{
    enum class class = byte_class(*at), next = byte_class(at[1]);
    if (class == CLASS_OPERATOR && begins_operator(at + 1)) return read_pair(at);
    bool odd = (class == CLASS_AT && next == CLASS_AT) ||
               (class == CLASS_SLASH && at[1] == '*'); /* a comment without end */
    return (struct word){at + 1, odd ? TOKEN_ODD : (enum token_kind) * at};
}

/* Reads a token at `at` that is not one of the usual kinds. For a comment the kind is TOKEN_END. */
static struct word read_other(struct lexer *lexer, const char *at)
{
    switch (byte_class(*at)) {
    case CLASS_COLON:
    case CLASS_OPERATOR:
    case CLASS_AT: return read_sign_word(at);
    case CLASS_HASH:
    case CLASS_SLASH: {
        const char *behind = skip_comments(lexer, at);
        if (behind == at) return read_sign_word(at);
        return (struct word){behind, TOKEN_END};
    }
    case CLASS_QUOTE: return read_string(lexer, at);
    default: return (struct word){at, TOKEN_ODD};
    }
}

/* Reads the token at `at`; class is the entry in CLASSES for its first byte. */
INLINE struct word read_word_of(struct lexer *lexer, const char *at, uint8_t class)
{
    if (class & NAME) return read_name_word(at);
    if (class == CLASS_SIGN) return (struct word){at + 1, (enum token_kind) * at};
    if (class == DIGIT) return token_read_number(at);
    return class == CLASS_DOT ? read_dotted(at) : read_other(lexer, at);
}

/* Reads the token at `at`, which must not be the end of the text. */
INLINE struct word read_word_at(struct lexer *lexer, const char *at)
{
    return read_word_of(lexer, at, CLASSES[(unsigned char)*at]);
}

INLINE struct span lexer_span(const struct lexer *lexer, const char *at, const char *end)
{
    return (struct span){(uint32_t)(at - lexer->text), (uint32_t)(end - lexer->text)};
}

/* False if the list is full. */
INLINE bool token_list_add(struct token_list *list, struct span span, enum token_kind kind)
{
    if (list->count == TOKEN_LIST_MAX) return false;
    list->spans[list->count] = span;
    list->kinds[list->count++] = (uint8_t)kind;
    list->hash = token_hash(list->hash, kind);
    return true;
}

/* The condition that ends take_tokens_until, in addition to the end of the text and odd tokens. */
enum until {
    UNTIL_COUNT,     /* the list has `last` tokens */
    UNTIL_LAST,      /* a token of kind `last` */
    UNTIL_STATEMENT, /* for a list that has its first token: as UNTIL_LAST, or the ':' of a label */
};

/* Values that change with each token are in local variables, because stores of bytes might alias
 * the members of list. */
INLINE enum token_kind take_tokens_until(struct lexer *lexer, struct token_list *list,
                                         enum until until, uint32_t last)
{
    const char *text = lexer->text, *at = lexer->at, *stop = lexer->end;
    uint32_t count = list->count;
    uint64_t hash = list->hash;
    struct word word;
    for (;; at = word.end) {
        uint8_t class = CLASS_BLANK;
        while (at != stop && (class = CLASSES[(unsigned char)*at]) == CLASS_BLANK) at++;
        word.kind = TOKEN_END;
        if (at == stop) break;
        word = read_word_of(lexer, at, class);
        if (word.kind <= TOKEN_ODD) {
            if (word.kind == TOKEN_END) continue; /* a comment */
            break;
        }
        if (count == TOKEN_LIST_MAX) {
            word.kind = TOKEN_ODD;
            break;
        }
        list->spans[count] = (struct span){(uint32_t)(at - text), (uint32_t)(word.end - text)};
        list->kinds[count++] = (uint8_t)word.kind;
        hash = token_hash(hash, word.kind);
        bool ends = until == UNTIL_COUNT ? count == last : word.kind == last;
        if (until == UNTIL_STATEMENT) ends |= word.kind == TOKEN_COLON && count == 2;
        if (!ends) continue;
        at = word.end;
        break;
    }
    lexer->at = at;
    list->count = count;
    list->hash = hash;
    return word.kind;
}

/* ---- heads of instructions ---- */

/* Adds the head at `at`. Returns 1 + its index; 0 if the bytes there are not exactly one head, or
 * if there is no room. */
static uint32_t meet_head(struct heads *heads, const char *at, const char *end)
{
    struct head head = {.count = 1};
    if (!head_read(&head, at, end)) return 0;
    struct word word = read_name_word(at);
    if (word.kind != TOKEN_IDENTIFIER && word.kind != TOKEN_CALL) return 0;
    head.kind = (uint8_t)word.kind;
    head.ends[0] = (uint8_t)(word.end - at);
    while (word.end < at + head.length) {
        if (*word.end != '.' || head.count == HEAD_TOKENS_MAX) return 0;
        word = read_modifier(word.end);
        if (word.kind == TOKEN_ODD) return 0;
        head.ends[head.count++] = (uint8_t)(word.end - at);
    }
    return heads_add(heads, &head);
}

/* Takes the tokens of the head, without their kinds. */
INLINE void take_head(struct lexer *lexer, struct token_list *list, const struct head *head)
{
    uint32_t text = (uint32_t)(lexer->at - lexer->text), start = text;
    struct span *spans = &list->spans[list->count];
    uint32_t count = head->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = text + head->ends[i];
        spans[i] = (struct span){start, end};
        start = end;
    }
    list->count += count;
    lexer->at += head->length;
}

/* Sets the kinds of the tokens of the head, which begin at token first, and adds them to the hash.
 */
INLINE void take_head_kinds(struct token_list *list, uint32_t first, const struct head *head)
{
    enum token_kind kind = (enum token_kind)head->kind;
    for (uint32_t i = first; i < first + head->count; i++, kind = TOKEN_MODIFIER) {
        list->kinds[i] = (uint8_t)kind;
        list->hash = token_hash(list->hash, kind);
    }
}

/* As read_word_of, in fewer steps for a name with a '%'. */
INLINE struct word read_usual(struct lexer *lexer, const char *at, uint8_t class)
{
    if (*at == '%' && in_word(at[1])) return (struct word){word_end(at + 2), TOKEN_IDENTIFIER};
    return read_word_of(lexer, at, class);
}

/* Takes tokens after the head, without their hash, as long as they are the usual ones, of which the
 * last is a ';'. The kinds are only set if another token comes; a comma, which is no part of a
 * statement, has no span. As in take_tokens_until, members are in local variables. */
INLINE void take_usual(struct lexer *lexer, struct token_list *list, const uint8_t *kinds)
{
    const char *text = lexer->text, *at = lexer->at, *stop = lexer->end;
    const uint8_t *first = kinds + list->count, *usual = first;
    struct span *span = &list->spans[list->count];
    while (at != stop) {
        uint8_t class = CLASSES[(unsigned char)*at];
        if (class == CLASS_BLANK) {
            at++;
            continue;
        }
        struct word word = read_usual(lexer, at, class);
        if (word.kind != (enum token_kind) * usual) break;
        *span++ = (struct span){(uint32_t)(at - text), (uint32_t)(word.end - text)};
        at = word.end;
        if (*usual++ == TOKEN_SEMICOLON) {
            list->is_usual = true;
            break;
        }
        if (*usual == TOKEN_SEMICOLON && at != stop && *at == ';') {
            *span = (struct span){(uint32_t)(at - text), (uint32_t)(at + 1 - text)};
            at++;
            usual++;
            list->is_usual = true;
            break;
        }
        if (*usual != TOKEN_COMMA || at == stop || *at != ',') continue;
        at += 1 + (at[1] == ' ');
        usual++;
        span++;
    }
    uint32_t count = (uint32_t)(usual - first);
    if (!list->is_usual && count) memcpy(&list->kinds[list->count], first, count);
    list->count += count;
    lexer->at = at;
}

/* Returns 1 + the index of the head at the next token; 0 if none begins there. */
INLINE uint32_t next_head(struct lexer *lexer, struct heads *heads, const struct token_list *list)
{
    const char *at = lexer->at = lexer_skip_blanks(lexer, lexer->at);
    bool room = list->count <= TOKEN_LIST_MAX - HEAD_TOKENS_MAX;
    if (at == lexer->end || !room || !(CLASSES[(unsigned char)*at] & NAME)) return 0;
    uint32_t head = heads_find(heads, at, lexer->end);
    return head ? head : meet_head(heads, at, lexer->end);
}

/* Takes the modifiers that the head does not have: after blanks, or more than a head may have. */
static bool take_modifiers(struct lexer *lexer, struct token_list *list)
{
    for (;;) {
        const char *at = lexer->at = lexer_skip_blanks(lexer, lexer->at);
        if (at == lexer->end || *at != '.') return true;
        struct word word = read_modifier(at);
        if (word.kind == TOKEN_ODD ||
            !token_list_add(list, lexer_span(lexer, at, word.end), word.kind))
            return false;
        lexer->at = word.end;
        list->head = 0;
    }
}

/* Takes an instruction that begins with the head. False if it is odd. */
INLINE bool take_behind_head(struct lexer *lexer, struct token_list *list, const struct head *head)
{
    uint32_t first = list->count;
    take_head(lexer, list, head);
    uint32_t behind = list->count;
    if (!first && head->usual) take_usual(lexer, list, head->usual);
    if (list->is_usual) return true;
    take_head_kinds(list, first, head);
    for (uint32_t i = behind; i < list->count; i++)
        list->hash = token_hash(list->hash, (enum token_kind)list->kinds[i]);
    if (list->count == behind && !take_modifiers(lexer, list)) return false;
    return take_tokens_until(lexer, list, UNTIL_STATEMENT, TOKEN_SEMICOLON) > TOKEN_ODD;
}

/* Returns the end of three decimal numbers, each behind a blank; NULL if others come. at: NULL, or
 * where the first blank is. */
static const char *three_numbers_end(const struct lexer *lexer, const char *at)
{
    for (int n = 0; at && n < 3; n++) {
        const char *number = skip_spaces(lexer, at);
        if (number == at || number == lexer->end || !numeral_is_digit(*number)) return NULL;
        at = numeral_digits_end(number);
        if (*number == '0' && at > number + 1) return NULL;
    }
    return !at || in_word(*at) || *at == '.' ? NULL : at;
}

/* Returns the end of the word if it comes next, after blanks or none; otherwise NULL. at may be
 * NULL. */
INLINE const char *behind_word(const struct lexer *lexer, const char *at, const char *word)
{
    size_t n = strlen(word);
    if (!at) return NULL;
    at = skip_spaces(lexer, at);
    return (size_t)(lexer->end - at) >= n && memcmp(at, word, n) == 0 ? at + n : NULL;
}

/* Returns the end of the name that comes next, after a blank; otherwise NULL. at may be NULL. */
static const char *behind_name(const struct lexer *lexer, const char *at)
{
    const char *name = at ? skip_spaces(lexer, at) : NULL;
    if (name == at || name == lexer->end || !(CLASSES[(unsigned char)*name] & NAME)) return NULL;
    struct word word = read_name_word(name);
    return word.kind == TOKEN_IDENTIFIER ? word.end : NULL;
}

/* Returns the end of `.loc 1 2 3` or `.loc 1 2 3, function_name f, inlined_at 1 2 3` at `at`; NULL
 * if another statement or form comes. */
static const char *plain_loc_end(const struct lexer *lexer, const char *at)
{
    if (at == lexer->end || *at != '.') return NULL;
    const char *end = three_numbers_end(lexer, behind_word(lexer, at, ".loc"));
    const char *more = behind_word(lexer, end, ",");
    if (!more) return end;
    more = behind_name(lexer, behind_word(lexer, more, "function_name"));
    more = behind_word(lexer, behind_word(lexer, more, ","), "inlined_at");
    return three_numbers_end(lexer, more);
}

/* Moves past statements `.loc` of the usual forms. False if the next statement has another one. */
static __attribute__((noinline)) bool skip_locs(struct lexer *lexer)
{
    bool any = false;
    for (const char *end; (end = plain_loc_end(lexer, lexer->at));) {
        const char *next = lexer_skip_blanks(lexer, end);
        if (next == lexer->end || *next == ',') break; /* a comma continues it */
        lexer->at = next;
        any = true;
        work_spend(1);
    }
    return any;
}

enum token_kind lexer_take_instruction(struct lexer *lexer, struct heads *heads,
                                       struct token_list *list)
{
    do list->head = next_head(lexer, heads, list);
    while (!list->head && !list->count && lexer->passes_locs && skip_locs(lexer));
    if (list->head) {
        const struct head *head = &heads->at.at[list->head - 1];
        return take_behind_head(lexer, list, head) ? (enum token_kind)head->kind : TOKEN_ODD;
    }
    enum token_kind first = lexer_take(lexer, list);
    if (first != TOKEN_IDENTIFIER && first != TOKEN_CALL) return first;
    if (!take_modifiers(lexer, list)) return TOKEN_ODD;
    enum token_kind last = take_tokens_until(lexer, list, UNTIL_STATEMENT, TOKEN_SEMICOLON);
    return last > TOKEN_ODD ? first : TOKEN_ODD;
}

bool lexer_take_guard(struct lexer *lexer, struct token_list *list)
{
    enum token_kind kind;
    do {
        const char *at = lexer->at = lexer_skip_blanks(lexer, lexer->at);
        if (at == lexer->end) return false;
        struct word word = read_word_at(lexer, at);
        kind = word.kind;
        if (kind <= TOKEN_ODD || !token_list_add(list, lexer_span(lexer, at, word.end), kind))
            return false;
        lexer->at = word.end;
    } while (kind == TOKEN_NOT && list->count == 2);
    return true;
}

/* ---- functions of token.h ---- */

enum token_kind lexer_peek(struct lexer *lexer)
{
    lexer->at = lexer_skip_blanks(lexer, lexer->at);
    return lexer->at == lexer->end ? TOKEN_END : read_word_at(lexer, lexer->at).kind;
}

enum token_kind lexer_take(struct lexer *lexer, struct token_list *list)
{
    return lexer_take_some(lexer, list, 1);
}

enum token_kind lexer_take_some(struct lexer *lexer, struct token_list *list, uint32_t count)
{
    return take_tokens_until(lexer, list, UNTIL_COUNT, list->count + count);
}

bool lexer_take_through(struct lexer *lexer, struct token_list *list, enum token_kind last)
{
    return take_tokens_until(lexer, list, UNTIL_LAST, last) == last;
}

enum token_kind lexer_take_version(struct lexer *lexer, struct token_list *list)
{
    const char *at = lexer->at = lexer_skip_blanks(lexer, lexer->at);
    if (at == lexer->end) return TOKEN_END;
    struct word word = require_word_end(numeral_read_version(at));
    if (word.kind == TOKEN_ODD || !token_list_add(list, lexer_span(lexer, at, word.end), word.kind))
        return TOKEN_ODD;
    lexer->at = word.end;
    return word.kind;
}

enum token_kind lexer_skip(struct lexer *lexer)
{
    const char *at = lexer->at = lexer_skip_blanks(lexer, lexer->at);
    if (at == lexer->end) return TOKEN_END;
    struct word word = read_word_at(lexer, at);
    lexer->at = word.end;
    return word.kind;
}

bool lexer_skip_through(struct lexer *lexer, enum token_kind last, uint32_t most)
{
    enum token_kind kind;
    uint32_t depth = 0;
    do {
        kind = lexer_skip(lexer);
        depth += kind == '(' || kind == '[' || kind == '{';
        depth -= depth && (kind == ')' || kind == ']' || kind == '}');
    } while (kind != last && kind > TOKEN_ODD && depth <= most);
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
        buf_puts(out, kind < TOKEN_SHIFT_LEFT ? SAMPLES[kind] : PAIRS[kind]);
}

/* Folds lists in braces, and lists of parameters. The grammar has one rule for all elements of such
 * a list except the first, so a result of the parser for two elements is valid for more. See
 * fold.h. */
#include "syntax/fold.h"

#include <string.h>

#include "base/work.h"
#include "syntax/token.h"

static bool is_element(uint8_t kind)
{
    return kind == TOKEN_IDENTIFIER || kind == TOKEN_INTEGER || kind == TOKEN_FLOAT;
}

/* The number of elements in the braces that open at `open`; 0 if they are not all equal, or if
 * something else is in the braces. */
static uint32_t count_elements(const uint8_t *kinds, uint32_t count, uint32_t open)
{
    uint32_t at = open + 1;
    if (kinds[open] != TOKEN_LEFT_BRACE || at == count || !is_element(kinds[at])) return 0;
    while (at + 2 < count && kinds[at + 1] == TOKEN_COMMA && kinds[at + 2] == kinds[open + 1])
        at += 2;
    bool closed = at + 1 < count && kinds[at + 1] == TOKEN_RIGHT_BRACE;
    return closed ? (at - open + 1) / 2 : 0;
}

static void fold_keep(struct fold *fold, uint8_t kind)
{
    vec_push(&fold->kinds, kind);
    fold->hash = token_hash(fold->hash, (enum token_kind)kind);
}

/* Tokens [first, end). */
struct token_range {
    uint32_t first, end;
};

/* Returns the parameter at `first`, up to a comma or the closing parenthesis. Empty if there is
 * none. */
static struct token_range parameter_at(const uint8_t *kinds, uint32_t count, uint32_t first)
{
    struct token_range parameter = {first, first};
    if (first == count || (kinds[first] != TOKEN_DOT_PARAM && kinds[first] != TOKEN_DOT_REG))
        return parameter;
    for (uint32_t at = first; at < count; at++) {
        uint8_t kind = kinds[at];
        if (kind == '(' || kind == TOKEN_LEFT_BRACE || kind == TOKEN_SEMICOLON) break;
        if (kind != TOKEN_COMMA && kind != ')') continue;
        parameter.end = at;
        break;
    }
    return parameter;
}

/* The list already has a parameter with the same kinds of tokens after its first one. */
static bool is_kept_parameter(const struct fold *fold, uint32_t behind_first, const uint8_t *kinds,
                              uint32_t count)
{
    const uint8_t *kept = fold->kinds.at;
    work_spend(fold->kinds.count - behind_first + 1);
    for (uint32_t at = behind_first; at < fold->kinds.count;) {
        struct token_range one = {at + 1, at + 1}; /* it begins after its comma */
        while (one.end < fold->kinds.count && kept[one.end] != TOKEN_COMMA) one.end++;
        if (one.end - one.first == count && !memcmp(&kept[one.first], kinds, count)) return true;
        at = one.end;
    }
    return false;
}

static void leave_out(struct fold *fold, uint32_t tokens)
{
    uint32_t before = fold->kinds.count - 1;
    struct fold_list *last = fold->lists.count ? &fold->lists.at[fold->lists.count - 1] : NULL;
    if (last && last->before == before)
        last->tokens += tokens;
    else
        vec_push(&fold->lists, (struct fold_list){.before = before, .tokens = tokens});
}

/* Folds the list of parameters after the last kept parenthesis. Returns the index of its end. */
static uint32_t fold_parameters(struct fold *fold, const uint8_t *kinds, uint32_t count,
                                uint32_t at)
{
    struct token_range one = parameter_at(kinds, count, at);
    uint32_t first = one.end - one.first, behind_first = fold->kinds.count + first;
    for (uint32_t t = one.first; t < one.end; t++) fold_keep(fold, kinds[t]);
    while (one.end > one.first && kinds[one.end] == TOKEN_COMMA) {
        uint32_t comma = one.end;
        one = parameter_at(kinds, count, comma + 1);
        if (one.first == one.end) return comma;
        if (is_kept_parameter(fold, behind_first, &kinds[one.first], one.end - one.first))
            leave_out(fold, one.end - comma);
        else
            for (uint32_t t = comma; t < one.end; t++) fold_keep(fold, kinds[t]);
    }
    return one.end;
}

void fold_make(struct fold *fold, const uint8_t *kinds, uint32_t count)
{
    enum { BRACE_AND_TWO = 4 };
    for (uint32_t at = 0; at < count;) {
        uint32_t elements = count_elements(kinds, count, at);
        if (kinds[at] == '(') {
            fold_keep(fold, kinds[at]);
            at = fold_parameters(fold, kinds, count, at + 1);
            continue;
        }
        if (elements <= 2) {
            fold_keep(fold, kinds[at++]);
            continue;
        }
        for (uint32_t kept = 0; kept < BRACE_AND_TWO; kept++) fold_keep(fold, kinds[at + kept]);
        struct fold_list list = {fold->kinds.count - 1, 2 * (elements - 2), elements - 2};
        vec_push(&fold->lists, list);
        at += BRACE_AND_TWO + list.tokens;
    }
}

void fold_free(struct fold *fold)
{
    vec_free(&fold->kinds);
    vec_free(&fold->lists);
}

/* Returns the index of a folded token in the whole statement. *list: the tokens that were left out
 * after it, or NULL. */
static uint32_t fold_place_of(const struct fold *fold, uint32_t token,
                              const struct fold_list **list)
{
    uint32_t place = token;
    *list = NULL;
    for (uint32_t i = 0; i < fold->lists.count && fold->lists.at[i].before <= token; i++) {
        if (fold->lists.at[i].before == token)
            *list = &fold->lists.at[i];
        else
            place += fold->lists.at[i].tokens;
    }
    return place;
}

bool fold_undo(const struct fold *fold, const struct part *parts, uint32_t count,
               struct fold_parts *whole)
{
    const struct fold_list *done = NULL, *first, *last;
    for (uint32_t i = 0; i < count; i++) {
        struct part part = parts[i];
        part.first = fold_place_of(fold, parts[i].first, &first);
        part.last = fold_place_of(fold, parts[i].last, &last);
        bool is_second = first && first->more && parts[i].first == parts[i].last;
        if ((first || last) && (!is_second || first == done)) return false;
        if (is_second) done = first;
        for (uint32_t more = 0; more <= (is_second ? first->more : 0); more++) {
            vec_push(whole, part);
            part.first += 2;
            part.last += 2;
        }
    }
    return true;
}

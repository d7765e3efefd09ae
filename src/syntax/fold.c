/* Folds lists in braces. The grammar has one rule for all elements of such a list but the first, so
 * that a parser result for two elements holds for more. See fold.h. */
#include "syntax/fold.h"

#include "syntax/token.h"

static bool is_element(uint8_t kind)
{
    return kind == TOKEN_IDENTIFIER || kind == TOKEN_INTEGER || kind == TOKEN_FLOAT;
}

/* How many equal elements are in the braces that open at `open`, with nothing else in them; else
 * 0. */
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

void fold_make(struct fold *fold, const uint8_t *kinds, uint32_t count)
{
    enum { BRACE_AND_TWO = 4 };
    for (uint32_t at = 0; at < count;) {
        uint32_t elements = count_elements(kinds, count, at);
        if (elements <= 2) {
            fold_keep(fold, kinds[at++]);
            continue;
        }
        for (uint32_t kept = 0; kept < BRACE_AND_TWO; kept++) fold_keep(fold, kinds[at + kept]);
        struct fold_list list = {.second = fold->kinds.count - 1, .more = elements - 2};
        vec_push(&fold->lists, list);
        at += BRACE_AND_TWO + 2 * list.more;
    }
}

void fold_free(struct fold *fold)
{
    vec_free(&fold->kinds);
    vec_free(&fold->lists);
}

/* The index of a folded token among all; *list: the list whose second element it is, or NULL. */
static uint32_t fold_place_of(const struct fold *fold, uint32_t token,
                              const struct fold_list **list)
{
    uint32_t place = token;
    *list = NULL;
    for (uint32_t i = 0; i < fold->lists.count && fold->lists.at[i].second <= token; i++) {
        if (fold->lists.at[i].second == token)
            *list = &fold->lists.at[i];
        else
            place += 2 * fold->lists.at[i].more;
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
        bool is_second = first && parts[i].first == parts[i].last;
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

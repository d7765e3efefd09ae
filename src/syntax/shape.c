/* Finds the kind and the parts of a statement from the kinds of its tokens. See shape.h. */
#include "syntax/shape.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/word.h"
#include "syntax/fold.h"
#include "syntax/known_shapes.h"
#include "syntax/parts.h"
#include "syntax/scan.h"

struct shapes {
    struct arena arena;
    const struct cst_names *names; /* NULL: the parser was not needed yet */
    bool known;
    struct VEC(const struct shape *) all;
    uint32_t *slots; /* a hash table with open addressing: 1 + an index in all; 0: empty */
    uint32_t slot_count;
};

struct shapes *shapes_new(bool known)
{
    struct shapes *shapes = mem_zalloc(1, sizeof *shapes);
    shapes->known = known;
    return shapes;
}

const struct shape *const *shapes_all(const struct shapes *shapes, uint32_t *count)
{
    *count = shapes->all.count;
    return shapes->all.at;
}

void shapes_free(struct shapes *shapes)
{
    arena_free(&shapes->arena);
    vec_free(&shapes->all);
    mem_free(shapes->slots);
    mem_free(shapes);
}

/* ---- use of the parser ---- */

/* A text with tokens of these kinds, and the span of each token in it. */
struct sample {
    struct buf text;
    struct span *tokens;
    uint32_t count;
};

static const char *const BEFORE[] = {[CST_IN_MODULE] = "", [CST_IN_BODY] = ".func f{"};
static const char *const BEHIND[] = {[CST_IN_MODULE] = "", [CST_IN_BODY] = "}"};

static void write_sample(struct sample *sample, const struct shape *shape)
{
    buf_puts(&sample->text, BEFORE[shape->place]);
    sample->tokens = mem_zalloc(shape->count, sizeof *sample->tokens);
    sample->count = shape->count;
    for (uint32_t i = 0; i < shape->count; i++) {
        buf_putc(&sample->text, ' ');
        sample->tokens[i].start = (uint32_t)sample->text.len;
        token_add_sample(&sample->text, (enum token_kind)shape->kinds[i]);
        sample->tokens[i].end = (uint32_t)sample->text.len;
    }
    bool opens =
        shape->place == CST_IN_MODULE && shape->kinds[shape->count - 1] == TOKEN_LEFT_BRACE;
    buf_puts(&sample->text, opens ? "}" : BEHIND[shape->place]);
}

/* The token that starts (end: ends) at that byte; count if there is none. */
static uint32_t sample_token_at(const struct sample *sample, uint32_t byte, bool end)
{
    uint32_t low = 0, high = sample->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t at = end ? sample->tokens[middle].end : sample->tokens[middle].start;
        if (at == byte) return middle;
        if (at < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return sample->count;
}

/* Each leaf at and below the cursor is one token, and each token is a leaf. If the statement has a
 * body, its last token is the '{'. */
static bool leaves_are_tokens(const struct sample *sample, struct cst_cursor *cursor)
{
    uint32_t depth = 0, next = 0;
    for (;;) {
        if (cst_down(cursor)) {
            depth++;
            continue;
        }
        struct span leaf = cst_span(cursor);
        if (next < sample->count) {
            if (leaf.start != sample->tokens[next].start || leaf.end != sample->tokens[next].end)
                return false;
            next++;
        }
        while (depth && !cst_next(cursor)) {
            cst_up(cursor);
            depth--;
        }
        if (!depth) return next == sample->count;
    }
}

/* Stores the parts, with indices of tokens in place of spans. */
static void keep_parts(struct shapes *shapes, struct shape *shape, const struct sample *sample,
                       const struct part_list *list)
{
    struct part *parts = arena_alloc(&shapes->arena, list->parts.count, sizeof *parts);
    for (uint32_t i = 0; i < list->parts.count; i++) {
        const struct part *part = &list->parts.at[i];
        parts[i] = *part;
        parts[i].first = sample_token_at(sample, list->spans.at[part->first].start, false);
        parts[i].last = sample_token_at(sample, list->spans.at[part->last].end, true);
    }
    shape->parts = parts;
    shape->part_count = list->parts.count;
}

static void ask_parser(struct shapes *shapes, struct shape *shape)
{
    struct sample sample = {0};
    struct part_list list = {0};
    write_sample(&sample, shape);
    if (!shapes->names) shapes->names = cst_names(&shapes->arena);
    struct cst *cst =
        cst_parse_sample((struct str){sample.text.data, sample.text.len}, shapes->names);
    struct cst_cursor *cursor = cst ? cst_only_statement(cst, shape->place) : NULL;
    shape->holds = cursor && leaves_are_tokens(&sample, cursor);
    if (shape->holds) {
        shape->kind = (uint8_t)parts_read(&list, cursor);
        keep_parts(shapes, shape, &sample, &list);
    }
    if (cursor) cst_cursor_free(cursor);
    cst_free(cst);
    parts_free(&list);
    mem_free(sample.tokens);
    buf_free(&sample.text);
}

/* ---- the table ---- */

/* The kinds of a statement's tokens, and their hash. */
struct kinds {
    const uint8_t *at;
    uint32_t count;
    uint64_t hash;
};

static bool is_of(const struct kinds *tokens, const uint8_t *kinds, uint32_t count)
{
    return tokens->count == count &&
           word_same((const char *)tokens->at, (const char *)kinds, count);
}

static const struct known_shape *find_known(enum cst_place place, const struct kinds *tokens)
{
    uint32_t at = known_slot(tokens->hash, known_slot_count);
    for (; known_slots[at]; at = (at + 1) & (known_slot_count - 1)) {
        const struct known_shape *known = &known_shapes[known_slots[at] - 1];
        if (known->hash == tokens->hash && known->place == place &&
            is_of(tokens, &known_kinds[known->first_kind], known->kind_count))
            return known;
    }
    return NULL;
}

static void shapes_grow(struct shapes *shapes)
{
    mem_free(shapes->slots);
    shapes->slot_count = shapes->slot_count ? shapes->slot_count * 2 : 256;
    shapes->slots = mem_zalloc(shapes->slot_count, sizeof *shapes->slots);
    for (uint32_t i = 0; i < shapes->all.count; i++) {
        uint32_t at = known_slot(shapes->all.at[i]->hash, shapes->slot_count);
        while (shapes->slots[at]) at = (at + 1) & (shapes->slot_count - 1);
        shapes->slots[at] = i + 1;
    }
}

/* With the blocks around the statement, the nesting of the text may be too deep. The scan of the
 * whole text decides that. */
static bool may_be_too_deep(const struct kinds *tokens)
{
    enum { DEPTH_MAX = SCAN_DEPTH_MAX / 2 };
    uint32_t depth = 0, most = 0;
    for (uint32_t t = 0; tokens->count > DEPTH_MAX && t < tokens->count; t++) {
        uint8_t kind = tokens->at[t];
        if (kind == '(' || kind == '[' || kind == '{') depth++;
        if (kind == ')' || kind == ']' || kind == '}') depth -= depth > 0;
        if (depth > most) most = depth;
    }
    return most > DEPTH_MAX;
}

static const struct shape *find_shape(struct shapes *shapes, enum cst_place place,
                                      const struct kinds *tokens);

/* Takes the result from the folded shape, which has two elements for each list. False if there is
 * no list, or if the folded shape does not decide. */
static bool learn_folded(struct shapes *shapes, struct shape *shape)
{
    struct fold fold = {0};
    struct fold_parts parts = {0};
    bool told = false;
    fold_make(&fold, shape->kinds, shape->count);
    if (fold.lists.count) {
        struct kinds folded = {fold.kinds.at, fold.kinds.count, fold.hash};
        const struct shape *base = find_shape(shapes, (enum cst_place)shape->place, &folded);
        told = base->holds && fold_undo(&fold, base->parts, base->part_count, &parts);
        if (told) {
            struct part *kept = arena_alloc(&shapes->arena, parts.count, sizeof *kept);
            if (parts.count) memcpy(kept, parts.at, parts.count * sizeof *kept);
            shape->kind = base->kind;
            shape->holds = true;
            shape->parts = kept;
            shape->part_count = parts.count;
        }
    }
    vec_free(&parts);
    fold_free(&fold);
    return told;
}

static const struct shape *shapes_add(struct shapes *shapes, enum cst_place place,
                                      const struct kinds *tokens)
{
    struct shape *shape = arena_alloc(&shapes->arena, 1, sizeof *shape);
    const struct known_shape *known = shapes->known ? find_known(place, tokens) : NULL;
    *shape = (struct shape){.hash = tokens->hash, .count = tokens->count, .place = (uint8_t)place};
    vec_push(&shapes->all, shape);
    if (known) {
        shape->kinds = &known_kinds[known->first_kind];
        shape->kind = known->kind;
        shape->holds = true;
        shape->parts = &known_parts[known->first_part];
        shape->part_count = known->part_count;
        return shape;
    }
    uint8_t *kinds = arena_alloc(&shapes->arena, tokens->count, 1);
    memcpy(kinds, tokens->at, tokens->count);
    shape->kinds = kinds;
    if (may_be_too_deep(tokens)) return shape;
    if (!shapes->known || !learn_folded(shapes, shape)) ask_parser(shapes, shape);
    return shape;
}

static const struct shape *find_shape(struct shapes *shapes, enum cst_place place,
                                      const struct kinds *tokens)
{
    if (shapes->all.count >= shapes->slot_count / 2) shapes_grow(shapes);
    uint32_t at = known_slot(tokens->hash, shapes->slot_count);
    for (; shapes->slots[at]; at = (at + 1) & (shapes->slot_count - 1)) {
        const struct shape *shape = shapes->all.at[shapes->slots[at] - 1];
        if (shape->hash == tokens->hash && shape->place == place &&
            is_of(tokens, shape->kinds, shape->count))
            return shape;
    }
    shapes->slots[at] = shapes->all.count + 1;
    return shapes_add(shapes, place, tokens);
}

const struct shape *shapes_find(struct shapes *shapes, enum cst_place place,
                                const struct token_list *tokens)
{
    struct kinds kinds = {tokens->kinds, tokens->count, tokens->hash};
    return find_shape(shapes, place, &kinds);
}

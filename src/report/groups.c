/* Finds the items that are copies of each other. See groups.h. */
#include "report/groups.h"

#include <inttypes.h>

#include "base/intern.h"

/* ---- which items belong together ---- */

static bool is_candidate(const struct review_item *item)
{
    return item->finding.kind == PTXOPT_DELETED || item->finding.kind == PTXOPT_KEPT;
}

static bool may_group(const struct review_item *item)
{
    bool told = is_candidate(item) || item->finding.kind == PTXOPT_HAZARD ||
                item->finding.kind == PTXOPT_ADVICE;
    return told && item->stack.count;
}

/* The bytes that are equal for all copies of an instruction. */
static struct str group_key(const struct review_item *item, struct arena *arena)
{
    struct buf key = {0};
    const char *code = is_candidate(item) ? "" : item->finding.code;
    enum ptxopt_level level = item->finding.level; /* the same for all candidates */
    buf_add(&key, item->finding.function, strlen(item->finding.function) + 1);
    buf_add(&key, item->finding.text, strcspn(item->finding.text, " ;"));
    buf_putc(&key, '\0');
    buf_add(&key, code, strlen(code) + 1);
    buf_add(&key, &level, sizeof level);
    for (uint32_t i = 0; i < item->stack.count; i++) {
        const struct review_place *place = &item->stack.at[i];
        buf_add(&key, &place->source, sizeof place->source);
        buf_add(&key, &place->line, sizeof place->line);
        buf_add(&key, &place->column, sizeof place->column);
    }
    struct str kept = {arena_copy(arena, key.data, key.len), key.len};
    buf_free(&key);
    return kept;
}

/* ---- the groups ---- */

/* What is known about one key. */
struct copies {
    uint32_t count;
    bool suppressed; /* a baseline or comment suppresses one more copy, which formats for people do
                        not show */
    struct review_group *group;
};

struct building {
    struct arena arena;
    struct intern keys;
    struct VEC(struct copies) copies; /* by number of the key */
    uint32_t *number; /* by item: number of its key; INTERN_NONE: it has no copies */
};

static void groups_count_items(struct building *b, const struct review_item_list *items)
{
    b->number = arena_alloc(&b->arena, items->count + 1, sizeof *b->number);
    for (uint32_t i = 0; i < items->count; i++) {
        b->number[i] = INTERN_NONE;
        if (!may_group(&items->at[i])) continue;
        uint32_t number = intern_add(&b->keys, 0, group_key(&items->at[i], &b->arena));
        if (number == b->copies.count) vec_push(&b->copies, (struct copies){.count = 0});
        b->copies.at[number].count++;
        b->number[i] = number;
    }
}

static void mark_suppressed(struct building *b, const struct review_item_list *items)
{
    for (uint32_t i = 0; i < items->count; i++) {
        if (!may_group(&items->at[i])) continue;
        uint32_t number = intern_find(&b->keys, 0, group_key(&items->at[i], &b->arena));
        if (number != INTERN_NONE) b->copies.at[number].suppressed = true;
    }
}

static void add_to_group(struct arena *arena, struct copies *copies, struct review_item *item)
{
    bool goes = item->finding.kind == PTXOPT_DELETED;
    if (!copies->group) {
        copies->group = arena_alloc(arena, 1, sizeof *copies->group);
        copies->group->items = arena_alloc(arena, copies->count, sizeof *copies->group->items);
    }
    struct review_group *group = copies->group;
    if (!group->count || (goes && !group->redundant)) group->leader = item;
    group->items[group->count++] = item;
    group->redundant += goes;
    item->group = group;
}

/* The last copy, if only it is kept, the proofs of all others depend on it, and the instruction
 * that needs it follows it; otherwise NULL. */
static const struct review_item *last_needed(const struct review_group *group)
{
    const struct review_item *last = group->items[group->count - 1];
    if (group->redundant + 1 != group->count || last->finding.kind != PTXOPT_KEPT) return NULL;
    if (last->finding.witness_line <= last->finding.line) return NULL;
    for (uint32_t i = 0; i + 1 < group->count; i++) {
        const struct ptxopt_finding *copy = &group->items[i]->finding;
        if (strcmp(copy->code, "wait-covered") != 0 || copy->witness_line != last->finding.line)
            return NULL;
    }
    return last;
}

void groups_build(struct review_file *file)
{
    struct building b = {.number = NULL};
    groups_count_items(&b, &file->items);
    mark_suppressed(&b, &file->suppressed);
    for (uint32_t i = 0; i < file->items.count; i++) {
        struct copies *copies = b.number[i] == INTERN_NONE ? NULL : &b.copies.at[b.number[i]];
        if (!copies || copies->count < 2) continue;
        add_to_group(&file->arena, copies, &file->items.at[i]);
    }
    for (uint32_t i = 0; i < b.copies.count; i++) {
        struct copies *copies = &b.copies.at[i];
        if (copies->group && !copies->suppressed) copies->group->last = last_needed(copies->group);
    }
    vec_free(&b.copies);
    intern_free(&b.keys);
    arena_free(&b.arena);
}

bool groups_lead(const struct review_item *item)
{
    return !item->group || item->group->leader == item;
}

/* ---- words ---- */

void groups_advice(struct buf *out, const struct review_group *group)
{
    const struct review_item *last = group->last;
    if (last)
        buf_printf(out,
                   "only the last copy (PTX line %" PRIu32 ") is needed: if a loop was unrolled "
                   "here, move the wait after the loop, in front of PTX line %" PRIu32
                   ", which needs it",
                   last->finding.line, last->finding.witness_line);
}

void groups_site(struct buf *out, const struct review_item *copy, const char *verb)
{
    const struct ptxopt_finding *finding = &copy->finding;
    buf_printf(out, "PTX line %" PRIu32 ": %s (%s", finding->line,
               finding->kind == PTXOPT_DELETED ? verb : review_label(copy), finding->code);
    if (*finding->reason) buf_printf(out, ": %s", finding->reason);
    if (finding->witness_line) buf_printf(out, ", PTX line %" PRIu32, finding->witness_line);
    buf_putc(out, ')');
    if (*finding->id) buf_printf(out, ", id %s", finding->id);
}

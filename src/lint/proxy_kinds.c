/* Compares groups of accesses with those before them. See proxy_kinds.h. */
#include "lint/proxy_kinds.h"

#include "base/intern.h"
#include "base/sorted.h"
#include "lint/handover.h"
#include "value/instruction.h"

/* Of more kinds, what is known is forgotten. */
enum { KINDS_MAX = 8 };

/* For so many targets and writers it takes less time to ask about each than to mark all blocks. */
enum { UNMARKED_MAX = 8 };

struct answer_key { /* a key of intern: no padding */
    uint32_t kind, mbarrier, of;
};

struct proxy_kinds {
    struct lint *lint;
    const struct smem_places *places;
    const struct smem_meetings *meetings;
    struct proxy_kind at[KINDS_MAX];
    uint32_t count, numbers, oldest;
    struct item_list room;                  /* for smem_meetings_of */
    uint32_t listed[MEETING_LISTS_MAX + 1]; /* by number of a list: the last kind it was for */
    struct VEC(uint32_t) open;
    struct intern asked;
    struct VEC(struct proxy_answer) answers; /* by number in asked */
};

/* It is a proxy fence, of any state space. */
static bool orders_async_proxy(const struct lint *lint, uint32_t instr)
{
    if (lint_effect(lint, instr) != EFFECT_BOTH_MEMORY) return false;
    struct str opcode = instruction_opcode(lint->subject, instr);
    return str_starts(opcode, "fence.proxy.async") || str_starts(opcode, "membar.proxy");
}

bool is_any_proxy_fence(const struct lint *lint, uint32_t instr)
{
    return orders_async_proxy(lint, instr) && !instruction_has(lint->subject, instr, ".global");
}

bool proxy_fence_is_global(const struct lint *lint, uint32_t instr)
{
    return orders_async_proxy(lint, instr) &&
           !instruction_has(lint->subject, instr, ".shared::cta") &&
           !instruction_has(lint->subject, instr, ".shared::cluster");
}

bool proxy_fence_copies_global(const struct lint *lint, uint32_t instr)
{
    if (lint_effect(lint, instr) != EFFECT_RELEASE_MEMORY) return false;
    struct str opcode = instruction_opcode(lint->subject, instr);
    return str_starts(opcode, "cp.async.bulk.shared::cta.global") ||
           str_starts(opcode, "cp.async.bulk.shared::cluster.global");
}

struct proxy_kinds *proxy_kinds_new(struct lint *lint, const struct smem_places *places,
                                    const struct smem_meetings *meetings)
{
    struct proxy_kinds *kinds = arena_alloc(lint->arena, 1, sizeof *kinds);
    kinds->lint = lint;
    kinds->places = places;
    kinds->meetings = meetings;
    return kinds;
}

void proxy_kinds_free(struct proxy_kinds *kinds)
{
    for (uint32_t i = 0; i < kinds->count; i++) {
        vec_free(&kinds->at[i].group);
        vec_free(&kinds->at[i].targets);
        vec_free(&kinds->at[i].writers);
    }
    vec_free(&kinds->room);
    vec_free(&kinds->open);
    vec_free(&kinds->answers);
    intern_free(&kinds->asked);
}

/* ---- one kind ---- */

static bool is_by_cp_async(const struct lint *lint, const struct smem_place *access)
{
    return str_starts(instruction_opcode(lint->subject, access->instr), "cp.async");
}

static bool have_groups_one_kind(const struct lint *lint, const struct proxy_group *a,
                                 const struct proxy_group *b)
{
    if (a->count != b->count) return false;
    lint_spend(lint, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        if (!smem_places_alike(a->at[i], b->at[i]) ||
            is_by_cp_async(lint, a->at[i]) != is_by_cp_async(lint, b->at[i]))
            return false;
    return true;
}

/* Finds what touches the places of the group. */
static void find_touched(struct proxy_kinds *kinds, struct proxy_kind *kind)
{
    bool writes = kind->group.at[0]->writes;
    for (uint32_t i = 0; i < kind->group.count; i++) {
        const struct meeting_list near =
            smem_meetings_of(kinds->lint, kinds->meetings, kind->group.at[i], &kinds->room);
        if (near.number && kinds->listed[near.number] == kind->number) continue;
        kinds->listed[near.number] = kind->number;
        for (uint32_t k = 0; k < near.count; k++) {
            const struct smem_place *access = &kinds->places->at[near.at[k]];
            struct touched *touched = &kind->touched[near.at[k]];
            if (touched->kind == kind->number) continue;
            *touched = (struct touched){kind->number, i};
            if (access->async && access->writes != writes)
                vec_push(&kind->targets, access->instr);
            else if (access->writes)
                vec_push(&kind->writers, access->instr);
        }
    }
    items_sort(&kind->targets, 0);
}

/* Sets the bit for the blocks from which control may come to one of the instructions. */
static void mark_ahead(struct proxy_kinds *kinds, const struct proxy_kind *kind,
                       const struct item_list *instrs, uint8_t bit)
{
    const struct cfg *cfg = kinds->lint->cfg;
    for (uint32_t i = 0; i < instrs->count; i++) {
        uint32_t block = cfg->block_of[instrs->at[i]];
        if (!(kind->ahead[block] & bit)) vec_push(&kinds->open, block);
        kind->ahead[block] |= bit;
    }
    while (kinds->open.count) {
        const struct block *block = &cfg->blocks[kinds->open.at[--kinds->open.count]];
        lint_spend(kinds->lint, 1);
        for (uint32_t i = 0; i < block->pred_count; i++) {
            uint32_t from = cfg->preds[block->first_pred + i];
            if (!(kind->ahead[from] & bit)) vec_push(&kinds->open, from);
            kind->ahead[from] |= bit;
        }
    }
}

static struct proxy_kind *take_kind(struct proxy_kinds *kinds)
{
    const struct lint *lint = kinds->lint;
    if (kinds->count == KINDS_MAX) return &kinds->at[kinds->oldest++ % KINDS_MAX];
    struct proxy_kind *kind = &kinds->at[kinds->count++];
    kind->touched = arena_alloc(lint->arena, kinds->places->count, sizeof *kind->touched);
    kind->filled = arena_alloc(lint->arena, lint->subject->barriers->count, sizeof *kind->filled);
    kind->ahead = arena_room(lint->arena, lint->cfg->count, sizeof *kind->ahead);
    return kind;
}

struct proxy_kind *proxy_kinds_find(struct proxy_kinds *kinds, const struct proxy_group *group)
{
    for (uint32_t i = 0; i < kinds->count; i++)
        if (have_groups_one_kind(kinds->lint, &kinds->at[i].group, group)) return &kinds->at[i];
    struct proxy_kind *kind = take_kind(kinds);
    kind->number = ++kinds->numbers;
    kind->group.count = kind->targets.count = kind->writers.count = 0;
    vec_reserve(&kind->group, group->count);
    memcpy(kind->group.at, group->at, group->count * sizeof *group->at);
    kind->group.count = group->count;
    find_touched(kinds, kind);
    kind->marked = kind->targets.count + kind->writers.count > UNMARKED_MAX;
    if (!kind->marked) return kind;
    memset(kind->ahead, 0, kinds->lint->cfg->count * sizeof *kind->ahead);
    mark_ahead(kinds, kind, &kind->targets, AHEAD_TARGET);
    mark_ahead(kinds, kind, &kind->writers, AHEAD_WRITER);
    return kind;
}

static bool leads_to_any(const struct lint *lint, uint32_t block, const struct item_list *instrs)
{
    lint_spend(lint, 1);
    for (uint32_t i = 0; i < instrs->count; i++) {
        uint32_t to = lint->cfg->block_of[instrs->at[i]];
        if (to == block || behind_has(handover_behind(lint), block, to)) return true;
    }
    return false;
}

uint8_t proxy_kind_ahead(const struct lint *lint, const struct proxy_kind *kind, uint32_t block)
{
    if (kind->marked) return kind->ahead[block];
    bool target = leads_to_any(lint, block, &kind->targets),
         writer = leads_to_any(lint, block, &kind->writers);
    return (uint8_t)((target ? AHEAD_TARGET : 0) | (writer ? AHEAD_WRITER : 0));
}

bool proxy_kind_leads(const struct lint *lint, const struct proxy_kind *kind, uint32_t instr)
{
    uint32_t count = kind->targets.count;
    if (kind->marked && !(kind->ahead[lint->cfg->block_of[instr]] & AHEAD_TARGET)) return false;
    /* The next ones first, since control mostly reaches these. */
    uint32_t next = sorted_find(kind->targets.at, 0, count, instr);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = next + i < count ? next + i : next + i - count;
        if (handover_reaches(lint, instr, kind->targets.at[at])) return true;
    }
    return false;
}

/* ---- answers ---- */

struct proxy_answer *proxy_answers_find(const struct proxy_kinds *kinds,
                                        const struct proxy_kind *kind, uint32_t mbarrier,
                                        uint32_t of)
{
    struct answer_key key = {kind->number, mbarrier, of};
    uint32_t number = intern_find(&kinds->asked, 0, (struct str){(const char *)&key, sizeof key});
    return number == INTERN_NONE ? NULL : &kinds->answers.at[number];
}

void proxy_answers_add(struct proxy_kinds *kinds, const struct proxy_answer *answer)
{
    struct answer_key key = {answer->kind, answer->mbarrier, answer->of};
    const char *kept = arena_copy(kinds->lint->arena, (const char *)&key, sizeof key);
    uint32_t number = intern_add(&kinds->asked, 0, (struct str){kept, sizeof key});
    if (number == kinds->answers.count) vec_push(&kinds->answers, *answer);
    kinds->answers.at[number] = *answer;
}

/* Finds the branches with the same condition. A predicate is used at a branch if every path has
 * written it before. A comparison is used if every path has written its registers before and none
 * of them since the comparison: a register that was never written need not have the same value
 * twice. See guards.h. */
#include "check/model/guards.h"

#include "base/work.h"
#include "check/model/compare.h"

enum { BITS_MAX = 256, WORDS = BITS_MAX / 64 };

/* The writes of a register in the text. */
struct written {
    uint32_t times, at; /* at: offset of the last one */
    uint32_t bit;       /* number in struct set plus 1; 0: not used */
    bool guarded;       /* a write is guarded */
};

/* The predicate of a branch, with the comparison that sets it, if one does. */
struct predicate {
    uint32_t reg, key; /* key: index of its possible condition in keys */
    uint32_t condition;
    bool is_compare;
    struct compare compare; /* without registers if it is not a comparison */
};

struct key {
    uint32_t branches, condition;
};

/* A set of registers that were written. */
struct set {
    uint64_t words[WORDS];
};

struct find {
    struct guards *of;
    const struct program *program;
    struct written *written; /* by register */
    uint32_t *predicate_of;  /* by register: index plus 1 */
    struct VEC(struct predicate) predicates;
    struct intern keys_by_name; /* comparisons by text, other conditions by register */
    struct VEC(struct key) keys;
    uint32_t bits;
    struct set *sets; /* by block: what was written before it, then also in it */
    /* By condition: the predicates that are results of the comparison. They count as not written
     * again when an operand of the comparison is written. */
    struct set outdated[GUARDS_MAX];
};

const struct program_instruction *guards_last(const struct program *program, uint32_t block)
{
    const struct flow_block *at = &program->blocks.at[block];
    if (at->start == at->end) return NULL;
    const struct program_instruction *last = &program->instructions.at[at->end - 1];
    bool goes = last->effect == CHECK_EFFECT_BRANCH || last->effect == CHECK_EFFECT_INDEXED ||
                last->effect == CHECK_EFFECT_EXIT || last->effect == CHECK_EFFECT_RET;
    bool is_known = last->guarded && last->guard != PROGRAM_NONE; /* not known in a callee */
    return goes && is_known ? last : NULL;
}

/* An unknown instruction may not write the registers that it names, so it counts as guarded. */
void guards_writes(const struct program *program, const struct flow_block *block,
                   guards_write *visit, void *of)
{
    for (uint32_t i = block->start; i < block->end; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        bool may = at->guarded || at->flags & CHECK_EFFECT_ALL_RESULTS;
        for (uint32_t w = at->writes; w < at->reads; w++)
            visit(of, program->registers.at[w], at->span.start, may);
        uint32_t end = program_touches(program, i + 1);
        work_spend(end - program_touches(program, i) + 1);
        for (uint32_t t = program_touches(program, i); t < end; t++) {
            const struct program_touch *touch = &program->touches.at[t];
            if (!touch->reads) visit(of, touch->reg, touch->at, touch->guarded);
        }
    }
}

/* ---- predicates ---- */

static void note_write(void *of, uint32_t reg, uint32_t at, bool guarded)
{
    struct written *written = &((struct find *)of)->written[reg];
    written->times++;
    written->at = at;
    written->guarded |= guarded;
}

static bool written_once(const struct find *find, uint32_t reg)
{
    return find->written[reg].times == 1 && !find->written[reg].guarded;
}

/* Whether the predicate is the result of a comparison whose registers are each written by one
 * statement only. */
static bool is_compare(const struct find *find, struct predicate *predicate)
{
    const struct written *written = &find->written[predicate->reg];
    if (!written_once(find, predicate->reg)) return false;
    if (!compare_read(find->program, written->at, &predicate->compare)) return false;
    for (uint32_t i = 0; i < predicate->compare.count; i++)
        if (!written_once(find, predicate->compare.registers[i])) return false;
    return true;
}

static void add_predicate(struct find *find, uint32_t reg)
{
    struct predicate made = {.reg = reg, .condition = GUARDS_NONE};
    made.is_compare = is_compare(find, &made);
    if (!made.is_compare) made.compare.count = 0;
    struct str name = {(const char *)&reg, sizeof reg};
    if (made.is_compare) name = (struct str){made.compare.text, made.compare.length};
    name.p = arena_copy(find->program->scope.arena, name.p, name.n);
    made.key = intern_add(&find->keys_by_name, made.is_compare, name);
    if (made.key == find->keys.count) vec_push(&find->keys, (struct key){0, GUARDS_NONE});
    vec_push(&find->predicates, made);
    find->predicate_of[reg] = find->predicates.count;
}

static void find_predicates(struct find *find)
{
    const struct program *program = find->program;
    for (uint32_t b = 0; b < program->blocks.count; b++)
        guards_writes(program, &program->blocks.at[b], note_write, find);
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct program_instruction *last = guards_last(program, b);
        if (!last) continue;
        if (!find->predicate_of[last->guard]) add_predicate(find, last->guard);
        find->keys.at[find->predicates.at[find->predicate_of[last->guard] - 1].key].branches++;
    }
}

/* ---- conditions ---- */

/* Gives a register a number in struct set. Returns false if there are too many. */
static bool number_bit(struct find *find, uint32_t reg)
{
    if (!find->written[reg].bit && find->bits < BITS_MAX) find->written[reg].bit = ++find->bits;
    return find->written[reg].bit;
}

static void guards_set_bit(struct set *set, uint32_t bit, bool value)
{
    uint64_t *word = &set->words[bit / 64];
    *word = (*word & ~(1ull << bit % 64)) | (uint64_t)value << bit % 64;
}

/* Whether the register has been written. */
static bool guards_is_written(const struct find *find, const struct set *set, uint32_t reg)
{
    uint32_t bit = find->written[reg].bit - 1;
    return set->words[bit / 64] >> bit % 64 & 1;
}

/* Assigns a predicate to its condition, if its registers fit into struct set. */
static void join_condition(struct find *find, struct predicate *predicate, uint32_t condition)
{
    const struct compare *compare = &predicate->compare;
    bool fits = number_bit(find, predicate->reg);
    for (uint32_t i = 0; i < compare->count; i++) fits &= number_bit(find, compare->registers[i]);
    if (!fits) return;
    predicate->condition = condition;
    uint64_t bit = 1ull << condition;
    for (uint32_t i = 0; i < compare->count; i++) find->of->ended[compare->registers[i]] |= bit;
    if (predicate->is_compare)
        guards_set_bit(&find->outdated[condition], find->written[predicate->reg].bit - 1, true);
    else
        find->of->ended[predicate->reg] |= bit;
}

static void guards_number_conditions(struct find *find)
{
    for (uint32_t p = 0; p < find->predicates.count; p++) {
        struct predicate *predicate = &find->predicates.at[p];
        struct key *key = &find->keys.at[predicate->key];
        bool shared = key->branches > 1;
        if (shared && key->condition == GUARDS_NONE && find->of->count < GUARDS_MAX)
            key->condition = find->of->count++;
        if (key->condition != GUARDS_NONE) join_condition(find, predicate, key->condition);
    }
}

/* ---- written registers ---- */

/* Argument of pass_write: the set while a block is passed. */
struct passing {
    const struct find *find;
    struct set set;
};

static void pass_write(void *of, uint32_t reg, uint32_t at, bool guarded)
{
    struct passing *passing = of;
    const struct find *find = passing->find;
    (void)at;
    for (uint64_t left = find->of->ended[reg]; left; left &= left - 1)
        for (uint32_t w = 0; w < WORDS; w++)
            passing->set.words[w] &= ~find->outdated[__builtin_ctzll(left)].words[w];
    if (find->written[reg].bit && !guarded)
        guards_set_bit(&passing->set, find->written[reg].bit - 1, true);
}

static struct set written_behind(const struct find *find, uint32_t block)
{
    struct passing passing = {find, find->sets[block]};
    guards_writes(find->program, &find->program->blocks.at[block], pass_write, &passing);
    return passing.set;
}

/* Intersects the set of a block with that of a predecessor. Returns whether it changed. */
static bool meet_written(struct set *at, const struct set *set)
{
    uint64_t lost = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
        lost |= at->words[w] & ~set->words[w];
        at->words[w] &= set->words[w];
    }
    return lost;
}

/* Reduces the sets from all registers to those that every path writes. Returns false if this takes
 * too many rounds. */
static bool guards_solve(struct find *find)
{
    const struct program *program = find->program;
    uint32_t count = program->blocks.count;
    find->sets = mem_alloc(count * sizeof *find->sets);
    memset(find->sets, 0xff, count * sizeof *find->sets);
    find->sets[0] = (struct set){{0}};
    bool changed = true;
    for (int round = 0; changed && round < GUARDS_ROUNDS; round++) {
        changed = false;
        for (uint32_t b = 0; b < count; b++) {
            const struct flow_block *block = &program->blocks.at[b];
            struct set set = written_behind(find, b);
            for (uint32_t s = block->succ_start; s < block->succ_end; s++)
                changed |= meet_written(&find->sets[program->succs.at[s]], &set);
        }
    }
    for (uint32_t b = 0; !changed && b < count; b++) find->sets[b] = written_behind(find, b);
    return !changed;
}

static void name_deciders(struct find *find)
{
    const struct program *program = find->program;
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct program_instruction *last = guards_last(program, b);
        find->of->decider[b] = GUARDS_NONE;
        if (!last) continue;
        const struct predicate *predicate =
            &find->predicates.at[find->predicate_of[last->guard] - 1];
        bool counts = predicate->condition != GUARDS_NONE &&
                      guards_is_written(find, &find->sets[b], predicate->reg);
        for (uint32_t i = 0; counts && i < predicate->compare.count; i++)
            counts = guards_is_written(find, &find->sets[b], predicate->compare.registers[i]);
        if (counts) find->of->decider[b] = predicate->condition;
    }
}

bool guards_find(struct guards *guards, const struct program *program)
{
    struct find find = {.of = guards, .program = program};
    *guards = (struct guards){.count = 0};
    guards->decider = mem_zalloc(program->blocks.count, sizeof *guards->decider);
    guards->ended = mem_zalloc(program->register_count, sizeof *guards->ended);
    find.written = mem_zalloc(program->register_count, sizeof *find.written);
    find.predicate_of = mem_zalloc(program->register_count, sizeof *find.predicate_of);
    find_predicates(&find);
    guards_number_conditions(&find);
    if (guards->count && !guards_solve(&find)) guards->count = 0;
    if (guards->count) name_deciders(&find);
    mem_free(find.written);
    mem_free(find.predicate_of);
    mem_free(find.sets);
    vec_free(&find.predicates);
    vec_free(&find.keys);
    intern_free(&find.keys_by_name);
    return guards->count > 0;
}

void guards_free(struct guards *guards)
{
    mem_free(guards->decider);
    mem_free(guards->ended);
}

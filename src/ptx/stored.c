/* Finds the loads whose value a store needs. A value is traced from register to register through a
 * stretch of straight code: from an unguarded load over unguarded instructions to an unguarded
 * store. If a value depends on several loads, only the last one that no store needs yet is
 * recorded. See stored.h. */
#include "ptx/stored.h"

#include "base/mem.h"
#include "base/work.h"

/* The values of load_of: the number of a load, counted from 1 through the function. Numbers up to
 * first_load belong to stretches that have ended. */
enum { NO_LOAD = 0 };

/* Values of behind if there is no store, and if no event has followed the store yet. */
#define STORED_NEVER UINT32_MAX
#define STORED_JUST_NOW (UINT32_MAX - 1)

static bool is_load(const struct instr *instr)
{
    return instr->opcode->effect == EFFECT_ASYNC_LD && instr->guard == REG_NONE;
}

static bool is_unguarded_store(const struct instr *instr)
{
    return instr->opcode->traits & OPCODE_STORES && instr->space != SPACE_PRIVATE &&
           instr->guard == REG_NONE;
}

static uint32_t load_of(const struct stored_search *search, reg_id reg)
{
    uint32_t load = search->load_of[reg];
    bool counts = load > search->first_load && search->loads.at[load - 1].behind == STORED_NEVER;
    return counts ? load : NO_LOAD;
}

static void begin_stretch(struct stored_search *search)
{
    for (uint32_t n = 0; n < search->waiting.count; n++)
        search->loads.at[search->waiting.at[n] - 1].behind = STORED_NEVER;
    search->waiting.count = search->pending = 0;
    search->first_load = search->loads.count;
}

/* An event follows the waiting stores, so these have run. */
static void end_waiting(struct stored_search *search, uint32_t event)
{
    for (uint32_t n = 0; n < search->waiting.count; n++)
        search->loads.at[search->waiting.at[n] - 1].behind = event;
    search->waiting.count = 0;
}

static void stored_follow(struct stored_search *search, const struct function *function, uint32_t i)
{
    const struct instr *instr = &function->instrs[i];
    const struct use *use = &function->uses[instr->first_use], *end = use + instr->use_count;
    bool store = is_unguarded_store(instr);
    uint32_t value = NO_LOAD;
    if (is_load(instr)) {
        vec_push(&search->loads, (struct stored){i, STORED_NEVER});
        value = search->loads.count;
        search->pending++;
    }
    for (const struct use *at = use; at < end; at++) {
        if (at->write) continue;
        uint32_t load = load_of(search, at->reg);
        if (load && store) {
            search->loads.at[load - 1].behind = STORED_JUST_NOW;
            vec_push(&search->waiting, load);
            search->pending--;
        } else if (load > value) {
            value = load;
        }
    }
    if (instr->guard != REG_NONE) value = NO_LOAD;
    uint32_t *load_of_reg = search->load_of;
    for (const struct use *at = use; at < end; at++)
        if (at->write) load_of_reg[at->reg] = value;
}

/* The stretch ends after the instruction. A call may have any effect. */
static bool ends_stretch(const struct instr *instr)
{
    return instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH) ||
           instr->opcode->effect == EFFECT_CALL || instr->opcode->effect == EFFECT_EXIT;
}

static void keep_stored(struct stored_search *search, struct function *function)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < search->loads.count; n++)
        if (search->loads.at[n].behind != STORED_NEVER)
            search->loads.at[kept++] = search->loads.at[n];
    function->stored = search->loads.at;
    function->stored_count = kept;
}

/* Returns the first target of a label at instruction i or after it; UINT32_MAX if there is none.
 * *label: the labels before it are passed. */
static uint32_t target_from(const struct function *function, uint32_t i, uint32_t *label)
{
    while (*label < function->label_count && function->labels[*label].target < i) ++*label;
    return *label < function->label_count ? function->labels[*label].target : UINT32_MAX;
}

/* first: the first load of the function. */
static void stored_search_from(struct stored_search *search, struct function *function,
                               uint32_t first)
{
    uint32_t label = 0, target = target_from(function, first, &label);
    search->load_of = mem_zalloc(function->reg_count, sizeof *search->load_of);
    work_spend(function->count - first);
    for (uint32_t i = first; i < function->count; i++) {
        const struct instr *instr = &function->instrs[i];
        if (i == target) {
            begin_stretch(search);
            target = target_from(function, i + 1, &label);
        }
        if (!effect_is_neutral(instr->opcode->effect)) end_waiting(search, i);
        if (search->pending || is_load(instr)) stored_follow(search, function, i);
        if (ends_stretch(instr)) begin_stretch(search);
    }
    mem_free(search->load_of);
    search->load_of = NULL;
}

void stored_find(struct stored_search *search, struct function *function)
{
    search->loads.count = search->waiting.count = 0;
    search->first_load = search->pending = 0;
    uint32_t n = 0;
    while (n < function->notable_count && !is_load(&function->instrs[function->notable[n]])) n++;
    if (n < function->notable_count) stored_search_from(search, function, function->notable[n]);
    keep_stored(search, function);
}

void stored_free(struct stored_search *search)
{
    mem_free(search->load_of);
    vec_free(&search->waiting);
    vec_free(&search->loads);
}

uint32_t stored_from(const struct function *function, uint32_t i)
{
    uint32_t low = 0, high = function->stored_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (function->stored[middle].load < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

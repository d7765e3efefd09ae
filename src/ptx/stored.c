/* Finds the loads of which nothing but stores needs a value. Values are traced from register to
 * register through a stretch of straight code: from an unguarded load over unguarded instructions
 * that only compute to unguarded stores. A register whose value may come from a load at the end of
 * the stretch must not be read by anything that the trace has not met. Nor may memory be read after
 * a store: ptxas may hand the stored value on and drop the store. See stored.h. */
#include "ptx/stored.h"

#include "base/mem.h"
#include "base/work.h"

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

/* The instruction may get from memory what a store has written. */
static bool may_read_memory(const struct opcode *opcode)
{
    switch (opcode->effect) {
    case EFFECT_MEMORY:
    case EFFECT_MEET_MEMORY:
    case EFFECT_ACQUIRE_MEMORY:
    case EFFECT_BOTH_MEMORY: return opcode->writes && !(opcode->traits & OPCODE_ASIDE);
    case EFFECT_CALL: return true;
    default: return false;
    }
}

static struct stored_load *numbered(const struct stored_search *search, uint32_t load)
{
    return &search->loads.at[load - 1];
}

/* Returns the load of this stretch from which the value of the register may come. */
static uint32_t load_of(const struct stored_search *search, reg_id reg)
{
    uint32_t load = search->load_of[reg];
    return load > search->first_load ? load : NO_LOAD;
}

/* Makes the two loads count as one. */
static void join_loads(struct stored_search *search, uint32_t one, uint32_t other)
{
    while (one != other) {
        uint32_t first = one < other ? one : other;
        other = one < other ? other : one;
        one = numbered(search, first)->with;
        if (!one) {
            numbered(search, first)->with = other;
            return;
        }
    }
}

static void begin_stretch(struct stored_search *search)
{
    for (uint32_t n = 0; n < search->waiting.count; n++)
        numbered(search, search->waiting.at[n])->needed = true;
    for (uint32_t n = 0; n < search->holders.count; n++) {
        reg_id reg = search->holders.at[n];
        uint32_t load = load_of(search, reg);
        if (load) vec_push(&search->rests, (struct stored_rest){load, reg});
    }
    search->waiting.count = search->written.count = search->holders.count = 0;
    search->first_load = search->loads.count;
}

/* Passes a read of memory, which may be a read of any value that was stored before. */
static void read_memory(struct stored_search *search)
{
    for (uint32_t n = 0; n < search->written.count; n++)
        numbered(search, search->written.at[n])->needed = true;
    search->written.count = 0;
}

/* An event follows the waiting stores, so these have run. */
static void end_waiting(struct stored_search *search, uint32_t event)
{
    for (uint32_t n = 0; n < search->waiting.count; n++)
        numbered(search, search->waiting.at[n])->found.behind = event;
    search->waiting.count = 0;
}

/* Passes a read of a value of the load. computes: the instruction only computes other values. */
static void pass_read(struct stored_search *search, reg_id reg, uint32_t load, bool store,
                      bool computes)
{
    if (!store && !computes) {
        numbered(search, load)->needed = true;
        return;
    }
    search->reads[reg]--;
    if (!store) return;
    numbered(search, load)->found.behind = STORED_JUST_NOW;
    vec_push(&search->waiting, load);
    vec_push(&search->written, load);
}

static void stored_follow(struct stored_search *search, const struct function *function, uint32_t i)
{
    const struct instr *instr = &function->instrs[i];
    const uint32_t *first = search->first_use ? &search->first_use[i] : NULL;
    const struct use *use = &search->uses[first ? first[0] : instr->first_use];
    const struct use *end = first ? &search->uses[first[1]] : use + instr->use_count;
    const struct use *written = use;
    uint32_t value = NO_LOAD;
    if (may_read_memory(instr->opcode)) read_memory(search);
    if (is_load(instr)) {
        vec_push(&search->loads, (struct stored_load){.found = {i, STORED_NEVER}});
        value = search->loads.count;
    }
    while (written < end && !written->write) written++;
    bool store = is_unguarded_store(instr), writes = written < end;
    bool computes = instr->opcode->effect == EFFECT_REGISTER && instr->guard == REG_NONE && writes;
    for (const struct use *at = use; at < end; at++) {
        uint32_t load = at->write ? NO_LOAD : load_of(search, at->reg);
        if (!load) continue;
        pass_read(search, at->reg, load, store, computes);
        if (computes && value) join_loads(search, value, load);
        if (computes && load > value) value = load;
    }
    if (instr->guard != REG_NONE) return; /* the registers may have their values of before */
    for (const struct use *at = written; at < end; at++) {
        if (!at->write) continue;
        search->load_of[at->reg] = value;
        if (value) vec_push(&search->holders, at->reg);
    }
}

/* The stretch ends after the instruction. A call may have any effect. */
static bool ends_stretch(const struct instr *instr)
{
    return instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH) ||
           instr->opcode->effect == EFFECT_CALL || instr->opcode->effect == EFFECT_EXIT;
}

/* A load is also needed if the one is that it was joined with, and until the last store of both. */
static void keep_stored(struct stored_search *search)
{
    for (uint32_t n = 0; n < search->rests.count; n++)
        if (search->reads[search->rests.at[n].reg])
            numbered(search, search->rests.at[n].load)->needed = true;
    for (uint32_t load = search->loads.count; load; load--) {
        struct stored_load *at = numbered(search, load);
        if (!at->with) continue;
        const struct stored_load *with = numbered(search, at->with);
        at->needed |= with->needed;
        if (with->found.behind > at->found.behind || at->found.behind == STORED_NEVER)
            at->found.behind = with->found.behind;
    }
    search->found.count = 0;
    for (uint32_t n = 0; n < search->loads.count; n++)
        if (!search->loads.at[n].needed && search->loads.at[n].found.behind != STORED_NEVER)
            vec_push(&search->found, search->loads.at[n].found);
}

/* Returns the first target of a label at instruction i or after it; UINT32_MAX if there is none.
 * *label: the labels before it are passed. */
static uint32_t target_from(const struct function *function, uint32_t i, uint32_t *label)
{
    while (*label < function->label_count && function->labels[*label].target < i) ++*label;
    return *label < function->label_count ? function->labels[*label].target : UINT32_MAX;
}

static void count_reads(struct stored_search *search)
{
    const struct use *use = search->uses, *end = use + search->use_count;
    for (; use < end; use++) search->reads[use->reg] += !use->write;
}

/* first: the first load of the function. */
static void stored_search_from(struct stored_search *search, const struct function *function,
                               uint32_t first)
{
    uint32_t label = 0, target = target_from(function, first, &label);
    search->load_of = mem_zalloc(search->reg_count, sizeof *search->load_of);
    search->reads = mem_zalloc(search->reg_count, sizeof *search->reads);
    work_spend(2 * (uint64_t)function->count);
    count_reads(search);
    for (uint32_t i = first; i < function->count; i++) {
        const struct instr *instr = &function->instrs[i];
        if (i == target) {
            begin_stretch(search);
            target = target_from(function, i + 1, &label);
        }
        if (!effect_is_neutral(instr->opcode->effect)) end_waiting(search, i);
        if (search->loads.count > search->first_load || is_load(instr))
            stored_follow(search, function, i);
        if (ends_stretch(instr)) begin_stretch(search);
    }
    keep_stored(search);
    mem_free(search->load_of);
    mem_free(search->reads);
    search->load_of = search->reads = NULL;
}

void stored_begin(struct stored_search *search, struct function *function, const struct use *uses,
                  uint32_t use_count, const uint32_t *first_use)
{
    search->done = false;
    search->uses = uses;
    search->use_count = use_count;
    search->reg_count = function->reg_count;
    search->first_use = first_use;
    function->search = search;
}

/* The registers of a .func may be read after its end. */
static void stored_find(struct stored_search *search, const struct function *function)
{
    search->loads.count = search->waiting.count = search->written.count = 0;
    search->holders.count = search->rests.count = search->found.count = search->first_load = 0;
    search->done = true;
    uint32_t n = 0;
    while (n < function->notable_count && !is_load(&function->instrs[function->notable[n]])) n++;
    if (n < function->notable_count && function->is_entry)
        stored_search_from(search, function, function->notable[n]);
}

bool stored_is_known(const struct function *function)
{
    return !function->search || function->search->done;
}

struct stored_list stored_of(const struct function *function)
{
    struct stored_search *search = function->search;
    if (!search) return (struct stored_list){function->stored, function->stored_count};
    if (!search->done) stored_find(search, function);
    return (struct stored_list){search->found.at, search->found.count};
}

void stored_free(struct stored_search *search)
{
    mem_free(search->load_of);
    mem_free(search->reads);
    vec_free(&search->waiting);
    vec_free(&search->written);
    vec_free(&search->loads);
    vec_free(&search->found);
    vec_free(&search->holders);
    vec_free(&search->rests);
}

uint32_t stored_from(struct stored_list list, uint32_t i)
{
    uint32_t low = 0, high = list.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list.at[middle].load < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

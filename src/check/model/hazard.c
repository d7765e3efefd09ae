/* Register hazards of a wait that is gone (ISA 9.7.16.6.4.5): a loaded register, or a source or
 * address of an un-waited access, written where the original had waited. A union problem over
 * registers, so plain bit sets are exact. See hazard.h. */
#include "check/model/hazard.h"

#include "base/work.h"
#include "check/model/assume.h"
#include "check/prove/worklist.h"

static const uint64_t SETS_BYTES_MAX = 1ull << 28;

static bool is_access(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_LD || at->effect == CHECK_EFFECT_ST;
}

static bool is_wait(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_WAIT_LD || at->effect == CHECK_EFFECT_WAIT_ST;
}

static void number_registers(struct hazard *hazard, const struct program *program)
{
    uint32_t lds = 0, sts = 0;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (!is_access(at)) continue;
        bool ld = at->effect == CHECK_EFFECT_LD;
        uint32_t *number = ld ? hazard->ld_number : hazard->st_number;
        for (uint32_t r = at->writes; r < at->end; r++) {
            uint32_t *slot = &number[program->registers.at[r]];
            if (*slot == PROGRAM_NONE) *slot = ld ? lds++ : sts++;
            hazard->loaded[program->registers.at[r]] |= ld && r < at->reads;
        }
    }
    hazard->ld_words = lds / 64 + 1;
    hazard->words = hazard->ld_words + sts / 64 + 1;
}

/* Does this instruction touch a numbered register in a way that counts? */
static bool touches(const struct hazard *hazard, const struct program *program,
                    const struct program_instruction *at)
{
    uint32_t end = hazard->reads_too ? at->end : at->reads;
    for (uint32_t r = at->writes; r < end; r++) {
        uint32_t reg = program->registers.at[r];
        if (hazard->ld_number[reg] != PROGRAM_NONE || hazard->st_number[reg] != PROGRAM_NONE)
            return true;
    }
    return false;
}

static void find_points(struct hazard *hazard, const struct program *program)
{
    hazard->first_point = mem_zalloc((size_t)program->blocks.count + 1, sizeof(uint32_t));
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct program_block *block = &program->blocks.at[b];
        for (uint32_t i = block->start; i < block->end; i++) {
            const struct program_instruction *at = &program->instructions.at[i];
            if (is_access(at) || is_wait(at) || touches(hazard, program, at))
                vec_push(&hazard->points, i);
        }
        hazard->first_point[b + 1] = hazard->points.count;
    }
}

bool hazard_prepare(struct hazard *hazard, const struct program *program, uint32_t assume)
{
    *hazard = (struct hazard){.reads_too = !(assume & CHECK_REGISTER_DEPENDENCY)};
    bool any = false;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        any |= program->instructions.at[i].deleted && is_wait(&program->instructions.at[i]);
    if (!any) return true;
    hazard->loaded = mem_zalloc(program->register_count, 1);
    hazard->ld_number = mem_alloc(program->register_count * sizeof(uint32_t));
    hazard->st_number = mem_alloc(program->register_count * sizeof(uint32_t));
    for (uint32_t r = 0; r < program->register_count; r++)
        hazard->ld_number[r] = hazard->st_number[r] = PROGRAM_NONE;
    number_registers(hazard, program);
    if ((uint64_t)program->blocks.count * hazard->words * 16 > SETS_BYTES_MAX) return false;
    find_points(hazard, program);
    size_t count = (size_t)program->blocks.count * hazard->words;
    hazard->pending = mem_zalloc(count, sizeof *hazard->pending);
    hazard->risk = mem_zalloc(count, sizeof *hazard->risk);
    hazard->reached = mem_zalloc(program->blocks.count, sizeof *hazard->reached);
    return true;
}

void hazard_free(struct hazard *hazard)
{
    mem_free(hazard->loaded);
    mem_free(hazard->ld_number);
    mem_free(hazard->st_number);
    mem_free(hazard->pending);
    mem_free(hazard->risk);
    mem_free(hazard->reached);
    mem_free(hazard->first_point);
    vec_free(&hazard->points);
}

/* The two sets at one place. */
struct sets {
    uint64_t *pending, *risk;
};

static bool has(const uint64_t *set, uint32_t bit)
{
    return set[bit / 64] >> bit % 64 & 1;
}

static void put(uint64_t *set, uint32_t bit)
{
    set[bit / 64] |= 1ull << bit % 64;
}

static uint32_t st_bit(const struct hazard *hazard, uint32_t number)
{
    return hazard->ld_words * 64 + number;
}

/* The bit of a register at risk that the instruction must not touch, NONE when it is fine. */
static uint32_t refused(const struct hazard *hazard, const struct program *program,
                        const struct program_instruction *at, const uint64_t *risk)
{
    uint32_t end = hazard->reads_too ? at->end : at->reads;
    for (uint32_t r = at->writes; r < end; r++) {
        uint32_t reg = program->registers.at[r], ld = hazard->ld_number[reg];
        uint32_t st = hazard->st_number[reg];
        /* Only a read of a loaded register can come too early. */
        bool counts = r < at->reads || hazard->loaded[reg];
        if (counts && ld != PROGRAM_NONE && has(risk, ld)) return ld;
        if (r < at->reads && st != PROGRAM_NONE && has(risk, st_bit(hazard, st)))
            return st_bit(hazard, st);
    }
    return PROGRAM_NONE;
}

static void at_wait(const struct hazard *hazard, const struct program_instruction *at,
                    struct sets sets)
{
    bool ld = at->effect == CHECK_EFFECT_WAIT_LD;
    uint32_t from = ld ? 0 : hazard->ld_words, to = ld ? hazard->ld_words : hazard->words;
    /* A guarded wait may not run. */
    if (at->guarded) return;
    work_spend(to - from);
    for (uint32_t w = from; w < to; w++) {
        sets.risk[w] = at->deleted ? sets.risk[w] | sets.pending[w] : 0;
        sets.pending[w] = 0;
    }
}

static void at_access(const struct hazard *hazard, const struct program *program,
                      const struct program_instruction *at, struct sets sets)
{
    bool ld = at->effect == CHECK_EFFECT_LD;
    const uint32_t *number = ld ? hazard->ld_number : hazard->st_number;
    for (uint32_t r = at->writes; r < at->end; r++) {
        uint32_t bit = number[program->registers.at[r]];
        put(sets.pending, ld ? bit : st_bit(hazard, bit));
    }
}

/* Sends sets through block b. Returns the instruction that is refused, NONE when none is. */
static uint32_t through(const struct hazard *hazard, const struct program *program, uint32_t b,
                        struct sets sets, uint32_t *bit)
{
    work_spend(hazard->first_point[b + 1] - hazard->first_point[b] + hazard->words);
    for (uint32_t p = hazard->first_point[b]; p < hazard->first_point[b + 1]; p++) {
        uint32_t i = hazard->points.at[p];
        const struct program_instruction *at = &program->instructions.at[i];
        *bit = refused(hazard, program, at, sets.risk);
        if (*bit != PROGRAM_NONE) return i;
        if (is_wait(at)) at_wait(hazard, at, sets);
        if (is_access(at)) at_access(hazard, program, at, sets);
    }
    return PROGRAM_NONE;
}

static struct sets at_block(const struct hazard *hazard, uint32_t b)
{
    size_t at = (size_t)b * hazard->words;
    return (struct sets){hazard->pending + at, hazard->risk + at};
}

static bool unite(uint64_t *into, const uint64_t *more, uint32_t words)
{
    uint64_t grown = 0;
    work_spend(words);
    for (uint32_t w = 0; w < words; w++) {
        grown |= more[w] & ~into[w];
        into[w] |= more[w];
    }
    return grown != 0;
}

/* One way to the refusal of a single register: two states a block, 0 pending and 1 at risk. */
struct stop {
    uint32_t block, from, access, culprit;
    uint8_t risk;
};

struct trace {
    const struct hazard *hazard;
    const struct program *program;
    struct VEC(struct stop) stops;
    uint8_t *seen;
    uint32_t bit;
    struct hazard_fault *fault;
};

static bool uses_bit(const struct trace *trace, const struct program_instruction *at)
{
    if (!is_access(at)) return false;
    bool ld = at->effect == CHECK_EFFECT_LD;
    if (ld != (trace->bit < trace->hazard->ld_words * 64)) return false;
    const uint32_t *number = ld ? trace->hazard->ld_number : trace->hazard->st_number;
    for (uint32_t r = at->writes; r < at->end; r++) {
        uint32_t bit = number[trace->program->registers.at[r]];
        if ((ld ? bit : st_bit(trace->hazard, bit)) == trace->bit) return true;
    }
    return false;
}

static void report(struct trace *trace, const struct stop *stop, uint32_t block, uint32_t observer)
{
    struct hazard_fault *fault = trace->fault;
    fault->access = stop->access;
    fault->culprit = stop->culprit;
    fault->observer = observer;
    vec_push(&fault->path, block);
    for (uint32_t from = stop->from; from != PROGRAM_NONE; from = trace->stops.at[from].from)
        vec_push(&fault->path, trace->stops.at[from].block);
    for (uint32_t i = 0, j = fault->path.count - 1; i < j; i++, j--) {
        uint32_t swap = fault->path.at[i];
        fault->path.at[i] = fault->path.at[j];
        fault->path.at[j] = swap;
    }
}

static void leave(struct trace *trace, const struct stop *stop, uint32_t b)
{
    const struct program_block *block = &trace->program->blocks.at[b];
    for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
        uint32_t succ = trace->program->succs.at[s];
        if (trace->seen[succ] >> stop->risk & 1) continue;
        trace->seen[succ] |= (uint8_t)(1u << stop->risk);
        struct stop next = *stop;
        next.block = succ;
        vec_push(&trace->stops, next);
    }
}

/* Follows one access from point p of block b; true when it is refused there. */
static bool follow(struct trace *trace, struct stop stop, uint32_t b, uint32_t p)
{
    const struct hazard *hazard = trace->hazard;
    bool ld = trace->bit < hazard->ld_words * 64;
    for (; p < hazard->first_point[b + 1]; p++) {
        uint32_t i = hazard->points.at[p];
        const struct program_instruction *at = &trace->program->instructions.at[i];
        uint64_t *one = mem_zalloc(hazard->words, sizeof *one);
        if (stop.risk) put(one, trace->bit);
        bool hit = refused(hazard, trace->program, at, one) != PROGRAM_NONE;
        mem_free(one);
        if (hit) {
            report(trace, &stop, b, i);
            return true;
        }
        if (at->effect != (ld ? CHECK_EFFECT_WAIT_LD : CHECK_EFFECT_WAIT_ST) || at->guarded)
            continue;
        if (!at->deleted) return false;
        if (!stop.risk) stop.culprit = i;
        stop.risk = 1;
    }
    leave(trace, &stop, b);
    return false;
}

static void trace_run(struct trace *trace)
{
    const struct program *program = trace->program;
    trace->seen = mem_zalloc(program->blocks.count, 1);
    bool found = false;
    for (uint32_t b = 0; !found && b < program->blocks.count; b++) {
        if (!trace->hazard->reached[b]) continue;
        for (uint32_t p = trace->hazard->first_point[b];
             !found && p < trace->hazard->first_point[b + 1]; p++) {
            uint32_t i = trace->hazard->points.at[p];
            struct stop stop = {b, PROGRAM_NONE, i, PROGRAM_NONE, 0};
            if (uses_bit(trace, &program->instructions.at[i]))
                found = follow(trace, stop, b, p + 1);
        }
    }
    for (uint32_t next = 0; !found && next < trace->stops.count; next++) {
        struct stop stop = trace->stops.at[next];
        stop.from = next;
        found = follow(trace, stop, stop.block, trace->hazard->first_point[stop.block]);
    }
    mem_free(trace->seen);
    vec_free(&trace->stops);
}

static void flow_out(struct hazard *hazard, const struct program *program, uint32_t b,
                     struct sets sets, struct worklist *todo)
{
    const struct program_block *block = &program->blocks.at[b];
    for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
        uint32_t succ = program->succs.at[s];
        struct sets into = at_block(hazard, succ);
        bool grown = unite(into.pending, sets.pending, hazard->words);
        grown |= unite(into.risk, sets.risk, hazard->words);
        if (grown || !hazard->reached[succ]) worklist_add(todo, succ);
        hazard->reached[succ] = true;
    }
}

bool hazard_solve(struct hazard *hazard, const struct program *program, struct hazard_fault *fault)
{
    *fault = (struct hazard_fault){0};
    if (!hazard->words) return true;
    struct worklist todo;
    worklist_init(&todo, program->blocks.count);
    uint64_t *room = mem_zalloc(2 * (size_t)hazard->words, sizeof *room);
    struct sets sets = {room, room + hazard->words};
    uint32_t bad = PROGRAM_NONE, bit = PROGRAM_NONE;
    worklist_add(&todo, 0);
    hazard->reached[0] = true;
    for (uint32_t b = worklist_next(&todo); b != WORKLIST_NONE && bad == PROGRAM_NONE;
         b = worklist_next(&todo)) {
        memcpy(sets.pending, at_block(hazard, b).pending, hazard->words * sizeof *room);
        memcpy(sets.risk, at_block(hazard, b).risk, hazard->words * sizeof *room);
        bad = through(hazard, program, b, sets, &bit);
        if (bad == PROGRAM_NONE) flow_out(hazard, program, b, sets, &todo);
    }
    worklist_free(&todo);
    mem_free(room);
    if (bad == PROGRAM_NONE) return true;
    struct trace trace = {.hazard = hazard, .program = program, .bit = bit, .fault = fault};
    fault->access = fault->culprit = fault->observer = bad;
    trace_run(&trace);
    return false;
}

bool hazard_holds(const struct hazard *hazard, const struct program *program)
{
    if (!hazard->words) return true;
    uint64_t *room = mem_zalloc(2 * (size_t)hazard->words, sizeof *room);
    struct sets sets = {room, room + hazard->words};
    bool fine = hazard->reached[0];
    for (uint32_t b = 0; fine && b < program->blocks.count; b++) {
        if (!hazard->reached[b]) continue;
        uint32_t bit = PROGRAM_NONE;
        const struct program_block *block = &program->blocks.at[b];
        memcpy(sets.pending, at_block(hazard, b).pending, hazard->words * sizeof *room);
        memcpy(sets.risk, at_block(hazard, b).risk, hazard->words * sizeof *room);
        fine = through(hazard, program, b, sets, &bit) == PROGRAM_NONE;
        for (uint32_t s = block->succ_start; fine && s < block->succ_end; s++) {
            uint32_t succ = program->succs.at[s];
            struct sets into = at_block(hazard, succ);
            fine = hazard->reached[succ];
            for (uint32_t w = 0; fine && w < hazard->words; w++)
                fine = !(sets.pending[w] & ~into.pending[w]) && !(sets.risk[w] & ~into.risk[w]);
        }
    }
    mem_free(room);
    return fine;
}

/* Follows a single register, pending and then at risk, through the graph to the instruction that
 * uses it too early. See trace_register.h. */
#include "check/prove/trace_register.h"

/* A step of the search for one register. A block has two states: 0 pending, 1 at risk. */
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
    if (!at || !hazard_is_access(at)) return false;
    bool ld = at->effect == CHECK_EFFECT_LD;
    if (ld != (trace->bit < trace->hazard->ld_words * 64)) return false;
    for (uint32_t r = at->writes; r < at->end; r++)
        if (hazard_bit(trace->hazard, ld, trace->program->registers.at[r]) == trace->bit)
            return true;
    return false;
}

static void trace_register_report(struct trace *trace, const struct stop *stop, uint32_t block,
                                  uint32_t observer)
{
    struct hazard_fault *fault = trace->fault;
    fault->access = stop->access;
    fault->culprit = stop->culprit;
    fault->observer = observer;
    vec_push(&fault->path, block);
    for (uint32_t from = stop->from; from != PROGRAM_NONE; from = trace->stops.at[from].from)
        vec_push(&fault->path, trace->stops.at[from].block);
    trace_turn(&fault->path);
}

static void enter_successors(struct trace *trace, const struct stop *stop, uint32_t b)
{
    const struct flow_block *block = &trace->program->blocks.at[b];
    for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
        uint32_t succ = trace->program->succs.at[s];
        if (trace->seen[succ] >> stop->risk & 1) continue;
        trace->seen[succ] |= (uint8_t)(1u << stop->risk);
        struct stop next = *stop;
        next.block = succ;
        vec_push(&trace->stops, next);
    }
}

/* Follows one access from point p of block b to the end of the block. Returns true if a point
 * refuses it. */
static bool trace_register_follow(struct trace *trace, struct stop stop, uint32_t b, uint32_t p)
{
    const struct hazard *hazard = trace->hazard;
    bool ld = trace->bit < hazard->ld_words * 64;
    for (; p < hazard->first_point[b + 1]; p++) {
        uint32_t i = hazard->points.at[p];
        const struct program_instruction *at = hazard_instruction(hazard, i);
        uint64_t *one = mem_zalloc(hazard->words, sizeof *one);
        if (stop.risk) one[trace->bit / 64] |= 1ull << trace->bit % 64;
        bool hit = hazard_refused(hazard, i, one) != PROGRAM_NONE;
        mem_free(one);
        if (hit) {
            trace_register_report(trace, &stop, b, i);
            return true;
        }
        if (!at || at->effect != (ld ? CHECK_EFFECT_WAIT_LD : CHECK_EFFECT_WAIT_ST) || at->guarded)
            continue;
        if (!at->deleted) return false;
        if (!stop.risk) stop.culprit = i;
        stop.risk = 1;
    }
    enter_successors(trace, &stop, b);
    return false;
}

/* Searches from every access to the register, in the order of the text, from block to block. */
static void trace_register_run(struct trace *trace, const bool *reached)
{
    const struct hazard *hazard = trace->hazard;
    bool found = false;
    for (uint32_t b = 0; !found && b < trace->program->blocks.count; b++) {
        uint32_t end = reached[b] ? hazard->first_point[b + 1] : 0;
        for (uint32_t p = hazard->first_point[b]; !found && p < end; p++) {
            uint32_t i = hazard->points.at[p];
            struct stop stop = {b, PROGRAM_NONE, i, PROGRAM_NONE, 0};
            if (uses_bit(trace, hazard_instruction(hazard, i)))
                found = trace_register_follow(trace, stop, b, p + 1);
        }
    }
    for (uint32_t next = 0; !found && next < trace->stops.count; next++) {
        struct stop stop = trace->stops.at[next];
        stop.from = next;
        found = trace_register_follow(trace, stop, stop.block, hazard->first_point[stop.block]);
    }
}

void report_register_trace(const struct hazard *hazard, const bool *reached,
                           struct hazard_fault *fault)
{
    struct trace trace = {
        .hazard = hazard, .program = hazard->program, .bit = hazard->bit, .fault = fault};
    uint32_t observer = hazard->observer;
    *fault = (struct hazard_fault){.access = observer, .culprit = observer, .observer = observer};
    trace.seen = mem_zalloc(hazard->program->blocks.count, 1);
    trace_register_run(&trace, reached);
    mem_free(trace.seen);
    vec_free(&trace.stops);
}

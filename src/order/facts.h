/* What is known of one function while its synchronisation is thinned out: the graph, what has been
 * deleted so far, what is assumed; and the walks that every ordering question is asked by. */
#ifndef PTXOPT_ORDER_FACTS_H
#define PTXOPT_ORDER_FACTS_H

#include "flow/cfg.h"
#include "order/assume.h"
#include "order/verdict.h"

struct facts {
    const struct view *view;
    const struct function *function;
    const struct cfg *cfg;
    uint32_t assumptions;
    bool *deleted; /* by instruction: gone from the thinned program */
    /* scratch of the walks and of those who ask */
    struct walk_scratch *scratch;
};

/* Everything in arena; nothing is deleted yet. */
void facts_init(struct facts *facts, const struct view *view, const struct function *function,
                const struct cfg *cfg, uint32_t assumptions, struct arena *arena);

static inline const struct instr *facts_instr(const struct facts *facts, uint32_t i)
{
    return &facts->function->instrs[i];
}

static inline enum effect facts_effect(const struct facts *facts, uint32_t i)
{
    return facts->function->instrs[i].opcode->effect;
}

/* It certainly runs when control gets there: only such an instruction may justify a deletion. */
static inline bool facts_always(const struct facts *facts, uint32_t i)
{
    return facts->function->instrs[i].guard == REG_NONE;
}

/* ---- walks ---- */

enum step {
    STEP_ON,   /* nothing here: go on along this path */
    STEP_DONE, /* this path is answered */
    STEP_STOP, /* the whole question is answered: no */
};

#define WALK_ENTRY UINT32_MAX
enum { WALK_STATES = 8 };

/* Asked at each instruction; at WALK_ENTRY when a backward path reaches the start of the body.
 * *state is the path's own small memory, 0 to WALK_STATES - 1. */
typedef enum step walk_visit(void *context, uint32_t instr, unsigned *state);

/* Visits what may run after (before) site on any path, once for each state it is reached in. The
 * site and deleted instructions are passed over. True when no visit said STEP_STOP. */
bool walk_forward(const struct facts *facts, uint32_t site, unsigned state, walk_visit *visit,
                  void *context);
bool walk_backward(const struct facts *facts, uint32_t site, unsigned state, walk_visit *visit,
                   void *context);

/* Marks of instructions and of registers; clearing takes constant time. */
void marks_clear(const struct facts *facts);
void mark_instr(const struct facts *facts, uint32_t instr);
bool marked_instr(const struct facts *facts, uint32_t instr);

enum reg_set { REGS_IN_FLIGHT, REGS_LOADED, REG_SETS };
void regs_clear(const struct facts *facts, enum reg_set set);
void mark_reg(const struct facts *facts, enum reg_set set, reg_id reg);
bool marked_reg(const struct facts *facts, enum reg_set set, reg_id reg);

#endif

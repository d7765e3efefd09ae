/* The webs of a function: each definition of a register with the uses that it reaches and all other
 * definitions that reach those. Two webs of one register have nothing to do with one another, so
 * that a text with a name for each web is the same program, however often its author used a
 * register again. */
#ifndef PTXOPT_FLOW_WEBS_H
#define PTXOPT_FLOW_WEBS_H

#include "base/effort.h"
#include "flow/cfg.h"

struct webs {
    uint32_t count;
    uint32_t *of_use; /* by index into function.uses */
};

/* The webs of cfg->function, whose view has all uses (view_keep_all) and its calls are not
 * expanded. In arena. A name that fewer than two instructions write is one web. So are, of any
 * register, the uses that the same definitions reach; what reads before anything was written is of
 * the web of what else may reach it, or, when nothing does, of a web without definitions. A guarded
 * write leaves what was there before, and is of one web with it. Time grows with the instructions
 * and, for each register of several definitions, with the blocks that it is live in; effort may be
 * NULL. */
void webs_build(struct webs *webs, const struct cfg *cfg, struct arena *arena,
                struct effort *effort);

/* The function as if each web had a separate register: reg_id are webs. The instructions and uses
 * are in arena, all else is borrowed. */
struct function *webs_rename(const struct webs *webs, const struct function *function,
                             struct arena *arena);

#endif

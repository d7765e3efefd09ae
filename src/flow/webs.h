/* Finds the webs of a function: each definition of a register, with the uses that it reaches and
 * all other definitions that reach these uses. Two webs of a register are independent, so a text
 * with a separate name for each web is the same program, however often its author used a register
 * again. */
#ifndef PTXOPT_FLOW_WEBS_H
#define PTXOPT_FLOW_WEBS_H

#include "base/effort.h"
#include "flow/loops.h"

/* Returns cfg->function with a separate register for each web: reg_id are then numbers of webs, and
 * the first web of a register has the register's own number. The view must have all uses
 * (view_keep_all), and calls must not be expanded. loops: those of cfg. What differs is in arena,
 * the rest is borrowed from the function; without a register of several webs, the function itself
 * is returned.
 *
 * A register that fewer than two instructions write is one web. Of other registers, uses that the
 * same definition reaches are in one web. A use that may read the register before any write is in
 * the web of the definitions that may reach it; without any, in a web without definitions. A
 * guarded write keeps the old value if the guard is false, so it is in one web with the definitions
 * before it. The time grows with the number of instructions and, for each register with several
 * definitions, with the number of blocks in which it is live, until the tree of dominators tells
 * which definitions come; effort counts it and may be NULL. */
const struct function *webs_rename(const struct cfg *cfg, const struct loops *loops,
                                   struct arena *arena, struct effort *effort);

#endif

/* Tells the components of special registers apart, such as %tid.x and %tid.y. */
#ifndef PTXOPT_FLOW_COMPONENTS_H
#define PTXOPT_FLOW_COMPONENTS_H

#include "base/effort.h"
#include "flow/cfg.h"

/* Returns the function with a register of its own for each component (.x, .y, .z, .w) of a register
 * that no instruction writes: a view has one register for all components of a name. The component
 * that the text names first keeps the register. What differs is in arena, the rest is borrowed from
 * the function; if no register has several components, the function itself is returned. The time
 * grows with the operands; effort counts it and may be NULL. */
const struct function *components_separate(const struct function *function,
                                           const struct source *source, struct arena *arena,
                                           struct effort *effort);

#endif

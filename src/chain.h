/* The ordering chain of an edit: what the deleted instruction ordered, and what orders it now. */
#ifndef PTXOPT_CHAIN_H
#define PTXOPT_CHAIN_H

#include "engine/engine.h"
#include "ptxopt.h"

/* Facts about the function as it is with every deletion of the plan made; in the run's arena. */
void chain_facts(struct facts *facts, struct engine_run *run, const struct function_plan *plan);

/* Fills the edit's chain for a decision of that plan. */
void chain_build(struct ptxopt_edit *edit, const struct facts *facts,
                 const struct decision *decision, struct arena *arena);

#endif

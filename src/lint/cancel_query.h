/* Separates the paths on which a query of a clusterlaunchcontrol answer has succeeded from those on
 * which it has failed. */
#ifndef PTXOPT_LINT_CANCEL_QUERY_H
#define PTXOPT_LINT_CANCEL_QUERY_H

#include "lint/lint.h"

/* A thread may reach `to` from `from` on a path without an instruction that `ends` accepts, if all
 * queries of the function succeed. This matters because after a failed query no thread of the CTA
 * may issue another clusterlaunchcontrol.try_cancel: the behaviour is undefined (PTX ISA,
 * clusterlaunchcontrol.try_cancel). */
bool cancel_query_leads(const struct lint *lint, uint32_t from, uint32_t to,
                        bool (*ends)(const struct lint *lint, uint32_t instr));

#endif

/* Tells paths on which a query of a clusterlaunchcontrol answer has succeeded from those on which
 * it has failed. */
#ifndef PTXOPT_LINT_CANCEL_QUERY_H
#define PTXOPT_LINT_CANCEL_QUERY_H

#include "lint/lint.h"

/* A thread may come from one instruction to the other, past nothing that `ends` accepts, while the
 * queries of the function succeed. After a failed one no thread of the CTA issues another
 * clusterlaunchcontrol.try_cancel: its behaviour is undefined (PTX ISA,
 * clusterlaunchcontrol.try_cancel). */
bool cancel_query_leads(const struct lint *lint, uint32_t from, uint32_t to,
                        bool (*ends)(const struct lint *lint, uint32_t instr));

#endif

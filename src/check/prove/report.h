/* Writes the message of a refusal. */
#ifndef PTXOPT_CHECK_PROVE_REPORT_H
#define PTXOPT_CHECK_PROVE_REPORT_H

#include "check/prove/proof.h"
#include "check/prove/trace_register.h"

/* Set out->verdict, out->message and out->path of a function that is refused or undecided. */
void report_strange(const struct proof *proof, struct check_function *out);
void report_deletion(const struct proof *proof, uint32_t instruction, const char *why,
                     struct check_function *out);
void report_held(const struct proof *proof, struct check_function *out);
void report_facts(const struct proof *proof, const struct monitor_fault *fault,
                  struct check_function *out);
void report_hazard(const struct proof *proof, const struct hazard_fault *fault,
                   struct check_function *out);
void report_undecided(const struct proof *proof, const char *why, struct check_function *out);

#endif

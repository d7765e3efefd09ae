/* Runs the checker for ptxopt.c, which resolves the options. */
#ifndef PTXOPT_API_VERIFICATION_H
#define PTXOPT_API_VERIFICATION_H

#include "base/str.h"
#include "api/ptxopt.h"

/* Implements ptxopt_verify. Never returns NULL. */
struct ptxopt_verification *verification_run(const struct ptxopt_options *options,
                                             struct str before, struct str after);

#endif

/* Verifying for ptxopt.c, which has the options. */
#ifndef PTXOPT_VERIFICATION_H
#define PTXOPT_VERIFICATION_H

#include "check/check.h"
#include "ptxopt.h"

struct ptxopt_verification *verification_run(const struct check_options *options,
                                             struct str before, struct str after);

#endif

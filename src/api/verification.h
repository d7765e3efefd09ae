/* Verifying for ptxopt.c, which has the options. */
#ifndef PTXOPT_API_VERIFICATION_H
#define PTXOPT_API_VERIFICATION_H

#include "base/str.h"
#include "api/ptxopt.h"

/* Never NULL. */
struct ptxopt_verification *verification_run(const struct ptxopt_options *options,
                                             struct str before, struct str after);

#endif

/* Verifying for ptxopt.c, which has the options. */
#ifndef PTXOPT_VERIFICATION_H
#define PTXOPT_VERIFICATION_H

#include "base/str.h"
#include "ptxopt.h"

/* Never NULL. */
struct ptxopt_verification *verification_run(const struct ptxopt_options *options,
                                             struct str before, struct str after);

#endif

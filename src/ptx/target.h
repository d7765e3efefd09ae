/* The names that .target may have. */
#ifndef PTXOPT_PTX_TARGET_H
#define PTXOPT_PTX_TARGET_H

#include "base/str.h"

/* The ISA, up to the newest known version 9.4, defines the name (11.1.2, .target). */
bool target_is_known(struct str name);

#endif

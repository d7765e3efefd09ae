/* The names after a .target. */
#ifndef PTXOPT_PTX_TARGET_H
#define PTXOPT_PTX_TARGET_H

#include "base/str.h"

/* Whether the ISA up to the newest known version, 9.4, defines it (11.1.2, .target). */
bool target_is_known(struct str name);

#endif

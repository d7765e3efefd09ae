/* Whether a function uses the cluster of its CTA. */
#ifndef PTXOPT_VALUE_CLUSTER_USE_H
#define PTXOPT_VALUE_CLUSTER_USE_H

#include "value/subject.h"

/* False if neither a directive nor an instruction of the function concerns another CTA of the
 * cluster. Such a function is most likely launched with clusters of one CTA, whose %cluster_ctarank
 * is 0, although the launch may say otherwise (ISA 10, %cluster_ctarank). For functions whose
 * opcodes are read (subject_begin). */
bool cluster_is_used(const struct subject *subject);

#endif

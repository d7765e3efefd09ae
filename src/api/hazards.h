/* What lint found, on its way into the list of findings. */
#ifndef PTXOPT_API_HAZARDS_H
#define PTXOPT_API_HAZARDS_H

#include "api/finding_parts.h"

/* As a hazard or, where a comment or the caller accepts it, as suppressed; not when it is less than
 * what the options request, which stats counts. */
void hazards_add(const struct writer *w, const struct missing *m, struct ptxopt_stats *stats);

/* Reports that some codes were not run, or stopped, as they would take too long. */
void hazards_add_gave_up(const struct writer *w, enum ptxopt_level level,
                         struct ptxopt_stats *stats);

#endif

/* Adds the hazards that lint found to the list of findings. */
#ifndef PTXOPT_API_HAZARDS_H
#define PTXOPT_API_HAZARDS_H

#include "api/finding_parts.h"

/* Adds a hazard, as PTXOPT_SUPPRESSED if a comment or the caller accepts it. A hazard below the
 * level that the options request is only counted in *stats. */
void hazards_add(const struct writer *w, const struct missing *m, struct ptxopt_stats *stats);

/* Reports codes that were not run, or stopped early, because they would take too long: a warning,
 * whatever level the options request, or a note, which below the level is only counted in *stats.
 */
void hazards_add_gave_up(const struct writer *w, struct ptxopt_stats *stats);

#endif

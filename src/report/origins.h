/* The place of a finding in the CUDA source: first the line that its author wrote, which is the
 * outermost inlined call or the line itself, then the inlined lines. */
#ifndef PTXOPT_REPORT_ORIGINS_H
#define PTXOPT_REPORT_ORIGINS_H

#include "base/buf.h"
#include "api/ptxopt.h"
#include "report/model.h"

/* The place of origin as reports show it. Its source is NULL if the line is not known. */
struct review_place origins_place(struct review_file *file, const struct ptxopt_origin *origin);

/* Copies the CUDA places of the finding to the item. */
void origins_add(struct review_file *file, struct review_item *item,
                 const struct ptxopt_finding *finding);

/* Sets item->source_says again after the paths of the sources have changed. */
void origins_say(struct review_file *file, struct review_item *item);

/* The CUDA line of the item's witness, as in the steps; its source is NULL if that is not known. */
struct review_place origins_of_witness(const struct review_item *item);

#endif

/* The place of a finding in the CUDA source. The line that its author wrote comes first: the
 * outermost call that the compiler inlined, or the line itself. The inlined lines follow it. */
#ifndef PTXOPT_REPORT_ORIGINS_H
#define PTXOPT_REPORT_ORIGINS_H

#include "base/buf.h"
#include "api/ptxopt.h"
#include "report/model.h"

/* The place as in reports; of a line that is not known its source is NULL. */
struct review_place origins_place(struct review_file *file, const struct ptxopt_origin *origin);

/* Copies the CUDA source of the finding to the item. */
void origins_add(struct review_file *file, struct review_item *item,
                 const struct ptxopt_finding *finding);

/* Says where it is once more, by the places that the sources have now. */
void origins_say(struct review_file *file, struct review_item *item);

/* The CUDA line of the PTX line that decides the item, as in the steps; source NULL: it is not
 * known. */
struct review_place origins_of_witness(const struct review_item *item);

#endif

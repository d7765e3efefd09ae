/* Where in the CUDA source is a finding? The line that its author wrote comes first: the outermost
 * call that the compiler inlined, or the line itself. Behind it stands what it leads to. */
#ifndef PTXOPT_REPORT_ORIGINS_H
#define PTXOPT_REPORT_ORIGINS_H

#include "base/buf.h"
#include "api/ptxopt.h"
#include "report/model.h"

/* The call site; NULL: it is not known. */
const struct ptxopt_origin *origins_call_site(const struct ptxopt_finding *finding);

/* Appends "matmul.cu:172, through tcgen05.cuh:40, ptx.h:12": the call site, and what was inlined
 * there, the innermost last. Nothing when that is not known. */
void origins_print(struct buf *out, const struct ptxopt_finding *finding);

/* The place as reports have it; of a line that is not known its source is NULL. */
struct review_place origins_place(struct review_file *file, const struct ptxopt_origin *origin);

/* Gives the item what the finding knows of the CUDA source. */
void origins_add(struct review_file *file, struct review_item *item,
                 const struct ptxopt_finding *finding);

#endif

/* The places of a result of SARIF, as values for whoever includes jansson.h before. A file of the
 * PTX is known by its index among the artifacts. */
#ifndef PTXOPT_REPORT_JSON_SARIF_PLACES_H
#define PTXOPT_REPORT_JSON_SARIF_PLACES_H

#include "report/model.h"

struct json_t;

/* A path as a URI reference; an absolute one has the scheme of files. */
struct json_t *sarif_uri(const char *path);

struct json_t *sarif_artifact(const struct review_file *file, uint32_t index);

/* Of the instruction in the PTX. */
struct json_t *sarif_region(const struct review_item *item);

/* What its deletion replaces: the instruction with blanks on its lines. */
struct json_t *sarif_replaced_region(const struct review_item *item);

/* Where reports stand, with the lines around as far as they are at hand. */
struct json_t *sarif_location(const struct review_file *file, uint32_t index,
                              const struct review_item *item);

/* The same in the other text, PTX or CUDA source, and the steps that the item rests on. */
struct json_t *sarif_related(const struct review_file *file, uint32_t index,
                             const struct review_item *item);

/* The path of a hazard, which viewers can be led along. */
struct json_t *sarif_code_flows(const struct review_file *file, uint32_t index,
                                const struct review_item *item);

/* The lines of the CUDA source as a stack of calls, of an item that has some. */
struct json_t *sarif_stacks(const struct review_item *item);

#endif

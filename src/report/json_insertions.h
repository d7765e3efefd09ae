/* Prints what --fix inserts, in the formats for programs. */
#ifndef PTXOPT_REPORT_JSON_INSERTIONS_H
#define PTXOPT_REPORT_JSON_INSERTIONS_H

#include "api/ptxopt.h"

struct json_t;

/* The insertions as a list, a new reference: of replacements for SARIF, of suggestions for
 * reviewdog. */
struct json_t *json_insertions_sarif(const struct ptxopt_finding *finding);
struct json_t *json_insertions_rdjson(const struct ptxopt_finding *finding);

#endif

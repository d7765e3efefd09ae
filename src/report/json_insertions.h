/* Prints what --fix inserts, for the formats for programs. */
#ifndef PTXOPT_REPORT_JSON_INSERTIONS_H
#define PTXOPT_REPORT_JSON_INSERTIONS_H

#include "api/ptxopt.h"

struct json_t;

/* Lists, new references: replacements of SARIF; suggestions of reviewdog. */
struct json_t *json_insertions_sarif(const struct ptxopt_finding *finding);
struct json_t *json_insertions_rdjson(const struct ptxopt_finding *finding);

#endif

/* Prints the insertions of --fix. An inserted line replaces nothing, at the beginning of another
 * line. */
#include <jansson.h>

#include "report/json_insertions.h"

#include "report/json.h"

static json_t *list_of(const struct ptxopt_finding *finding,
                       json_t *(*one)(const struct ptxopt_insertion *insertion))
{
    json_t *list = json_need(json_array());
    for (uint32_t i = 0; i < finding->insertion_count; i++)
        json_array_append_new(list, json_need(one(&finding->insertions[i])));
    return list;
}

static json_t *of_sarif(const struct ptxopt_insertion *at)
{
    return json_pack("{s:{s:i,s:i,s:i,s:i,s:i,s:i},s:{s:s}}", "deletedRegion", "startLine",
                     (int)at->line, "startColumn", 1, "endLine", (int)at->line, "endColumn", 1,
                     "byteOffset", (int)at->at, "byteLength", 0, "insertedContent", "text",
                     at->text);
}

static json_t *of_rdjson(const struct ptxopt_insertion *at)
{
    return json_pack("{s:{s:{s:i,s:i},s:{s:i,s:i}},s:s}", "range", "start", "line", (int)at->line,
                     "column", 1, "end", "line", (int)at->line, "column", 1, "text", at->text);
}

json_t *json_insertions_sarif(const struct ptxopt_finding *finding)
{
    return list_of(finding, of_sarif);
}

json_t *json_insertions_rdjson(const struct ptxopt_finding *finding)
{
    return list_of(finding, of_rdjson);
}

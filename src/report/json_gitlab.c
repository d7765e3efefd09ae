/* Prints GitLab's Code Quality report: an array of findings. Each has a distinct fingerprint,
 * because GitLab hides findings with equal ones. */
#include <jansson.h>

#include "report/fingerprint.h"
#include "report/format.h"
#include "report/json.h"

static const char *gitlab_severity(const struct review_item *item)
{
    static const char *const words[REVIEW_SEVERITIES] = {"critical", "major", "info"};
    return item->finding.kind == PTXOPT_DELETED ? "minor" : words[review_severity(item)];
}

static json_t *gitlab_location(const struct review_file *file, const struct review_item *item)
{
    bool cuda = item->at_source;
    const char *path = cuda ? item->stack.at[0].source->place : file->place_name;
    uint32_t begin = cuda ? item->source_line : item->finding.line;
    uint32_t end = cuda ? item->source_line : item->finding.end_line;
    return json_need(json_pack("{s:s,s:{s:i,s:i}}", "path", path, "lines", "begin", (int)begin,
                               "end", (int)end));
}

void report_gitlab(struct buf *out, const struct review *review)
{
    struct fingerprints prints = {0};
    json_t *list = json_need(json_array());
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t i = 0; i < file->items.count; i++) {
            const struct review_item *item = &file->items.at[i];
            char print[FINGERPRINT_DIGITS + 1];
            fingerprint_add(&prints, file, item, print);
            json_array_append_new(
                list, json_need(json_pack("{s:o,s:s,s:s,s:s,s:o}", "description",
                                          json_message(item), "check_name", item->finding.code,
                                          "fingerprint", print, "severity", gitlab_severity(item),
                                          "location", gitlab_location(file, item))));
        }
    }
    json_add(out, list, true);
    fingerprints_free(&prints);
}

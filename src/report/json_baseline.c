/* Reads and writes baselines, the accepted removals and lint findings. A baseline is a list of ids;
 * code, function and instruction are there only for people. It has no line numbers, because lines
 * move. */
#include <jansson.h>

#include <stdlib.h>

#include "report/baseline.h"

#include "report/json.h"

static const char type[] = "ptxopt-baseline";
static const char type_of_lint[] = "ptxopt-lint-baseline"; /* from before it held removals */
enum { SCHEMA_VERSION = 1 };

/* ---- reading ---- */

static const char *baseline_copy_member(struct baseline *baseline, const json_t *object,
                                        const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_copy(&baseline->arena, text, strlen(text)) : "";
}

static bool read_entries(struct baseline *baseline, const json_t *document, struct buf *error)
{
    const json_t *list = json_object_get(document, "findings");
    const char *found = json_string_value(json_object_get(document, "type"));
    json_int_t version = json_integer_value(json_object_get(document, "schema"));
    bool known = found && (strcmp(found, type) == 0 || strcmp(found, type_of_lint) == 0);
    if (!known || version != SCHEMA_VERSION || !json_is_array(list)) {
        buf_printf(error, "expected \"type\": \"%s\", \"schema\": %d and a list \"findings\"", type,
                   (int)SCHEMA_VERSION);
        return false;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        struct baseline_entry read = {baseline_copy_member(baseline, entry, "id"),
                                      baseline_copy_member(baseline, entry, "code"),
                                      baseline_copy_member(baseline, entry, "function")};
        if (strspn(read.id, "0123456789abcdef") != 12 || read.id[12]) {
            buf_printf(error, "finding %zu: expected an \"id\" of 12 hexadecimal digits", i + 1);
            return false;
        }
        vec_push(&baseline->entries, read);
    }
    return true;
}

bool baseline_read(struct baseline *baseline, struct str text, struct buf *error)
{
    json_error_t wrong;
    json_t *document = json_loadb(text.n ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &wrong);
    if (!document) {
        buf_printf(error, "line %d, column %d: %s", wrong.line, wrong.column, wrong.text);
        return false;
    }
    bool good = read_entries(baseline, document, error);
    json_decref(document);
    return good;
}

void baseline_free(struct baseline *baseline)
{
    vec_free(&baseline->entries);
    arena_free(&baseline->arena);
}

/* ---- writing ---- */

struct accepted VEC(const struct ptxopt_finding *);

static int compare_accepted(const void *a, const void *b)
{
    const struct ptxopt_finding *x = *(const struct ptxopt_finding *const *)a,
                                *y = *(const struct ptxopt_finding *const *)b;
    int order = strcmp(x->function, y->function);
    if (!order) order = strcmp(x->code, y->code);
    return order ? order : strcmp(x->id, y->id);
}

static void collect_accepted(struct accepted *accepted, const struct review_file *file)
{
    for (uint32_t i = 0; i < file->items.count; i++) {
        const struct ptxopt_finding *finding = &file->items.at[i].finding;
        if (finding->kind == PTXOPT_HAZARD || finding->kind == PTXOPT_DELETED)
            vec_push(accepted, finding);
    }
    for (uint32_t i = 0; i < file->suppressed.count; i++)
        if (strcmp(file->suppressed.at[i].finding.reason, "baseline") == 0)
            vec_push(accepted, &file->suppressed.at[i].finding);
}

void baseline_write(struct buf *out, const struct review *review)
{
    struct accepted accepted = {0};
    json_t *list = json_need(json_array());
    for (uint32_t f = 0; f < review->count; f++) collect_accepted(&accepted, review->files[f]);
    if (accepted.count) qsort(accepted.at, accepted.count, sizeof *accepted.at, compare_accepted);
    for (uint32_t i = 0; i < accepted.count; i++) {
        const struct ptxopt_finding *finding = accepted.at[i];
        if (i && strcmp(accepted.at[i - 1]->id, finding->id) == 0) continue;
        json_array_append_new(
            list, json_need(json_pack("{s:s,s:s,s:s,s:s}", "function", finding->function, "code",
                                      finding->code, "id", finding->id, "text", finding->text)));
    }
    json_add(out,
             json_need(json_pack("{s:s,s:i,s:o}", "type", type, "schema", (int)SCHEMA_VERSION,
                                 "findings", list)),
             true);
    vec_free(&accepted);
}

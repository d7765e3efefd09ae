/* Summarises a log: what was removed in a build, and which texts fell back. Reads the lines that
 * json_record.c writes. */
#include <jansson.h>

#include "wrapper/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

/* The texts with the same reason. */
struct cause {
    char *reason, *input; /* input: path of the first text */
    uint32_t count;
};

enum { REWRITTEN, UNCHANGED, PASSED_ON, DISABLED, FAILED, REFUSED, OUTCOMES };

/* In the spelling of the log. */
static const char *const results[OUTCOMES] = {"rewritten", "unchanged", "passed-on",
                                              "disabled",  "failed",    "refused"};

struct summary {
    uint32_t counts[OUTCOMES]; /* number of texts, by result */
    uint32_t texts, strange, by_server;
    uint64_t deleted, candidates, us;
    uint64_t longest_us, most_deleted;
    char *longest, *most; /* inputs with the greatest time and the most removals; NULL: none */
    struct VEC(struct cause) causes;
};

static char *copy(const char *text)
{
    struct buf out = {0};
    buf_puts(&out, text);
    return buf_take(&out);
}

static const char *string_of(const json_t *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record, name));
    return text ? text : "";
}

static uint64_t json_number_of(const json_t *record, const char *name)
{
    json_int_t value = json_integer_value(json_object_get(record, name));
    return value > 0 ? (uint64_t)value : 0;
}

/* Stores the input if its value is the greatest so far. */
static void keep_greatest(uint64_t *greatest, char **input, uint64_t value, const json_t *record)
{
    if (value <= *greatest) return;
    *greatest = value;
    mem_free(*input);
    *input = copy(string_of(record, "input"));
}

static void add_cause(struct summary *summary, const json_t *record)
{
    const char *reason = string_of(record, "reason");
    if (!*reason) reason = "ptxas refused the text without the synchronisation";
    for (uint32_t i = 0; i < summary->causes.count; i++) {
        if (strcmp(summary->causes.at[i].reason, reason) != 0) continue;
        summary->causes.at[i].count++;
        return;
    }
    vec_push(&summary->causes, (struct cause){copy(reason), copy(string_of(record, "input")), 1});
}

static void add_record(struct summary *summary, const json_t *record)
{
    const char *result = string_of(record, "result");
    for (int i = 0; i < OUTCOMES; i++) {
        if (strcmp(result, results[i]) != 0) continue;
        summary->counts[i]++;
        summary->texts++;
        summary->by_server += json_is_true(json_object_get(record, "by_server"));
        summary->us += json_number_of(record, "us");
        keep_greatest(&summary->longest_us, &summary->longest, json_number_of(record, "us"),
                      record);
        if (i == FAILED || i == REFUSED) add_cause(summary, record);
        if (i != REWRITTEN && i != UNCHANGED) return;
        uint64_t deleted = json_number_of(record, "deleted");
        summary->deleted += deleted;
        summary->candidates += json_number_of(record, "candidates");
        keep_greatest(&summary->most_deleted, &summary->most, deleted, record);
        return;
    }
    summary->strange++;
}

static void read_lines(struct summary *summary, struct str rest)
{
    while (rest.n) {
        const char *end = memchr(rest.p, '\n', rest.n);
        size_t len = end ? (size_t)(end - rest.p) : rest.n;
        json_t *record = json_loadb(rest.p, len, 0, NULL);
        if (len) add_record(summary, record);
        json_decref(record);
        len += end != NULL;
        rest = (struct str){rest.p + len, rest.n - len};
    }
}

/* ---- printing ---- */

static void put_outcomes(struct buf *out, const struct summary *summary)
{
    const uint32_t *counts = summary->counts;
    if (counts[REWRITTEN]) {
        buf_printf(out, "rewritten   %" PRIu32, counts[REWRITTEN]);
        if (summary->by_server)
            buf_printf(out, ", without %" PRIu32 " that a server optimized", summary->by_server);
        buf_printf(out,
                   ": %" PRIu64 " of %" PRIu64 " candidates removed; most, %" PRIu64 ", in %s\n",
                   summary->deleted, summary->candidates, summary->most_deleted,
                   summary->most ? summary->most : "none");
    }
    if (counts[UNCHANGED])
        buf_printf(out, "unchanged   %" PRIu32 ": nothing is redundant\n", counts[UNCHANGED]);
    if (counts[PASSED_ON] + counts[DISABLED])
        buf_printf(out,
                   "passed on   %" PRIu32 ": nothing for ptxopt in %" PRIu32
                   ", PTXOPT_DISABLE for %" PRIu32 "\n",
                   counts[PASSED_ON] + counts[DISABLED], counts[PASSED_ON], counts[DISABLED]);
}

/* Appends the most frequent causes first, and the others in one line. */
static void put_causes(struct buf *out, struct summary *summary)
{
    enum { SHOWN = 3 };
    uint32_t left = summary->counts[FAILED] + summary->counts[REFUSED];
    if (!left) return;
    buf_printf(out, "fell back   %" PRIu32 ": the original was assembled\n", left);
    for (int shown = 0; shown < SHOWN && left; shown++) {
        struct cause *most = &summary->causes.at[0];
        for (uint32_t i = 1; i < summary->causes.count; i++)
            if (summary->causes.at[i].count > most->count) most = &summary->causes.at[i];
        buf_printf(out, "  %" PRIu32 "  %s (%s%s)\n", most->count, most->reason, most->input,
                   most->count > 1 ? ", ..." : "");
        left -= most->count;
        most->count = 0;
    }
    if (left) buf_printf(out, "  %" PRIu32 "  for other reasons\n", left);
}

static void put(struct buf *out, const char *log, struct summary *summary)
{
    enum { US = 1000000, MS = 1000 };
    buf_printf(out, "%s: %" PRIu32 " text%s", log, summary->texts, summary->texts == 1 ? "" : "s");
    if (summary->strange)
        buf_printf(out, ", %" PRIu32 " lines that are not records", summary->strange);
    buf_putc(out, '\n');
    put_outcomes(out, summary);
    put_causes(out, summary);
    if (summary->longest)
        buf_printf(out,
                   "time        %" PRIu64 ".%03" PRIu64 " s in ptxopt; longest, %" PRIu64
                   ".%03" PRIu64 " s, in %s\n",
                   summary->us / US, summary->us / MS % MS, summary->longest_us / US,
                   summary->longest_us / MS % MS, summary->longest);
}

bool summary_put(struct buf *out, const char *log, struct buf *error)
{
    struct summary summary = {.texts = 0};
    struct buf text = {0};
    bool good = file_read_path(log, SIZE_MAX, &text);
    if (good) {
        read_lines(&summary, (struct str){text.data, text.len});
        put(out, log, &summary);
    } else {
        buf_printf(error, "%s: %s; expected a file that PTXOPT_LOG named", log, strerror(errno));
    }
    for (uint32_t i = 0; i < summary.causes.count; i++) {
        mem_free(summary.causes.at[i].reason);
        mem_free(summary.causes.at[i].input);
    }
    vec_free(&summary.causes);
    mem_free(summary.longest);
    mem_free(summary.most);
    buf_free(&text);
    return good;
}

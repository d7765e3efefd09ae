/* Writes the log: one line with a JSON object for each module. */
#include <jansson.h>

#include "wrapper/record.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/work.h"
#include "report/json.h"

static void put_path(json_t *object, const char *key, const char *path)
{
    if (path) json_put(object, key, json_bytes(str_from(path)));
}

static void put_rewrite(json_t *object, const struct rewrite *rewrite)
{
    json_put_any(object, "digest", rewrite->digest);
    json_put(object, "input_bytes", json_integer((json_int_t)rewrite->input_bytes));
    if (rewrite->end == REWRITE_FAILED) return;
    json_put(object, "output_bytes", json_integer((json_int_t)rewrite->output_bytes));
    if (rewrite->by_server) {
        json_put(object, "by_server", json_true());
        return;
    }
    json_put(object, "functions", json_integer(rewrite->functions));
    json_put(object, "candidates", json_integer(rewrite->candidates));
    json_put(object, "deleted", json_integer(rewrite->deleted));
}

/* Arguments of the function that writes one line. */
struct entry {
    const char *path;
    const struct record *record;
};

static void add_record_entry(void *context)
{
    const struct entry *entry = context;
    const struct record *record = entry->record;
    struct buf line = {0};
    json_t *object = json_need(json_object());
    json_put_text(object, "version", ptxopt_version());
    json_put_text(object, "build", ptxopt_build());
    json_put_text(object, "result", record->result);
    if (*record->reason) json_put(object, "reason", json_bytes(str_from(record->reason)));
    put_path(object, "input", record->input);
    put_path(object, "output", record->output);
    put_path(object, "ptxas", record->real);
    if (record->rewrite) put_rewrite(object, record->rewrite);
    json_put(object, "us", json_integer(record->us));
    json_add(&line, object, false);
    int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int fd = open(entry->path, flags, 0666);
    if (fd >= 0) {
        (void)file_write_all(fd, line.data, line.len);
        close(fd);
    }
    buf_free(&line);
}

void record_add(const char *path, const struct record *record)
{
    struct entry entry = {path, record};
    json_use_work();
    (void)work_run(NULL, add_record_entry, &entry);
}

/* Reads and writes baselines, which list findings that are accepted until they are fixed. See
 * baselines.h. */
#include "cli/baselines.h"

#include <string.h>

#include "base/bug.h"
#include "base/intern.h"
#include "cli/input.h"
#include "cli/output.h"

static void describe_baseline_error(struct buf *error, const char *path, const struct buf *reason,
                                    const char *hint)
{
    buf_printf(error, "--baseline: %s: ", path);
    buf_add(error, reason->data, reason->len);
    buf_puts(error, hint);
}

bool baselines_load(struct command *command, struct buf *error)
{
    struct buf text = {0}, reason = {0};
    struct baseline *known = &command->baseline;
    const char *path = command->baseline_path;
    bool good = true;
    if (!path) return true;
    if (!input_read_path(path, command->max_input, &text, &reason)) {
        describe_baseline_error(error, path, &reason, "; create it with --write-baseline");
        good = false;
    } else if (!baseline_read(known, (struct str){text.data, text.len}, &reason)) {
        describe_baseline_error(error, path, &reason, "");
        good = false;
    }
    for (uint32_t i = 0; good && i < known->entries.count; i++)
        BUG_UNLESS(ptxopt_options_accept(command->options, known->entries.at[i].id));
    buf_free(&text);
    buf_free(&reason);
    return good;
}

static bool is_rule(const char *code)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rules[i].id, code) == 0) return true;
    return false;
}

/* True if this run would have reported the finding of the entry. */
static bool was_looked_for(const struct command *command, const struct baseline_entry *entry)
{
    bool all = !command->rules || strcmp(command->rules, "all") == 0;
    if (!is_rule(entry->code)) return command->lint;
    return !command->lints_only && !command->fix && all && !command->ids.count;
}

/* Reports the entries whose findings are gone. A finding that a comment also accepts is still
 * there. */
static void say_fixed(const struct command *command, const struct review *review,
                      struct buf *messages)
{
    struct intern found = {0};
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t i = 0; i < review->files[f]->suppressed.count; i++)
            intern_add(&found, 0, str_from(review->files[f]->suppressed.at[i].finding.id));
    for (uint32_t i = 0; i < command->baseline.entries.count; i++) {
        const struct baseline_entry *entry = &command->baseline.entries.at[i];
        bool is_found = intern_find(&found, 0, str_from(entry->id)) != INTERN_NONE;
        if (is_found || !was_looked_for(command, entry)) continue;
        buf_printf(messages, "ptxopt: %s: note: %s in %.40s%s (id %s) is no longer found\n",
                   command->baseline_path, entry->code, entry->function,
                   strlen(entry->function) > 40 ? "…" : "", entry->id);
    }
    intern_free(&found);
}

int baselines_settle(const struct command *command, const struct review *review,
                     struct buf *messages)
{
    const char *path = command->new_baseline_path;
    struct buf text = {0}, reason = {0};
    if (command->baseline_path) say_fixed(command, review, messages);
    if (!path) return 0;
    baseline_write(&text, review);
    bool written = output_write(path, text.data, text.len, &reason);
    if (!written) {
        buf_printf(messages, "ptxopt: --write-baseline: %s: ", path);
        buf_add(messages, reason.data, reason.len);
        buf_putc(messages, '\n');
    }
    buf_free(&text);
    buf_free(&reason);
    return written ? 0 : EXIT_USAGE;
}

/* Transforms one file: reads it, runs the library, writes the output, adds messages, in this order.
 * Nothing is written before the whole input has been understood. A text that cannot be understood
 * is an error, or is copied unchanged with --keep-going. See transform.h. */
#include "cli/transform.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/passage.h"
#include "cli/here.h"
#include "cli/built.h"
#include "cli/timed.h"
#include "report/anchor.h"
#include "report/fixes.h"
#include "report/text.h"
#include "text/mention.h"

#define NOTHING_THERE "not parsed, since it has no tcgen05 and no .proxy"

/* The library needs a pointer also for an empty text. */
static const char *bytes_of(const struct buf *input)
{
    return input->len ? input->data : "";
}

static int transform_refuse(struct buf *messages, const char *name, struct buf *reason)
{
    char *text = buf_take(reason);
    buf_printf(messages, "ptxopt: %s: %s\n", name, text);
    mem_free(text);
    return EXIT_USAGE;
}

/* If the output could not be written, reason says why. */
static int finish_output(const char *output, bool written, struct buf *messages, struct buf *reason)
{
    const char *name = strcmp(output, "-") == 0 ? "<stdout>" : output;
    if (!written) return transform_refuse(messages, name, reason);
    buf_free(reason);
    return 0;
}

static int transform_write_text(const char *output, const char *text, size_t len,
                                struct buf *messages)
{
    struct buf reason = {0};
    bool written = output_write(output, text, len, &reason);
    return finish_output(output, written, messages, &reason);
}

/* Lint always prints a summary, because silence could mean "nothing found" or "nothing read".
 * --check has messages of its own about what it would remove. */
static bool is_summary_wanted(const struct command *command, bool changed)
{
    bool lints = command->lints_only || command->fix;
    bool quiet = command->quiet || command->explained_id ||
                 (command->in_place ? !changed && !lints : !lints);
    return command->verbose || !quiet;
}

/* Prints the summary: sum, and where the result is. */
static void say_done(const struct command *command, const char *name, const char *output,
                     const char *sum, bool changed, struct buf *messages)
{
    buf_printf(messages, "ptxopt: %s: %s", name, sum);
    if (command->in_place && !changed)
        buf_puts(messages, ", not changed");
    else if (command_writes_text(command) && !command->in_place)
        buf_printf(messages, ", written to %s", strcmp(output, "-") == 0 ? "<stdout>" : output);
    buf_putc(messages, '\n');
}

/* True if the text was not parsed: see ptxopt_options_set_parse. */
static bool is_unread(const struct command *command, const struct ptxopt_result *result)
{
    struct str text;
    text.p = ptxopt_result_input(result, &text.n);
    return command->parse == PTXOPT_PARSE_SHAPES && !command->lint && !mention_found(text);
}

/* Lint found nothing, and no other summary says that. */
static bool is_lint_silent(const struct command *command, const struct ptxopt_result *result)
{
    bool tells = command->lints_only || command->fix || command->quiet || command->explained_id;
    return command->lint && !tells && !ptxopt_result_count(result, PTXOPT_HAZARD);
}

static void say_result(const struct command *command, const char *name, const char *output,
                       const struct ptxopt_result *result, struct buf *messages)
{
    struct buf sum = {0};
    bool changed = ptxopt_result_changed(result);
    if (is_lint_silent(command, result)) {
        buf_printf(messages, "ptxopt: %s: lint: ", name);
        text_lint_sum(messages, result);
        buf_putc(messages, '\n');
    }
    if (!is_summary_wanted(command, changed))
        return; /* without memory the finished work would fail */
    if (command->stage)
        buf_printf(&sum, "stage %s", command->stage);
    else if (is_unread(command, result))
        buf_puts(&sum, NOTHING_THERE);
    else
        text_sum(&sum, result, command_writes_text(command) ? "removed" : "redundant");
    if (command->lints_only && !command->remarks_full && ptxopt_result_count(result, PTXOPT_HAZARD))
        buf_puts(&sum, "; --remarks=full shows the path of each finding");
    buf_putc(&sum, '\0');
    say_done(command, name, output, sum.data, changed, messages);
    buf_free(&sum);
}

static int write_stage(const struct command *command, const struct ptxopt_options *options,
                       const char *name, const struct buf *input, const char *output,
                       struct buf *messages)
{
    size_t len;
    char *stage = ptxopt_dump(options, command->stage, name, bytes_of(input), input->len, &len);
    if (!stage) mem_exhausted(); /* the name of the stage is known to be valid */
    int status = transform_write_text(output, stage, len, messages);
    free(stage); /* allocated for free(), see ptxopt.h */
    return status;
}

static struct text_manner text_manner_of(const struct command *command)
{
    static const enum text_place places[] = {
        [LOCATE_BOTH] = TEXT_BOTH, [LOCATE_PTX] = TEXT_PTX, [LOCATE_SOURCE] = TEXT_SOURCE};
    static const struct review_finder finder = {path_of_source, NULL};
    return (struct text_manner){.forgiving = command->keep_going,
                                .finder = &finder,
                                .full = command->remarks_full,
                                .no_hazards = command->quiet || command->explained_id,
                                .place = places[command->locate],
                                .verb = command_writes_text(command) ? "removed" : "redundant",
                                .color = reports_has_color(command->color, STDERR_FILENO)};
}

static void build_review(const struct command *command, struct transform *transform,
                         const char *name, const struct ptxopt_result *result,
                         struct measure_pair *sass)
{
    char *place = path_from_here(name);
    review_file_build(&transform->review, name, place, result, sass);
    mem_free(place);
    unsigned traits = 0;
    for (uint32_t i = 0; i < command->reports.count; i++)
        traits |= command->reports.at[i].format->traits;
    report_prepare(&transform->review, result, traits);
    bool at_source = command->locate == LOCATE_SOURCE;
    bool hashes = traits & REPORT_HASHES_LINES;
    struct review_finder finder = {path_of_source, hashes && at_source ? read_below_here : NULL};
    review_file_find_sources(&transform->review, &finder);
    if (at_source) review_file_anchor(&transform->review);
}

/* Adds everything that is only reported about the result: remarks, statistics, reports. */
static void report_result(const struct command *command, const char *name, struct built *built,
                          struct transform *transform)
{
    struct measure_pair sass = {0};
    struct text_manner how = text_manner_of(command);
    if (command->remarks) text_remarks(&transform->messages, name, built->result, &how);
    bool measured = built_tell(built, &sass, &transform->messages);
    if (command_reviews(command))
        build_review(command, transform, name, built->result, measured ? &sass : NULL);
    measure_pair_free(&sass);
}

/* The finding with that id; NULL: none. */
static const struct ptxopt_finding *find_by_id(const struct ptxopt_result *result, const char *id)
{
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(findings[i].id, id) == 0) return &findings[i];
    return NULL;
}

/* Marks the ids that occur in this text, and warns about ids of --only whose candidate is kept. */
static void mark_ids(const struct command *command, const char *name,
                     const struct ptxopt_result *result, struct transform *transform)
{
    for (uint32_t i = 0; i < command->ids.count; i++) {
        const struct chosen_id *chosen = &command->ids.at[i];
        const struct ptxopt_finding *finding = find_by_id(result, chosen->id);
        transform->ids_met[i] |= finding != NULL;
        if (!finding || !chosen->only || finding->kind != PTXOPT_KEPT || command->quiet) continue;
        buf_printf(&transform->messages, "%s:%u:%u: warning: --only %s: still kept: %s [%s: %s]\n",
                   name, finding->line, finding->column, chosen->id, finding->brief, finding->code,
                   finding->reason);
    }
}

/* The number of hazards that make --check fail. */
static size_t count_failing(const struct command *command, const struct ptxopt_result *result)
{
    size_t count = 0;
    const struct ptxopt_finding *hazard = NULL;
    while ((hazard = ptxopt_result_next(result, PTXOPT_HAZARD, hazard)))
        count += command->has_level || hazard->level == PTXOPT_ERROR;
    return count;
}

/* The number of removals that make --check fail, without those that a baseline accepts. */
static size_t count_new(const struct ptxopt_result *result)
{
    size_t count = 0;
    const struct ptxopt_finding *edit = NULL;
    while ((edit = ptxopt_result_next(result, PTXOPT_DELETED, edit))) count += !*edit->reason;
    return count;
}

static int say_count(const char *name, size_t count, const char *noun, struct buf *messages)
{
    if (!count) return 0;
    buf_printf(messages, "ptxopt: %s: ", name);
    review_plural(messages, count, noun);
    buf_putc(messages, '\n');
    return EXIT_CHANGES;
}

/* Implements --check: prints what would be removed, unless a report shows it, and the counts. */
static int check_result_of(const struct command *command, const char *name,
                           const struct ptxopt_result *result, struct buf *messages)
{
    size_t failing = count_failing(command, result);
    size_t deleted = count_new(result), fixes;
    struct text_manner how = text_manner_of(command);
    (void)ptxopt_result_insertions(result, &fixes);
    if (command->quiet) return failing || deleted || fixes ? EXIT_CHANGES : 0;
    if (!command->remarks && !command->reports.count) text_deletions(messages, name, result, &how);
    int missing = say_count(name, failing, command->has_level ? "finding" : "error", messages);
    int changes = say_count(name, deleted, "redundant instruction", messages);
    int inserted = say_count(name, fixes, "line to insert", messages);
    return missing ? missing : changes ? changes : inserted;
}

static bool asks_about_text(const struct command *command)
{
    return command->remarks || command->check || command->stats || command->ids.count ||
           command->reports.count || command->sass || limits_exist(&command->limits);
}

/* Reports that there is nothing to inspect in the text, if an option inspects it. */
static void say_nothing_there(const struct command *command, const char *name, struct buf *messages)
{
    if (asks_about_text(command) && !command->quiet && !command->verbose)
        buf_printf(messages, "ptxopt: %s: " NOTHING_THERE "\n", name);
}

static void say_unread(const struct command *command, const char *name,
                       const struct ptxopt_result *result, struct buf *messages)
{
    if (asks_about_text(command) && is_unread(command, result))
        say_nothing_there(command, name, messages);
}

/* Adds what was wrong, or worth a remark. Returns the exit status. */
static int diagnose_result(const struct command *command, const char *name,
                           const struct ptxopt_result *result, const struct witnesses *witnesses,
                           struct buf *messages)
{
    enum ptxopt_status status = ptxopt_result_status(result);
    struct text_manner how = text_manner_of(command);
    if (status == PTXOPT_NO_MEMORY) mem_exhausted();
    if (status == PTXOPT_CANCELLED)
        buf_printf(messages, "ptxopt: %s: not done after %zu ms%s\n", name, command->timeout_ms,
                   command->keep_going
                       ? ", copied unchanged"
                       : "; expected a longer --timeout, or --keep-going to copy it unchanged");
    else
        text_diagnostics(messages, name, result, witnesses, &how);
    if (command->fix && !command->quiet) fixes_print(messages, name, result, !command->check);
    if (status == PTXOPT_OK || command->keep_going) return 0;
    return status == PTXOPT_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
}

/* Implements --explain ID: prints the finding with that id, if this text has it. */
static int explain(const struct command *command, const char *name,
                   const struct ptxopt_result *result, struct buf *messages)
{
    struct buf text = {0};
    struct text_manner how = text_manner_of(command);
    how.full = true;
    text_finding(&text, name, result, command->explained_id, &how);
    int status = transform_write_text("-", text.data, text.len, messages);
    buf_free(&text);
    return status;
}

static int transform_run(const struct command *command, const struct ptxopt_options *options,
                         const char *name, const struct buf *input, const char *output,
                         struct choice *choice, struct transform *transform)
{
    const char *bytes = bytes_of(input);
    struct buf *messages = &transform->messages;
    struct ptxopt_result *result = ptxopt_run(options, name, bytes, input->len);
    bool bad = ptxopt_result_status(result) != PTXOPT_OK;
    struct built built = {.command = command,
                          .name = name,
                          .result = result,
                          .choice = choice,
                          .at_once = transform->alone,
                          .clock = &transform->clock};
    built_begin(&built, input, messages);
    int status = diagnose_result(command, name, result, built_witnesses(&built), messages);
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    if (!bad) mark_ids(command, name, result, transform);
    if (!bad) say_unread(command, name, result, messages);
    if (!status && command->explained_id)
        status = bad ? 0 : explain(command, name, result, messages);
    else if (!status && command->check)
        status = check_result_of(command, name, result, messages);
    else if (!status && command->stage && !bad)
        status = write_stage(command, options, name, input, output, messages);
    else if (!status && command_writes_text(command))
        status = transform_write_text(output, text, len, messages);
    if (!status && command->certificate && !bad) {
        const char *certificate = ptxopt_result_certificate(result, &len);
        status = transform_write_text(command->certificate, certificate, len, messages);
    }
    if (!status && !bad) say_result(command, name, output, result, messages);
    if (status <= EXIT_CHANGES)
        report_result(command, name, &built, transform);
    else if (command_reviews(command))
        build_review(command, transform, name, result, NULL);
    if (command_reviews(command)) built_add(&built, &transform->review);
    built_end(&built);
    ptxopt_result_free(result);
    return status;
}

/* Lets a server process the text; false: it must be processed locally. */
static bool run_on_server(const struct command *command, const char *name, const struct buf *input,
                          const char *output, struct transform *transform, int *status)
{
    struct buf answer = {0}, sum = {0};
    struct str text = {bytes_of(input), input->len};
    if (!remote_run(transform->remote, text, &answer, &transform->messages)) return false;
    *status = transform_write_text(output, bytes_of(&answer), answer.len, &transform->messages);
    bool changed = !str_eq((struct str){bytes_of(&answer), answer.len}, text);
    if (!*status && is_summary_wanted(command, changed)) {
        buf_printf(&sum, "%s by %s%c", changed ? "rewritten" : "unchanged", command->server, '\0');
        say_done(command, name, output, sum.data, changed, &transform->messages);
    }
    buf_free(&sum);
    buf_free(&answer);
    return true;
}

/* Reports that --server-required was given and the server was not used or gave no valid answer. */
static int refuse_without_server(const char *name, struct transform *transform)
{
    struct buf reason = {0};
    buf_puts(&reason, "error: not done: --server-required, and the server was not used");
    transform_refuse(&transform->messages, name, &reason);
    return EXIT_UNAVAILABLE;
}

static void note_analysed(void *context, size_t bytes)
{
    struct transform *transform = context;
    atomic_fetch_add(&transform->analysed, bytes);
}

/* text: the part of the input that has already been read; it is freed. */
static int read_and_run(const struct command *command, const char *input, const char *output,
                        struct buf text, struct transform *transform)
{
    const char *name = input_name(input);
    struct buf reason = {0};
    int status;
    if (!input_read_path(input, command->max_input, &text, &reason)) {
        if (command_reviews(command)) {
            buf_putc(&reason, '\0');
            reason.len--;
            char *place = path_from_here(name);
            review_file_fail(&transform->review, name, place, reason.data);
            mem_free(place);
        }
        status = transform_refuse(&transform->messages, name, &reason);
    } else if (transform->remote &&
               run_on_server(command, name, &text, output, transform, &status)) {
        /* done */
    } else if (command->server_required && remote_has_failed(transform->remote)) {
        status = refuse_without_server(name, transform);
    } else {
        struct timed timed;
        struct choice choice = {.made = false};
        transform->clock.limit_ns = (uint64_t)command->ptxas_timeout_ms * 1000000;
        if (limits_exist(&command->limits))
            choose_edits(&choice, command, name, &text, &transform->clock);
        timed_begin(&timed, command->options, command->timeout_ms);
        ptxopt_options_set_progress(timed.options, note_analysed, transform);
        choose_apply(&choice, timed.options);
        status = transform_run(command, timed.options, name, &text, output, &choice, transform);
        timed_end(&timed);
        choose_free(&choice);
    }
    buf_free(&text);
    buf_free(&reason);
    return status;
}

/* No option requires more than a copy of a text in which no rule can find anything. */
static bool may_only_copy(const struct command *command)
{
    return command->parse == PTXOPT_PARSE_SHAPES && !command->lint && !command->stats &&
           !command->certificate && !command_reviews(command);
}

/* Prints what would be printed for a text that was read and has nothing. */
static void say_copied(const struct command *command, const char *input, const char *output,
                       struct buf *messages)
{
    if (is_summary_wanted(command, false))
        say_done(command, input_name(input), output, NOTHING_THERE, false, messages);
    say_nothing_there(command, input_name(input), messages);
}

static int copy_passage(const struct command *command, const struct passage *passage,
                        const char *input, const char *output, struct buf *messages)
{
    struct buf reason = {0};
    bool written = !command_writes_text(command) ||
                   output_copy(output, passage->fd, passage->start, passage->len, &reason);
    if (written) say_copied(command, input, output, messages);
    return finish_output(output, written, messages, &reason);
}

static int pass_stream(const struct command *command, const char *input, const char *output,
                       struct transform *transform)
{
    struct buf text = {0}, reason = {0};
    enum stream_end end = passage_stream(output, command->max_input, &text, &reason);
    if (end == STREAM_READ) return read_and_run(command, input, output, text, transform);
    buf_free(&text);
    if (end == STREAM_PASSED) say_copied(command, input, output, &transform->messages);
    return finish_output(output, end == STREAM_PASSED, &transform->messages, &reason);
}

int transform_file(const struct command *command, const char *input, const char *output,
                   struct transform *transform)
{
    struct passage passage;
    bool only_copy = may_only_copy(command);
    if (only_copy && passage_open(&passage, input, command->max_input)) {
        int status = copy_passage(command, &passage, input, output, &transform->messages);
        passage_close(&passage);
        return status;
    }
    if (only_copy && command_writes_text(command) && strcmp(input, "-") == 0)
        return pass_stream(command, input, output, transform);
    return read_and_run(command, input, output, (struct buf){0}, transform);
}

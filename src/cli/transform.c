/* What happens to one file? Read, run, write, tell, in that order: nothing is written before the
 * whole input is understood, and a text that cannot be is left alone unless --keep-going. */
#include "cli/transform.h"

#include <string.h>

#include "base/mem.h"
#include "cli/input.h"
#include "cli/output.h"
#include "report/measure.h"
#include "report/text.h"

/* An empty buffer has no data, and the library wants a text. */
static const char *bytes_of(const struct buf *input)
{
    return input->len ? input->data : "";
}

static int refuse(struct buf *messages, const char *name, struct buf *reason)
{
    char *text = buf_take(reason);
    buf_printf(messages, "ptxopt: %s: %s\n", name, text);
    mem_free(text);
    return EXIT_USAGE;
}

static int write_text(const char *output, const char *text, size_t len, struct buf *messages)
{
    struct buf reason = {0};
    const char *name = strcmp(output, "-") == 0 ? "<stdout>" : output;
    if (!output_write(output, text, len, &reason)) return refuse(messages, name, &reason);
    buf_free(&reason);
    return 0;
}

static int write_stage(const struct command *command, const char *name, const struct buf *input,
                       const char *output, struct buf *messages)
{
    size_t len;
    const char *bytes = bytes_of(input);
    char *stage = ptxopt_dump(command->options, command->stage, name, bytes, input->len, &len);
    if (!stage) {
        buf_printf(messages, "ptxopt: %s: there is no stage '%s'\n", name, command->stage);
        return EXIT_USAGE;
    }
    int status = write_text(output, stage, len, messages);
    mem_free(stage);
    return status;
}

static void add_stats(const char *name, const struct buf *input,
                      const struct ptxopt_result *result, struct buf *messages)
{
    struct text_sass sass = {0};
    bool changed = ptxopt_result_changed(result);
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    char *problem = measure_run(&sass.before, bytes_of(input), input->len);
    if (changed && !problem) problem = measure_run(&sass.after, text, len);
    if (!changed) sass.after = sass.before;
    sass.problem = problem;
    text_stats(messages, name, result, &sass);
    mem_free(problem);
    measure_free(&sass.before);
    if (changed) measure_free(&sass.after);
}

static int run(const struct command *command, const char *name, const struct buf *input,
               const char *output, struct buf *messages)
{
    const char *bytes = bytes_of(input);
    struct ptxopt_result *result = ptxopt_run(command->options, name, bytes, input->len);
    bool bad = ptxopt_result_status(result) == PTXOPT_BAD_INPUT;
    int status = bad && !command->keep_going ? EXIT_USAGE : 0;
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    text_diagnostics(messages, name, result, command->keep_going);
    if (!status && command->stage && !bad)
        status = write_stage(command, name, input, output, messages);
    else if (!status) status = write_text(output, text, len, messages);
    if (!status && command->remarks) text_remarks(messages, name, result);
    if (!status && command->stats) add_stats(name, input, result, messages);
    ptxopt_result_free(result);
    return status;
}

int transform_file(const struct command *command, const char *input, const char *output,
                   struct buf *messages)
{
    const char *name = input_name(input);
    struct buf text = {0}, reason = {0};
    int status = input_read(input, command->max_input, &text, &reason)
                     ? run(command, name, &text, output, messages)
                     : refuse(messages, name, &reason);
    buf_free(&text);
    buf_free(&reason);
    return status;
}

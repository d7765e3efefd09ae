/* Reads PTXOPT_FLAGS as a command line of ptxopt, and rejects options that make no sense for a text
 * on its way to ptxas. */
#include "wrapper/flags.h"

#include <string.h>

#include "base/mem.h"

static const char blanks[] = " \t\n";

static void split_flags(struct flags *flags, const char *text)
{
    static char name[] = "ptxopt";
    size_t len = strlen(text);
    struct buf copy = {0};
    buf_add(&copy, text, len);
    flags->text = buf_take(&copy);
    flags->argv = mem_zalloc(len / 2 + 3, sizeof *flags->argv); /* a word and a blank: two bytes */
    flags->argv[flags->argc++] = name;
    char *rest = NULL;
    for (char *word = strtok_r(flags->text, blanks, &rest); word;
         word = strtok_r(NULL, blanks, &rest))
        flags->argv[flags->argc++] = word;
}

static bool has_file_of_its_own(const struct report_list *reports)
{
    for (uint32_t i = 0; i < reports->count; i++)
        if (reports->at[i].path) return true;
    return false;
}

/* Returns the name of an option that PTXOPT_FLAGS must not contain; NULL: there is none. */
static const char *find_misplaced(const struct command *command)
{
    if (command->action != ACTION_RUN) return "a question";
    if (command->output || command->in_place) return "an output";
    if (command->check || command->bisect || command->stage) return "--check, --bisect or --dump";
    if (command->certificate || has_file_of_its_own(&command->reports)) return "a file of a report";
    if (command->remarks || command->stats) return "--remarks or --stats";
    if (command->verbose || command->quiet || command->color) return "-v, -q or --color";
    if (command->server) return "--server";
    if (command->baseline_path || command->new_baseline_path) return "a baseline";
    if (command->input_count != 1 || strcmp(command->inputs[0], "-") != 0) return "an input";
    return NULL;
}

bool flags_read(struct flags *flags, const char *text, struct buf *error)
{
    *flags = (struct flags){0};
    split_flags(flags, text ? text : "");
    struct buf reason = {0};
    const char *wrong = NULL;
    bool good = command_parse(&flags->command, flags->argc, flags->argv, &reason) &&
                !(wrong = find_misplaced(&flags->command));
    if (wrong) buf_printf(&reason, "%s cannot be used here", wrong);
    if (!good) {
        buf_puts(error, "PTXOPT_FLAGS: ");
        buf_add(error, reason.data, reason.len);
    }
    buf_free(&reason);
    return good;
}

void flags_free(struct flags *flags)
{
    command_free(&flags->command);
    mem_free(flags->argv);
    mem_free(flags->text);
}

void flags_add(struct buf *out, const struct flags *flags)
{
    for (int i = 1; i < flags->argc; i++) buf_printf(out, " %s", flags->argv[i]);
}

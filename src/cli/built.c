/* What do --sass and --stats want to know of ptxas? */
#include "cli/built.h"

static void say_unknown(const struct built *built, const char *what, const char *why,
                        struct buf *messages)
{
    if (why) buf_printf(messages, "ptxopt: %s: --sass: %s: %s\n", built->name, what, why);
}

void built_begin(struct built *built, const struct command *command, const char *name,
                 const struct buf *input, const struct ptxopt_result *result, struct buf *messages)
{
    *built = (struct built){.command = command, .name = name, .result = result};
    built->before.text = (struct str){input->len ? input->data : "", input->len};
    built->after.text.p = ptxopt_result_text(result, &built->after.text.n);
    built->before.ptxas = built->after.ptxas = command->ptxas;
    if (!command->sass) return;
    witnesses_find(&built->witnesses, &built->before, result);
    say_unknown(built, "not known", built->witnesses.problem, messages);
}

const struct witnesses *built_witnesses(const struct built *built)
{
    return built->witnesses.at && !built->witnesses.problem ? &built->witnesses : NULL;
}

static void find_changes(struct built *built, struct buf *messages)
{
    struct sass_changes *changes = &built->changes;
    sass_changes_find(changes, &built->before, &built->after, built->result);
    if (!built->witnesses.problem) say_unknown(built, "not known", changes->problem, messages);
    say_unknown(built, "no instructions are shown", changes->no_texts, messages);
}

bool built_tell(struct built *built, struct measure_pair *figures, struct buf *messages)
{
    const struct command *command = built->command;
    bool changed = ptxopt_result_changed(built->result);
    bool aloud = command->sass && !command->reports.count;
    if (command->sass) find_changes(built, messages);
    bool measured = command->stats || (command->sass && changed && !built->changes.problem);
    if (measured) measure_pair_read(figures, &built->before, changed ? &built->after : NULL);
    if (aloud) text_changes(messages, built->name, built->result, &built->changes);
    if (command->stats)
        text_stats(messages, built->name, built->result, figures);
    else if (aloud && measured)
        text_figures(messages, figures);
    return measured;
}

void built_add(const struct built *built, struct review_file *file)
{
    if (!built->command->sass) return;
    review_file_add_witnesses(file, built->result, &built->witnesses);
    review_file_add_changes(file, built->result, &built->changes);
}

void built_end(struct built *built)
{
    witnesses_free(&built->witnesses);
    sass_changes_free(&built->changes);
    compiled_free(&built->before);
    compiled_free(&built->after);
}

/* What do --sass and --stats want to know of ptxas? */
#include "cli/built.h"

void built_begin(struct built *built, const struct command *command, const char *name,
                 const struct buf *input, const struct ptxopt_result *result, struct buf *messages)
{
    *built = (struct built){.command = command, .name = name, .result = result};
    built->before.text = (struct str){input->len ? input->data : "", input->len};
    built->after.text.p = ptxopt_result_text(result, &built->after.text.n);
    if (!command->sass) return;
    witnesses_find(&built->witnesses, &built->before, result);
    if (built->witnesses.problem)
        buf_printf(messages, "ptxopt: %s: --sass: not known: %s\n", name, built->witnesses.problem);
}

const struct witnesses *built_witnesses(const struct built *built)
{
    return built->witnesses.at && !built->witnesses.problem ? &built->witnesses : NULL;
}

bool built_tell(struct built *built, struct measure_pair *figures, struct buf *messages)
{
    if (!built->command->stats) return false;
    bool changed = ptxopt_result_changed(built->result);
    measure_pair_read(figures, &built->before, changed ? &built->after : NULL);
    text_stats(messages, built->name, built->result, figures);
    return true;
}

void built_add(const struct built *built, struct review_file *file)
{
    if (built->command->sass) review_file_add_witnesses(file, built->result, &built->witnesses);
}

void built_end(struct built *built)
{
    witnesses_free(&built->witnesses);
    compiled_free(&built->before);
    compiled_free(&built->after);
}

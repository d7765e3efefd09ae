/* Compiles with ptxas for --sass and --stats. See built.h. */
#include "cli/built.h"

#include <string.h>

static void say_unknown(const struct built *built, const char *what, const char *why,
                        struct buf *messages)
{
    if (why) buf_printf(messages, "ptxopt: %s: --sass: %s: %s\n", built->name, what, why);
}

static void say_untried(const struct built *built, struct buf *messages)
{
    const struct choice *choice = built->choice;
    if (!choice->untried) return;
    buf_printf(messages, "ptxopt: %s: warning: ", built->name);
    review_plural(messages, choice->untried, "instruction");
    buf_printf(messages, " kept, since %s is unknown: %s\n",
               choice->untried == 1 ? "its cost" : "their cost", choice->problem);
}

/* Reports kernels that exceed the limit already without edits: for these the limit has no
 * effect. */
static void say_beyond_limit(const struct built *built, struct buf *messages)
{
    const struct measure *before = &built->choice->figures.before;
    size_t most = built->command->limits.max_registers;
    const struct measure_kernel *first = NULL;
    uint32_t kernels = 0, beyond = 0;
    for (uint32_t i = 0; i < before->count; i++) {
        const struct measure_kernel *kernel = &before->at[i];
        kernels += kernel->is_entry;
        if (!kernel->is_entry || kernel->registers <= most) continue;
        if (!first) first = kernel;
        beyond++;
    }
    if (!most || !first || built->command->quiet) return;
    buf_printf(messages,
               "ptxopt: %s: warning: --max-registers %zu: %u of %u kernels exceed this without an "
               "edit (%.24s%s: %u); for them that number is the limit\n",
               built->name, most, beyond, kernels, first->name, strlen(first->name) > 24 ? "…" : "",
               first->registers);
}

void built_begin(struct built *built, const struct buf *input, struct buf *messages)
{
    const struct command *command = built->command;
    if (built->choice->made) {
        built->before = built->choice->before;
        built->choice->before = (struct compiled){.made = false};
    }
    built->before.text = (struct str){input->len ? input->data : "", input->len};
    built->after.text.p = ptxopt_result_text(built->result, &built->after.text.n);
    built->before.ptxas = built->after.ptxas = command->ptxas;
    built->before.clock = built->after.clock = built->clock;
    say_untried(built, messages);
    say_beyond_limit(built, messages);
    if (!command->sass) return;
    witnesses_find(&built->witnesses, &built->before, built->result);
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
    bool chosen = built->choice->made;
    bool measured = chosen || (command->stats && !command->only_counts) ||
                    (command->sass && changed && !built->changes.problem);
    if (chosen) {
        *figures = built->choice->figures;
        built->choice->figures = (struct measure_pair){.problem = NULL};
    } else if (measured) {
        if (changed && built->at_once) compiled_make_both(&built->before, &built->after);
        measure_pair_read(figures, &built->before, changed ? &built->after : NULL);
    }
    if (aloud) text_changes(messages, built->name, built->result, &built->changes);
    if (command->stats)
        text_stats(messages, built->name, built->result, measured ? figures : NULL);
    else if (aloud && measured)
        text_figures(messages, figures);
    return measured;
}

static void add_costs(const struct built *built, struct review_file *file)
{
    struct VEC(struct measure_cost) costs = {0};
    for (uint32_t i = 0; i < built->choice->edits.count; i++)
        if (built->choice->edits.at[i].cost.id) vec_push(&costs, built->choice->edits.at[i].cost);
    review_file_add_costs(file, costs.at, costs.count);
    vec_free(&costs);
}

void built_add(const struct built *built, struct review_file *file)
{
    add_costs(built, file);
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

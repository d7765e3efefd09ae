/* Judges several programs at once. See trial.h. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line at at without its newline; at moves past it. */
static size_t take_line(const char **at, const char **line)
{
    size_t length = strcspn(*at, "\n");
    *line = *at;
    *at += length + ((*at)[length] == '\n');
    return length;
}

/* Past the head of the kernel in both texts, which have the same head. */
static void skip_head(const char **before, const char **after)
{
    const char *line, *other;
    size_t length;
    do {
        length = take_line(before, &line);
        take_line(after, &other);
    } while (length != strlen(last_line_of_head) || memcmp(line, last_line_of_head, length) != 0);
}

static void mark_deleted(struct trial *trial, const char **before, const char **after)
{
    skip_head(before, after);
    trial->changed = false;
    for (uint32_t i = 0; i < trial->draft.count; i++) {
        const char *was, *is;
        size_t was_length = take_line(before, &was), is_length = take_line(after, &is);
        bool same = was_length == is_length && !memcmp(was, is, is_length);
        if (!same && strspn(is, " \t") < is_length) {
            printf("Bail out! the optimizer wrote '%.*s'\n", (int)is_length, is);
            exit(EXIT_FAILURE);
        }
        trial->draft.deleted[i] = !same;
        trial->changed |= !same;
    }
}

static void print_all(struct buf *text, const struct trial *trials, uint32_t count, bool before)
{
    char name[16];
    print_head(text);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "k%u", i);
        print_kernel(text, name, &trials[i].draft, before);
    }
}

static void optimize(struct trial *trials, uint32_t count)
{
    struct buf text = {0};
    print_all(&text, trials, count, true);
    struct ptxopt_options *options = ptxopt_options_new();
    size_t length = text.len;
    struct bytes before = {buf_take(&text), length}, after = optimized(options, before);
    const char *was = before.data, *is = after.data;
    for (uint32_t i = 0; i < count; i++) mark_deleted(&trials[i], &was, &is);
    ptxopt_options_free(options);
    mem_free(before.data);
    free(after.data);
}

static void verify(struct trial *trials, uint32_t count)
{
    struct buf before = {0}, after = {0};
    print_all(&before, trials, count, true);
    print_all(&after, trials, count, false);
    struct ptxopt_options *options = ptxopt_options_new();
    struct ptxopt_verification *verification =
        ptxopt_verify(options, before.data, before.len, after.data, after.len);
    size_t checked;
    const struct ptxopt_checked *at = ptxopt_verification_functions(verification, &checked);
    for (uint32_t i = 0; i < count; i++) trials[i].changed = false;
    for (size_t i = 0; i < checked; i++)
        trials[strtoul(at[i].function + 1, NULL, 10)].changed = at[i].verdict == PTXOPT_PROVEN;
    for (uint32_t i = 0; i < count; i++)
        if (!trials[i].changed) memset(trials[i].draft.deleted, 0, sizeof trials[i].draft.deleted);
    ptxopt_verification_free(verification);
    ptxopt_options_free(options);
    buf_free(&before);
    buf_free(&after);
}

void trials_decide(enum judged judged, struct trial *trials, uint32_t count)
{
    if (judged == OPTIMIZER)
        optimize(trials, count);
    else
        verify(trials, count);
}

/* ---- the kernels of a text: one for all programs with the same lines ---- */

struct kernels VEC(char *); /* their lines */

static char *kept_lines(const struct draft *draft, bool before)
{
    struct buf text = {0};
    for (uint32_t i = 0; i < draft->count; i++)
        if (before || !draft->deleted[i]) buf_printf(&text, "%s\n", draft->line[i]);
    return buf_take(&text);
}

/* The kernel of these lines; printed if it is new. */
static uint32_t kernel_of(struct kernels *kernels, struct buf *text, const struct draft *draft,
                          bool before)
{
    char name[16], *lines = kept_lines(draft, before);
    for (uint32_t i = 0; i < kernels->count; i++)
        if (!strcmp(kernels->at[i], lines)) {
            mem_free(lines);
            return i;
        }
    snprintf(name, sizeof name, "k%u", kernels->count);
    print_kernel(text, name, draft, before);
    vec_push(kernels, lines);
    return kernels->count - 1;
}

static const struct code *code_of(const struct cubin *cubin, uint32_t kernel)
{
    char name[16];
    snprintf(name, sizeof name, "k%u", kernel);
    const struct code *code = cubin_find(cubin, name);
    if (code) return code;
    printf("Bail out! ptxas made no %s\n", name);
    exit(EXIT_FAILURE);
}

/* ---- the comparison ---- */

static void print_trial(const struct trial *trial, const struct code *before,
                        const struct code *after)
{
    for (uint32_t i = 0; i < trial->draft.count; i++)
        printf("# %s%s\n", trial->draft.line[i], trial->draft.deleted[i] ? " // deleted" : "");
    printf("#   before:\n");
    print_words(&trial->body, before);
    printf("#   after:\n");
    print_words(&trial->body, after);
}

static bool find_pairs(struct trial *trial, pairs_finder *find)
{
    trial->verdict = (struct verdict){.pairs = 0};
    trial->pairs.count = 0;
    return body_parse(&trial->body, &trial->draft) && find(&trial->body, &trial->pairs);
}

static bool assemble_trials(struct trial *trials, uint32_t count, struct cubin *cubin, bool *any)
{
    struct buf text = {0};
    struct kernels kernels = {0};
    print_head(&text);
    for (uint32_t i = 0; i < count; i++)
        for (int before = 0; before < 2 && trials[i].judged; before++)
            trials[i].kernel[before] = kernel_of(&kernels, &text, &trials[i].draft, before);
    *any = kernels.count;
    bool fine = !*any || assemble(text.data, text.len, cubin);
    for (uint32_t i = 0; i < kernels.count; i++) mem_free(kernels.at[i]);
    vec_free(&kernels);
    buf_free(&text);
    return fine;
}

bool trials_judge(struct trial *trials, uint32_t count, pairs_finder *find, bool print)
{
    struct cubin cubin;
    bool any;
    for (uint32_t i = 0; i < count; i++)
        trials[i].judged = trials[i].changed && find_pairs(&trials[i], find);
    if (!assemble_trials(trials, count, &cubin, &any)) return false;
    for (uint32_t i = 0; i < count; i++) {
        struct trial *trial = &trials[i];
        if (!trial->judged) continue;
        const struct code *before = code_of(&cubin, trial->kernel[1]);
        const struct code *after = code_of(&cubin, trial->kernel[0]);
        judge(&trial->body, &trial->pairs, before, after, &trial->verdict);
        if (print) print_trial(trial, before, after);
    }
    if (any) cubin_free(&cubin);
    return true;
}

void trial_free(struct trial *trial)
{
    vec_free(&trial->pairs);
    vec_free(&trial->verdict.found);
}

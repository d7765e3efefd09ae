/* How is a number of programs judged at once? See trial.h. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line at *at without its newline; *at moves behind it. */
static size_t take_line(const char **at, const char **line)
{
    size_t length = strcspn(*at, "\n");
    *line = *at;
    *at += length + ((*at)[length] == '\n');
    return length;
}

/* Past the kernel's head in both texts, which are the same there. */
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

static const struct code *code_of(const struct cubin *cubin, char which, uint32_t number)
{
    char name[16];
    snprintf(name, sizeof name, "%c%u", which, number);
    const struct code *code = cubin_find(cubin, name);
    if (code) return code;
    printf("Bail out! ptxas made no %s\n", name);
    exit(EXIT_FAILURE);
}

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

/* Whether anything that its text guaranteed before is guaranteed by nothing after. */
static bool lost_a_sentence(struct trial *trial)
{
    trial->verdict = (struct verdict){.pairs = 0};
    trial->pairs.count = 0;
    trial->judged =
        body_parse(&trial->body, &trial->draft) && pairs_of(&trial->body, &trial->pairs);
    bool gone = false;
    for (uint32_t i = 0; i < trial->pairs.count; i++) gone |= trial->pairs.at[i].gone;
    return trial->judged && gone;
}

static void print_both(struct buf *text, uint32_t number, const struct draft *draft)
{
    char name[16];
    for (int before = 0; before < 2; before++) {
        snprintf(name, sizeof name, "%c%u", before ? 'b' : 'a', number);
        print_kernel(text, name, draft, before);
    }
}

bool trials_judge(struct trial *trials, uint32_t count, bool print)
{
    struct buf text = {0};
    struct cubin cubin;
    bool any = false, all = print || getenv("SASS_ALL");
    print_head(&text);
    for (uint32_t i = 0; i < count; i++) {
        trials[i].assembled = trials[i].changed && (lost_a_sentence(&trials[i]) || all);
        if (trials[i].assembled) print_both(&text, i, &trials[i].draft);
        any |= trials[i].assembled;
    }
    bool fine = !any || assemble(text.data, text.len, &cubin);
    buf_free(&text);
    if (!any || !fine) return fine;
    for (uint32_t i = 0; i < count; i++) {
        struct trial *trial = &trials[i];
        if (!trial->assembled) continue;
        const struct code *before = code_of(&cubin, 'b', i), *after = code_of(&cubin, 'a', i);
        judge(&trial->body, &trial->pairs, before, after, &trial->verdict);
        if (print) print_trial(trial, before, after);
    }
    cubin_free(&cubin);
    return true;
}

void trial_free(struct trial *trial)
{
    vec_free(&trial->pairs);
    vec_free(&trial->verdict.found);
}

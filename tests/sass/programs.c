/* Thousands of programs: with the removals of the optimizer, and with the removals that the checker
 * accepts from others, no order is lost that ptxas kept. Each program with a removal is assembled
 * before and after.
 *
 * For random programs (draw.c), the orders that the text guarantees are compared (pairs.c). An
 * order that another sentence still guarantees, but that ptxas does not keep without the removed
 * statement, is a loss as well, unless its kind is in explained.tsv (file `random`, function `-`).
 * SASS_PROGRAMS of them (20,000; a million under PTXOPT_NIGHTLY) are assembled and compared, and a
 * quarter of that for the checker, from the seed SASS_SEED (1). For the grid (grid.c) every order
 * is compared, whether or not a sentence guarantees it; explained.tsv has the differences that are
 * not losses (file `grid`).
 *
 * For SASS_SHOWN (12) kinds of loss the smallest program is printed. The processors share the work;
 * the result does not depend on their number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "differential.h"
#include "draw.h"
#include "explained.h"
#include "grid.h"
#include "trial.h"

enum { BATCH = 200, MOST_KINDS = 400, SHOWN = 12, KIND = 400 };

struct tally {
    uint64_t programs, changed, deletions, skipped, judged, pairs, gone, kept, never, unmatched;
};

/* The data of one finding from a worker; its rows give the kind. */
struct record {
    uint64_t number;
    uint32_t lines;
    struct finding finding;
};

struct records VEC(struct record);

struct loss {
    char name[KIND];
    enum finding_kind kind;
    uint64_t count;
    struct record smallest;
};

struct losses VEC(struct loss);

/* The source of programs, who removes, and which orders are compared. */
struct source {
    const char *programs, *gone, *explained; /* the last as the FILE of explained.tsv */
    enum finding_kind explained_from;        /* a kind before it is never explained */
    enum judged judged;
    void (*draw)(uint64_t seed, uint64_t number, struct draft *draft);
    pairs_finder *find;
};

/* Programs from..to of the seed. */
struct run {
    const struct source *source;
    uint64_t seed, from, to;
};

static uint64_t number_in(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value && *value ? strtoull(value, NULL, 10) : otherwise;
}

/* ---- workers ---- */

static void add_up(struct tally *tally, const struct trial *trial)
{
    const struct verdict *verdict = &trial->verdict;
    tally->programs++;
    tally->changed += trial->changed;
    for (uint32_t i = 0; i < trial->draft.count; i++) tally->deletions += trial->draft.deleted[i];
    if (!trial->changed) return;
    tally->skipped += !trial->judged;
    tally->judged += trial->judged;
    if (!trial->judged) return;
    tally->pairs += verdict->pairs;
    tally->gone += verdict->gone;
    tally->kept += verdict->kept;
    tally->never += verdict->never;
    tally->unmatched += verdict->unmatched;
}

static void run_batch(const struct run *run, uint64_t from, uint32_t count, struct tally *tally,
                      struct records *records)
{
    static struct trial trials[BATCH];
    for (uint32_t i = 0; i < count; i++) run->source->draw(run->seed, from + i, &trials[i].draft);
    trials_decide(run->source->judged, trials, count);
    if (!trials_judge(trials, count, run->source->find, false)) {
        printf("Bail out! ptxas refuses programs %llu to %llu\n", (unsigned long long)from,
               (unsigned long long)from + count - 1);
        exit(EXIT_FAILURE);
    }
    for (uint32_t i = 0; i < count; i++) {
        add_up(tally, &trials[i]);
        struct findings *found = &trials[i].verdict.found;
        for (uint32_t f = 0; f < found->count; f++) {
            struct record record = {from + i, trials[i].draft.count, found->at[f]};
            vec_push(records, record);
        }
        trial_free(&trials[i]);
    }
}

/* Every workers-th batch; its findings are written to the file. */
static _Noreturn void work(const struct run *run, uint32_t me, uint32_t workers, FILE *out)
{
    struct tally tally = {0};
    struct records records = {0};
    uint64_t step = workers * (uint64_t)BATCH;
    for (uint64_t from = run->from + me * (uint64_t)BATCH; from < run->to; from += step) {
        uint64_t left = run->to - from;
        run_batch(run, from, left < BATCH ? (uint32_t)left : BATCH, &tally, &records);
    }
    bool written = fwrite(&tally, sizeof tally, 1, out) == 1 &&
                   fwrite(&records.count, sizeof records.count, 1, out) == 1 &&
                   fwrite(records.at, sizeof *records.at, records.count, out) == records.count &&
                   !fflush(out);
    fflush(stdout);
    _exit(written ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- kinds of loss ---- */

static bool is_smaller(const struct record *a, const struct record *b)
{
    return a->lines != b->lines ? a->lines < b->lines : a->number < b->number;
}

static void add_loss(struct losses *losses, const struct record *record)
{
    char name[KIND];
    finding_name(&record->finding, name, sizeof name);
    for (uint32_t i = 0; i < losses->count; i++) {
        struct loss *loss = &losses->at[i];
        if (strcmp(loss->name, name) != 0) continue;
        loss->count++;
        if (is_smaller(record, &loss->smallest)) loss->smallest = *record;
        return;
    }
    struct loss loss = {.kind = record->finding.kind, .count = 1, .smallest = *record};
    memcpy(loss.name, name, sizeof name);
    vec_push(losses, loss);
}

static int by_count(const void *a, const void *b)
{
    const struct loss *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void gather(FILE *in, struct tally *sum, struct losses *losses)
{
    struct tally tally;
    struct record record;
    uint32_t count;
    rewind(in);
    if (fread(&tally, sizeof tally, 1, in) != 1 || fread(&count, sizeof count, 1, in) != 1) return;
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)&tally;
    for (size_t i = 0; i < sizeof tally / sizeof *from; i++) to[i] += from[i];
    for (uint32_t i = 0; i < count && fread(&record, sizeof record, 1, in) == 1; i++)
        add_loss(losses, &record);
}

/* ---- making a loss small ---- */

static bool has_loss(const struct trial *trial, const char *name)
{
    char found[KIND];
    for (uint32_t i = 0; i < trial->verdict.found.count; i++) {
        finding_name(&trial->verdict.found.at[i], found, sizeof found);
        if (!strcmp(found, name)) return true;
    }
    return false;
}

static void without_line(const struct draft *draft, uint32_t line, struct draft *less)
{
    less->count = 0;
    for (uint32_t i = 0; i < draft->count; i++)
        if (i != line) {
            draft_add(less, draft->line[i]);
            less->deleted[less->count - 1] = draft->deleted[i];
        }
}

/* Drops lines one at a time while the loss remains: all that can be dropped from one program, in
 * one call. A label is dropped only if nothing branches to it. */
static void shrink(const struct run *run, struct draft *draft, const char *name)
{
    static struct trial trials[MOST_LINES];
    for (bool smaller = true; smaller;) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < draft->count; i++) {
            struct trial *trial = &trials[count];
            without_line(draft, i, &trial->draft);
            count += body_parse(&trial->body, &trial->draft);
        }
        smaller = false;
        trials_decide(run->source->judged, trials, count);
        if (!trials_judge(trials, count, run->source->find, false)) return;
        for (uint32_t i = 0; i < count; i++) {
            if (trials[i].changed && !smaller && has_loss(&trials[i], name)) {
                *draft = trials[i].draft;
                smaller = true;
            }
            trial_free(&trials[i]);
        }
    }
}

static void show(const struct run *run, const struct loss *loss)
{
    static struct trial trial;
    run->source->draw(run->seed, loss->smallest.number, &trial.draft);
    trials_decide(run->source->judged, &trial, 1);
    shrink(run, &trial.draft, loss->name);
    trials_decide(run->source->judged, &trial, 1);
    printf("#\n# %s, as in program %llu of seed %llu:\n", loss->name,
           (unsigned long long)loss->smallest.number, (unsigned long long)run->seed);
    if (!trials_judge(&trial, 1, run->source->find, true)) printf("# (ptxas refuses it alone)\n");
    trial_free(&trial);
}

/* ---- report ---- */

static void print_tally(const struct tally *tally)
{
    printf("# %llu programs, %llu changed, %llu deletions, %llu assembled and compared; too many "
           "ways through %llu\n",
           (unsigned long long)tally->programs, (unsigned long long)tally->changed,
           (unsigned long long)tally->deletions, (unsigned long long)tally->judged,
           (unsigned long long)tally->skipped);
    printf(
        "# %llu orders asked of these, %llu of them said by what was deleted only: %llu kept all "
        "the same, %llu not kept before either; %llu of all unmatched\n",
        (unsigned long long)tally->pairs, (unsigned long long)tally->gone,
        (unsigned long long)tally->kept, (unsigned long long)tally->never,
        (unsigned long long)tally->unmatched);
}

static bool is_explained_kind(const struct run *run, const struct loss *loss)
{
    const struct source *source = run->source;
    return loss->kind >= source->explained_from && loss->kind < UNMATCHED &&
           is_explained(source->explained, "-", loss->name);
}

/* Prints the kinds from..to with their counts, and the smallest programs of the first of them that
 * are not explained. Returns how many are not explained. */
static uint32_t print_losses(const struct run *run, const struct losses *losses,
                             enum finding_kind from, enum finding_kind to)
{
    uint32_t kinds = 0;
    uint64_t most = to < UNMATCHED ? number_in("SASS_SHOWN", SHOWN) : 0;
    for (uint32_t i = 0; i < losses->count; i++) {
        const struct loss *loss = &losses->at[i];
        if (loss->kind < from || loss->kind > to) continue;
        bool explained = is_explained_kind(run, loss);
        printf("# %6llu %s%s\n", (unsigned long long)loss->count, loss->name,
               explained ? " (explained)" : "");
        kinds += !explained;
    }
    for (uint32_t i = 0, shown = 0; i < losses->count && shown < most; i++) {
        const struct loss *loss = &losses->at[i];
        if (loss->kind < from || loss->kind > to || is_explained_kind(run, loss)) continue;
        show(run, loss);
        shown++;
    }
    return kinds;
}

static bool run_workers(const struct run *run, struct tally *tally, struct losses *losses)
{
    uint32_t workers = (uint32_t)number_in("SASS_WORKERS", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    FILE **out = must(calloc(workers, sizeof *out));
    bool fine = true;
    fflush(stdout);
    for (uint32_t i = 0; i < workers; i++) {
        out[i] = must(tmpfile());
        pid_t child = fork();
        if (!child) work(run, i, workers, out[i]);
        fine &= child > 0;
    }
    for (int status; wait(&status) > 0;) fine &= WIFEXITED(status) && !WEXITSTATUS(status);
    for (uint32_t i = 0; i < workers; i++) {
        gather(out[i], tally, losses);
        fclose(out[i]);
    }
    free(out);
    return fine;
}

/* Draws programs, in batches, until enough of them have changed. */
static bool run_rounds(struct run *run, uint64_t wanted, struct tally *tally, struct losses *losses)
{
    enum { ROUND = 2000, ROUNDS = 50 };
    bool fine = true;
    for (; fine && tally->judged < wanted && run->from <= ROUNDS * (wanted + ROUND);
         run->from = run->to) {
        uint64_t left = 2 * (wanted - tally->judged) + BATCH;
        run->to = run->from + (left < ROUND ? left : ROUND);
        fine = run_workers(run, tally, losses);
    }
    return fine && tally->judged >= wanted;
}

static void report_run(const struct run *run, bool fine, const struct tally *tally,
                       struct losses *losses)
{
    const struct source *source = run->source;
    if (losses->count) qsort(losses->at, losses->count, sizeof *losses->at, by_count);
    print_tally(tally);
    uint32_t lost = print_losses(run, losses, LOST_ORDER, LOST_COMPLETION);
    report(fine && !lost, "%s: no order that ptxas kept is lost with %s", source->programs,
           source->gone);
    uint32_t curious = print_losses(run, losses, CURIOUS_ORDER, CURIOUS_COMPLETION);
    if (source->explained_from == CURIOUS_ORDER)
        report(fine && !curious, "%s: nor one that another sentence still guarantees",
               source->programs);
    print_losses(run, losses, UNMATCHED, UNMATCHED);
    report(tally->pairs && tally->unmatched * 20 < tally->pairs &&
               tally->skipped * 50 < tally->changed,
           "%s: few orders are unmatched, few programs too branched", source->programs);
    printf("# %s: %llu assembled and compared before and after %s: %u kinds of order lost, %u of "
           "order that another sentence guarantees\n",
           source->programs, (unsigned long long)tally->judged, source->gone, lost, curious);
    vec_free(losses);
}

static void draw_for_checker(uint64_t seed, uint64_t number, struct draft *draft)
{
    draw_program(seed, number, draft);
    draw_deletions(seed, number, draft);
}

static void run_programs(const struct source *source, uint64_t wanted)
{
    struct run run = {.source = source, .seed = number_in("SASS_SEED", 1)};
    struct tally tally = {0};
    struct losses losses = {0};
    bool fine = run_rounds(&run, wanted, &tally, &losses);
    report_run(&run, fine, &tally, &losses);
}

void run_random(void)
{
    static const struct source optimizer = {
        .programs = "random programs",
        .gone = "what the optimizer deletes",
        .explained = "random",
        .explained_from = CURIOUS_ORDER,
        .judged = OPTIMIZER,
        .draw = draw_program,
        .find = pairs_of,
    };
    static const struct source checker = {
        .programs = "random programs",
        .gone = "what the checker lets go",
        .explained = "random",
        .explained_from = CURIOUS_ORDER,
        .judged = CHECKER,
        .draw = draw_for_checker,
        .find = pairs_of,
    };
    const char *nightly = getenv("PTXOPT_NIGHTLY");
    uint64_t wanted = number_in("SASS_PROGRAMS", nightly && *nightly ? 1000000 : 20000);
    run_programs(&optimizer, wanted);
    run_programs(&checker, wanted / 4);
}

void run_grid(bool all)
{
    static const struct source source = {
        .programs = "texts of the grid",
        .gone = "what the optimizer deletes",
        .explained = "grid",
        .judged = OPTIMIZER,
        .draw = grid_draw,
        .find = grid_pairs,
    };
    struct run run = {.source = &source, .to = grid_prepare(all)};
    struct tally tally = {0};
    struct losses losses = {0};
    bool fine = run_workers(&run, &tally, &losses);
    report_run(&run, fine, &tally, &losses);
}

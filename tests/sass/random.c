/* Random programs: with what the optimizer deletes of them, and with what the checker lets others
 * delete, no order is lost that ptxas kept.
 *
 * SASS_PROGRAMS (20,000; a million under PTXOPT_NIGHTLY), SASS_SEED (1) and SASS_SHOWN (12, kinds
 * whose smallest program is printed) in the environment. Programs of which no order can be lost are
 * not assembled, but with SASS_ALL set, for the sake of what ptxas alone no longer keeps. Every
 * processor has its share; the result does not depend on how many there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "differential.h"
#include "draw.h"
#include "trial.h"

enum { BATCH = 200, MOST_KINDS = 400, SHOWN = 12, KIND = 400 };

struct tally {
    uint64_t programs, changed, deletions, skipped, assembled, pairs, gone, kept, never, unmatched;
};

/* What a worker tells of one finding; the kind by its rows. */
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

struct run {
    enum judged judged;
    uint64_t seed, programs;
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
    tally->assembled += trial->assembled;
    if (!trial->assembled) return;
    tally->pairs += verdict->pairs;
    tally->gone += verdict->gone;
    tally->kept += verdict->kept;
    tally->never += verdict->never;
    tally->unmatched += verdict->unmatched;
}

static void draw_trial(const struct run *run, uint64_t number, struct draft *draft)
{
    draw_program(run->seed, number, draft);
    if (run->judged == CHECKER) draw_deletions(run->seed, number, draft);
}

static void run_batch(const struct run *run, uint64_t from, uint32_t count, struct tally *tally,
                      struct records *records)
{
    static struct trial trials[BATCH];
    for (uint32_t i = 0; i < count; i++) draw_trial(run, from + i, &trials[i].draft);
    trials_decide(run->judged, trials, count);
    if (!trials_judge(trials, count, false)) {
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

/* Every workers-th batch; what it found goes to the file. */
static _Noreturn void work(const struct run *run, uint32_t me, uint32_t workers, FILE *out)
{
    struct tally tally = {0};
    struct records records = {0};
    uint64_t step = workers * (uint64_t)BATCH;
    for (uint64_t from = me * (uint64_t)BATCH; from < run->programs; from += step) {
        uint64_t left = run->programs - from;
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

/* ---- a loss made small ---- */

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

/* Drops lines one at a time while the loss stays; all that can go from one program in one call. A
 * label goes only when nothing branches to it. */
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
        trials_decide(run->judged, trials, count);
        if (!trials_judge(trials, count, false)) return;
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
    draw_trial(run, loss->smallest.number, &trial.draft);
    trials_decide(run->judged, &trial, 1);
    shrink(run, &trial.draft, loss->name);
    trials_decide(run->judged, &trial, 1);
    printf("#\n# %s, as in program %llu of seed %llu:\n", loss->name,
           (unsigned long long)loss->smallest.number, (unsigned long long)run->seed);
    if (!trials_judge(&trial, 1, true)) printf("# (ptxas refuses it alone)\n");
    trial_free(&trial);
}

/* ---- report ---- */

static void print_tally(const struct tally *tally)
{
    printf("# %llu programs, %llu changed, %llu deletions, %llu assembled; too many ways through "
           "%llu\n",
           (unsigned long long)tally->programs, (unsigned long long)tally->changed,
           (unsigned long long)tally->deletions, (unsigned long long)tally->assembled,
           (unsigned long long)tally->skipped);
    printf("# %llu guaranteed pairs in these, %llu of them by what was deleted only: %llu kept all "
           "the same, %llu not kept before either, %llu unmatched\n",
           (unsigned long long)tally->pairs, (unsigned long long)tally->gone,
           (unsigned long long)tally->kept, (unsigned long long)tally->never,
           (unsigned long long)tally->unmatched);
}

/* The kinds from..to with their counts, and the smallest programs of the first of them. */
static uint32_t print_losses(const struct run *run, const struct losses *losses,
                             enum finding_kind from, enum finding_kind to)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < losses->count; i++) {
        const struct loss *loss = &losses->at[i];
        if (loss->kind < from || loss->kind > to) continue;
        printf("# %6llu %s\n", (unsigned long long)loss->count, loss->name);
        kinds++;
    }
    bool shows = from == LOST_ORDER || getenv("SASS_ALL");
    uint64_t most = shows ? number_in("SASS_SHOWN", SHOWN) : 0;
    for (uint32_t i = 0, shown = 0; i < losses->count && shown < most; i++) {
        if (losses->at[i].kind < from || losses->at[i].kind > to) continue;
        show(run, &losses->at[i]);
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

static void run_one(const struct run *run)
{
    static const char *const gone[] = {
        [OPTIMIZER] = "what the optimizer deletes", [CHECKER] = "what the checker lets go"};
    struct tally tally = {0};
    struct losses losses = {0};
    bool fine = run_workers(run, &tally, &losses);
    if (losses.count) qsort(losses.at, losses.count, sizeof *losses.at, by_count);
    print_tally(&tally);
    uint32_t kinds = print_losses(run, &losses, LOST_ORDER, LOST_COMPLETION);
    report(fine && !kinds, "no order that ptxas kept is lost with %s of %llu random programs",
           gone[run->judged], (unsigned long long)run->programs);
    uint32_t curious = print_losses(run, &losses, CURIOUS, CURIOUS);
    printf("# %u kinds of loss, %u of order that the text still guarantees and ptxas no longer "
           "keeps\n",
           kinds, curious);
    print_losses(run, &losses, UNMATCHED, UNMATCHED);
    report(tally.gone && tally.unmatched * 20 < tally.gone && tally.skipped * 50 < tally.changed,
           "few pairs of these are unmatched, few programs too branched");
    vec_free(&losses);
}

void run_random(void)
{
    const char *nightly = getenv("PTXOPT_NIGHTLY");
    struct run run = {.seed = number_in("SASS_SEED", 1)};
    run.programs = number_in("SASS_PROGRAMS", nightly && *nightly ? 1000000 : 20000);
    for (run.judged = OPTIMIZER; run.judged <= CHECKER; run.judged++) run_one(&run);
}

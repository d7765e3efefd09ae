/* Makes the texts of the grid. See grid.h. */
#include "grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMIT "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%sa+1024];"
#define OBSERVED "W1:", "mbarrier.try_wait.parity.shared.b64 %q1, [%sa+1024], 0;", "@!%q1 bra W1;"
#define ELECTED "elect.sync _|%pe, -1;"
#define OVER "@!%pe bra OVER;"
#define MMA "tcgen05.mma.cta_group::1.kind::f16 [%t], %d0, %d1, %i, %p0;"
#define CP "tcgen05.cp.cta_group::1.128x256b [%t], %d0;"
#define SHIFT "tcgen05.shift.cta_group::1.down [%t];"
#define LD "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v1}, [%t+64];"
#define ST "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t+64], {%u0};"
#define HERE "" /* the place of the synchronisations, otherwise the end */
#define LD_WAITED LD, "tcgen05.wait::ld.sync.aligned;", HERE
#define ST_WAITED ST, "tcgen05.wait::st.sync.aligned;", HERE
enum { LINES_OF_OPERATION = 7, FIRST_NUMBER = 608 };

/* Behind HERE is an operation that waits for the one before it. ptxas may move the observer before
 * it.
 *
 * ptxas moves nothing across a tcgen05 instruction for which it elects one thread in a loop of its
 * own. So here the text elects the thread: for this instruction alone, or for all that follows. */
static const char *const operations[][LINES_OF_OPERATION] = {
    {LD},
    {ST},
    {ELECTED, "@%pe " MMA},
    {ELECTED, "@%pe " MMA, "@%pe " COMMIT},
    {ELECTED, "@%pe " CP, "@%pe " COMMIT},
    {LD_WAITED, ELECTED, OVER, MMA},
    {ELECTED, OVER, MMA, COMMIT},
    {ELECTED, OVER, CP, COMMIT},
    {ELECTED, OVER, SHIFT, COMMIT},
    {ELECTED, "@%pe " CP},
    {ELECTED, "@%pe " SHIFT},
    {ELECTED, "@%pe " SHIFT, "@%pe " COMMIT},
    {ELECTED, "@%pe " MMA, "@%pe " COMMIT, OBSERVED},
    {ELECTED, "@%pe " CP, "@%pe " COMMIT, OBSERVED},
    {ELECTED, "@%pe " SHIFT, "@%pe " COMMIT, OBSERVED},
    {LD_WAITED, ELECTED, OVER, CP},
    {LD_WAITED, ELECTED, OVER, COMMIT},
    {LD_WAITED, "mbarrier.init.shared.b64 [%sa+512], 1;"},
    {LD_WAITED, "mbarrier.arrive.relaxed.cta.shared.b64 _, [%sa+512];"},
    {ST_WAITED, ELECTED, OVER, MMA},
    {ST_WAITED, "mbarrier.arrive.relaxed.cta.shared.b64 _, [%sa+512];"},
};

static const char *const synchronisations[] = {
    "tcgen05.wait::ld.sync.aligned;",     "tcgen05.wait::st.sync.aligned;",
    "tcgen05.fence::before_thread_sync;", "tcgen05.fence::after_thread_sync;",
    "fence.proxy.async.shared::cta;",     "fence.proxy.async;",
};

enum {
    OPERATIONS = sizeof operations / sizeof *operations,
    SYNCHRONISATIONS = sizeof synchronisations / sizeof *synchronisations,
    OPERATIONS_OF_FEW = 6, /* the first */
    SYNCHRONISATIONS_OF_FEW = 4,
};

static struct {
    struct observers observers;
    uint32_t synchronisations;
} grid;

static bool observes(const struct operation *op)
{
    return op->word && op->kind < KIND_WAIT_LD;
}

void grid_write_observer(char *line, const struct operation *op)
{
    int n = 0;
    for (const char *ptx = op->ptx; *ptx && n < LINE - 12; ptx++) {
        if (*ptx == '#')
            n += sprintf(line + n, "%u", FIRST_NUMBER);
        else if (*ptx == '$')
            n += sprintf(line + n, "7");
        else
            line[n++] = *ptx;
    }
    line[n] = '\0';
}

/* Finds by bisection which of the observers from..to ptxas refuses. */
static void find_refused(const struct observers *observers, uint32_t from, uint32_t to,
                         bool *refused)
{
    struct buf text = {0};
    struct cubin cubin;
    char name[16], line[LINE];
    print_head(&text);
    for (uint32_t i = from; i < to; i++) {
        struct draft draft = {.count = 0};
        grid_write_observer(line, observers->at[i]);
        draft_add(&draft, line);
        snprintf(name, sizeof name, "k%u", i);
        print_kernel(&text, name, &draft, true);
    }
    bool fine = from == to || assemble(text.data, text.len, &cubin);
    buf_free(&text);
    if (fine) {
        if (from < to) cubin_free(&cubin);
    } else if (to - from == 1) {
        refused[from] = true;
    } else {
        find_refused(observers, from, from + (to - from) / 2, refused);
        find_refused(observers, from + (to - from) / 2, to, refused);
    }
}

struct observers grid_observers(bool all)
{
    struct observers observers = {.count = 0};
    bool refused[MOST_OBSERVERS] = {false};
    uint32_t taken = 0, silent = 0;
    for (uint32_t i = 0; i < vocabulary_size && observers.count < MOST_OBSERVERS; i++) {
        const struct operation *op = &vocabulary[i];
        bool wanted = all || op->use == OFTEN;
        if (observes(op) && wanted) observers.at[observers.count++] = op;
        silent += wanted && op->kind < KIND_WAIT_LD && !op->word;
    }
    find_refused(&observers, 0, observers.count, refused);
    for (uint32_t i = 0; i < observers.count; i++)
        if (!refused[i]) observers.at[taken++] = observers.at[i];
    printf("# %u observers; %u more have no machine code of their own, %u ptxas does not take\n",
           taken, silent, observers.count - taken);
    observers.count = taken;
    return observers;
}

uint64_t grid_prepare(bool all)
{
    grid.observers = grid_observers(all);
    grid.synchronisations = all ? SYNCHRONISATIONS : SYNCHRONISATIONS_OF_FEW;
    uint32_t pairs = grid.synchronisations * (grid.synchronisations + 1);
    return (uint64_t)(all ? OPERATIONS : OPERATIONS_OF_FEW) * grid.observers.count * pairs;
}

static void add_synchronisations(struct draft *draft, uint32_t first, uint32_t second)
{
    draft_add(draft, synchronisations[first]);
    if (second < grid.synchronisations) draft_add(draft, synchronisations[second]);
}

void grid_draw(uint64_t seed, uint64_t number, struct draft *draft)
{
    char line[LINE];
    uint32_t n = grid.synchronisations;
    (void)seed;
    draft->count = 0;
    uint32_t first = (uint32_t)(number % n), second = (uint32_t)(number / n % (n + 1));
    number /= (uint64_t)n * (n + 1);
    const char *const *lines = operations[number / grid.observers.count];
    bool over = false, synchronised = false;
    for (uint32_t i = 0; i < LINES_OF_OPERATION && lines[i]; i++) {
        bool here = !strcmp(lines[i], HERE);
        if (here) add_synchronisations(draft, first, second);
        if (!here) draft_add(draft, lines[i]);
        synchronised |= here;
        over |= !strcmp(lines[i], OVER);
    }
    if (!synchronised) add_synchronisations(draft, first, second);
    grid_write_observer(line, grid.observers.at[number % grid.observers.count]);
    draft_add(draft, line);
    if (over) draft_add(draft, "OVER:");
}

static bool is_first(const struct statement *statement)
{
    const struct operation *op = statement->op;
    return op &&
           (kind_is_async(op->kind) || op->kind == KIND_COMMIT || strstr(op->ptx, "try_wait"));
}

bool grid_pairs(const struct body *body, struct pairs *pairs)
{
    uint16_t last = (uint16_t)(body->count - 1), deleted = 0;
    while (!body->at[last].op) last--;
    while (!body->at[deleted].deleted) deleted++;
    for (uint16_t i = 0; i < last; i++) {
        const struct operation *first = body->at[i].op, *second = body->at[last].op;
        if (!is_first(&body->at[i]) || pair_is_excused(first, second)) continue;
        struct pair pair = {
            .first = i, .second = last, .guarantor = deleted, .gone = true, .thinned = true};
        vec_push(pairs, pair);
        pair.completes = true;
        if (first->kind == KIND_LD || first->kind == KIND_ST) vec_push(pairs, pair);
    }
    return true;
}

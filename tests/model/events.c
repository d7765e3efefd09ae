/* Compares whole programs of two and three threads, as explicit event graphs, with the monitor,
 * which analyses one thread. What the monitor allows must lose no guaranteed order in any
 * surrounding program; what it refuses must lose one in some program. Loops are unrolled; each
 * choice of branches and each matching of arrivals with waits is a separate execution. See
 * events_graph.h. */
#include <stdlib.h>

#include "check/check.h"
#include "events_draw.h"
#include "events_lost.h"
#include "print.h"

#if defined(__SANITIZE_ADDRESS__)
enum { SUBJECTS = 50000 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SUBJECTS = 50000 };
#else
enum { SUBJECTS = 150000 };
#endif
#else
enum { SUBJECTS = 150000 };
#endif

enum { EXECUTIONS_MAX = 24 };

/* If a small search finds no witness, a larger one follows. */
static const struct reach reaches[] = {{3, 11, 16}, {2, 11, 256}, {1, 20, 4096}, {4, 20, 4096}};
enum { REACH_NEAR = 0, REACH_MIDDLE = 1, REACH_ONCE = 2, REACH_FAR = 3 };

/* The differences between the two, each with an example and with the other graph that agrees with
 * the monitor (refused), or that shows what the monitor does not analyse (allowed). Each difference
 * on a random program must be in this list, and each refused one must occur. */
static struct difference {
    const char *name, *letters;
    unsigned vary;
    bool refused;
    const char *why;
    uint32_t seen;
} differences[] = {
    {"an order that a chain of pipelined pairs keeps is not relied upon", "hM-bhbx", VARY_NO_CHAIN,
     true,
     "shift, mma, shift is no pair of the table, but ordered through the mma. Asking only "
     "whether the two are a pair refuses more",
     0},
    {"a commit does not stand in for a wait of the thread's own", "lLM-bCrx", VARY_COMMIT_OWN, true,
     "the ld is complete before the mma, and the commit's fence puts that before the arrive: two "
     "steps, of which the second is the assumption commit-fences. It is taken for what a commit "
     "tracks and for what others did, no further",
     0},
    {"the start of an operation is no matter where its execution is ordered", "Mal-LlLx",
     VARY_START, false,
     "what the first ld is after is complete before the second one starts; "
     "without the wait it is before the second one executes, which is all that can be seen",
     0},
    {"to be merely ordered before a deallocation is nothing", "M-bdbrx", VARY_ALLOCATION, false,
     "no pipelined pair ends in one: what is not complete must not be given back, with or without "
     "the fence",
     0},
    {"a fence::after stands in for a fence::before where both are meant literally", "l-bacbrx",
     VARY_BEFORE_ONLY, false,
     "the sentences about the two fences mirror each other, so both are "
     "meant literally or neither is. Were only the first, ld before cp would be lost",
     0},
    {"what a fence orders before an access of other cells is not left out", "0s-b3lLSbrx",
     VARY_ELSEWHERE, true,
     "whoever awaits the later access knows of the earlier one; where a wait of its own comes "
     "first, "
     "nobody needs to. Only a wait is skipped by columns, and no rule asks for more",
     0},
    {"a fence::before stands in for a fence::after where both are meant literally", "lb-acx",
     VARY_AFTER_ONLY, false, "the same with only the second one literal", 0},
};
enum { DIFFERENCES = sizeof differences / sizeof *differences };

struct tally {
    uint64_t subjects, legal, refused, executions, impossible, cut_short;
    uint64_t lost_around, unsound, leaning, unwitnessed, unexplained, not_universal;
    struct subject unsound_example, leaning_example, unexplained_example;
};

static struct events graph;

static bool monitor_allows(const struct subject *s)
{
    struct monitor_fault fault;
    bool allows = monitor_check(&s->graph, NULL, &fault);
    vec_free(&fault.path);
    return allows;
}

/* Whether a run of s loses an order in the context that was made for it. */
static bool has_witness(const struct subject *s, unsigned vary, int how_far)
{
    static const int order[] = {1, 0, 2};
    static struct execution x;
    struct chooser c = {.depth = 0};
    int left = reaches[how_far].paths;
    do {
        run_subject(s, &c, &reaches[how_far], &x.threads[0]);
        surround(&x);
        events_build(&graph, &x, vary, order);
        events_close(&graph);
        if (events_lose(&graph)) return true;
    } while (choose_next(&c) && --left);
    return false;
}

/* Whether it loses one in a random context, with any branches and matchings. */
static bool loses_around(const struct subject *s, uint64_t *state, struct tally *tally)
{
    static const int order[] = {0, 1, 2};
    static struct execution x;
    struct chooser c = {.depth = 0};
    x.thread_count = 2 + (int)draw(state, 2);
    for (int t = 1; t < x.thread_count; t++) draw_thread(state, &x.threads[t]);
    int left = EXECUTIONS_MAX;
    bool more;
    do {
        run_subject(s, &c, &reaches[REACH_NEAR], &x.threads[0]);
        match_all(&x, &c);
        events_build(&graph, &x, 0, order);
        if (events_can_happen(&graph)) {
            tally->executions++;
            events_close(&graph);
            if (events_lose(&graph)) return true;
        } else {
            tally->impossible++;
        }
        more = choose_next(&c);
    } while (more && --left);
    tally->cut_short += more;
    return false;
}

static void keep_smaller(struct subject *kept, uint64_t count, const struct subject *s)
{
    if (count > 1 && s->graph.event_count >= kept->graph.event_count) return;
    *kept = *s;
    kept->graph.events = kept->events;
    kept->graph.blocks = kept->blocks;
    kept->graph.succs = kept->succs;
}

/* Counts whether an allowed removal would lose an order if the ISA guaranteed more, or if it
 * guaranteed less. */
static void compare_others(const struct subject *s, struct tally *tally)
{
    for (int i = 0; i < DIFFERENCES; i++)
        if (!differences[i].refused && has_witness(s, differences[i].vary, REACH_NEAR))
            differences[i].seen++;
    if (!has_witness(s, VARY_NARROW, REACH_NEAR)) return;
    tally->leaning++;
    keep_smaller(&tally->leaning_example, tally->leaning, s);
}

/* Whether the refusal of s is one of the listed differences. */
static bool differs(const struct subject *s, int how_far)
{
    bool listed = false;
    for (int i = 0; i < DIFFERENCES; i++) {
        if (!differences[i].refused || !has_witness(s, differences[i].vary, how_far)) continue;
        differences[i].seen++;
        listed = true;
    }
    return listed;
}

/* A refusal for which no witness was found nearby. */
static void explain(const struct subject *s, struct tally *tally)
{
    bool explained = differs(s, REACH_MIDDLE);
    if (!explained && (has_witness(s, 0, REACH_ONCE) || has_witness(s, 0, REACH_FAR))) return;
    tally->unwitnessed++;
    if (explained || differs(s, REACH_ONCE) || differs(s, REACH_FAR)) return;
    tally->unexplained++;
    keep_smaller(&tally->unexplained_example, tally->unexplained, s);
}

static void judge(const struct subject *s, uint64_t *state, struct tally *tally)
{
    bool allows = monitor_allows(s), witness = has_witness(s, 0, REACH_NEAR);
    bool around = loses_around(s, state, tally);
    if (!witness && (around || !allows)) witness = has_witness(s, 0, REACH_MIDDLE);
    if (!witness && around) witness = has_witness(s, 0, REACH_FAR);
    tally->subjects++;
    tally->legal += allows;
    tally->refused += !allows;
    tally->lost_around += around;
    tally->not_universal += around && !witness;
    if (allows && (witness || around)) {
        tally->unsound++;
        keep_smaller(&tally->unsound_example, tally->unsound, s);
    } else if (allows && tally->legal % 4 == 0) {
        compare_others(s, tally);
    }
    if (!allows && !witness) explain(s, tally);
}

static int number;

static bool report(bool fine, const char *name)
{
    printf("%s %d - %s\n", fine ? "ok" : "not ok", ++number, name);
    return fine;
}

/* The patterns of 9.7.16.6.4 and never-cases of the model. Without the event after a '-' an order
 * must be lost, and the monitor must refuse it. */
static const struct pattern {
    const char *name, *letters;
} patterns[] = {
    {"st, wait::st, ld loses an order with the wait", "s-Slx"},
    {"mma, commit, try_wait, fence::after, ld loses an order with the fence", "MCq-alx"},
    {"cp, fence::before, arrive loses an order with the fence", "c-brx"},
    {"try_wait, fence::after, mma loses an order with the fence", "q-aMx"},
    {"ld, wait::ld, fence::before, arrive loses an order with the wait", "l-Lbrx"},
    {"ld, wait::ld, fence::before, arrive loses an order with the fence", "lL-brx"},
    {"ld, fence::before, commit loses an order with the fence", "l-bCx"},
    {"ld, wait::ld, dealloc loses an order with the wait", "l-Ldx"},
    {"st, wait::st, bar.sync loses an order with the wait", "s-SBx"},
    {"try_wait, fence::after, fence::before, arrive loses an order with either fence", "q-abrx"},
    {"try_wait, fence::after, fence::before, arrive is a relay to its end", "qa-brx"},
    {"mma, fence::before, relaxed store loses an order with the fence", "M-bRx"},
    {"a commit stands in for no fence in front of a reduction", "c-bC-bRx"},
    {"nor in front of an atomic", "M-bC-bAx"},
    {"nor in front of an asynchronous store, whatever it releases", "M-bCRx"},
    {"nor in front of a collective", "M-bCAx"},
    {"nor in front of a volatile load", "M-bCQx"},
    {"relaxed store, fence::after, st loses an order with the fence", "R-asx"},
    {"relaxed store, fence::after, ld loses an order with the fence", "R-alx"},
    {"reduction, fence::after, mma loses an order with the fence", "R-aMx"},
    {"arrive, fence::after, st loses an order with the fence", "r-asx"},
    {"commit, fence::after, ld loses an order with the fence", "C-alx"},
    {"alloc, fence::after, st loses an order with the fence", "d-asx"},
    {"reduction, fence::after, commit loses an order with the fence", "R-aCx"},
    {"try_wait, fence::after, commit loses an order with the fence", "q-aCx"},
    {"what an arrive tells of others needs its fence::after", "rq-aMx"},
    {"mma, fence::before, relaxed load loses an order with the fence", "M-bQx"},
    {"mma, fence::before, test_wait loses an order with the fence", "M-bqx"},
    {"ld, wait::ld, relaxed load loses an order with the wait", "l-LQLbRx"},
    {"st, wait::st, test_wait loses an order with the wait", "s-SqSbrx"},
    {"an acquire between fence::before and commit keeps the fence", "M-bqCrx"},
    {"a relaxed load between fence::before and commit keeps it, too", "M-bQCrx"},
    {"st, wait::st, arrive loses an order with the wait, whatever ld is between", "0s-S3lLbrx"},
    {"ld before fence::after before st of other cells is known of when that is", "3l-a0sSqx"},
    {"ld before fence::before before st of other cells, too", "3l-b0sSqx"},
    {"a commit that may track nothing relays nothing", "@Mqa-bCrx"},
    {"a commit that tracks what is older than the news does not relay it", "Mqa-bCrx"},
    {"a commit that tracks nothing stands in for no wait", "lL-bCrx"},
    {"a commit does not stand in for a wait towards a reduction", "lLM-bCRx"},
    {"ld, wait::ld, fence::before, commit loses an order with the fence", "lL-bCx"},
    {"relaxed try_wait, fence::before, arrive loses an order with the fence", "~q-brx"},
    {"relaxed try_wait, fence::before, relaxed arrive loses an order with the fence", "~q-b~rx"},
    {"try_wait, fence::before, relaxed arrive loses an order with the fence", "q-b~rx"},
    {"bar.sync, fence::before, relaxed store loses an order with the fence", "B-b~Rx"},
    {"relaxed load, fence::before, the end loses an order with the fence", "~Q-bx"},
    {"a commit does not relay what was received relaxed", "~qM-bCrx"},
    {"a commit does not relay what is told relaxed", "qM-bC~rx"},
    {"ld before test_wait before cp needs the fence::before", "l-bqacbrx"},
    {"ld before test_wait before cp needs the fence::after", "lbq-acbrx"},
    {"ld before arrive before cp needs the fence::before", "l-bracbrx"},
    {"ld before arrive before cp needs the fence::after", "lbr-acx"},
};

/* A straight line: ld, st, MNchk pipes, L and S their waits, before, after, Commit, the barriers'
 * release and acquire (r, q), the memory's (R, Q), Bar, Atomic, dealloc, eXit; @ guards, and ~ says
 * that what follows is relaxed; a number in front of a ld or st is its class in cells.h. */
static void subject_from(struct subject *s, const char *letters,
                         const struct transfer_tables *tables)
{
    static const char known[] = "ls.LSbaCrRqQBA....d..x"; /* by letter */
    static const char pipes[] = "MNchk";                  /* by class */
    subject_init(s, &shapes[0], tables);
    uint32_t at = 0;
    struct monitor_event next = {.detail = MONITOR_NONE}, event = next;
    bool relaxed = false;
    for (; *letters; letters++) {
        event.deleted |= *letters == '-';
        event.guarded |= *letters == '@';
        relaxed |= *letters == '~';
        if (*letters >= '0' && *letters <= '9') event.detail = (uint32_t)(*letters - '0');
        if (strchr("-@~0123456789", *letters)) continue;
        const char *pipe = strchr(pipes, *letters), *letter = strchr(known, *letters);
        event.kind = (uint8_t)(pipe ? EVENT_PIPE : letter - known);
        if (pipe) event.detail = (uint32_t)(pipe - pipes);
        subject_add(s, &at, event, relaxed, relaxed);
        event = next;
        relaxed = false;
    }
    s->blocks[0].start = 0;
    s->blocks[0].end = s->graph.event_count = at;
}

static bool try_patterns(const struct transfer_tables *tables)
{
    bool fine = true;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct subject s;
        subject_from(&s, patterns[i].letters, tables);
        bool loses = has_witness(&s, 0, REACH_NEAR), allows = monitor_allows(&s);
        if (allows) printf("# the monitor allows it\n");
        fine &= report(loses && !allows, patterns[i].name);
    }
    return fine;
}

static bool try_differences(const struct transfer_tables *tables)
{
    bool fine = true;
    for (int i = 0; i < DIFFERENCES; i++) {
        const struct difference *d = &differences[i];
        struct subject s;
        subject_from(&s, d->letters, tables);
        bool as_listed = monitor_allows(&s) != d->refused && !has_witness(&s, 0, REACH_NEAR) &&
                         has_witness(&s, d->vary, REACH_NEAR);
        printf("# %u random programs%s: %s\n", d->seen, d->refused ? "" : " of a quarter", d->why);
        fine &= report(as_listed && (d->seen || !d->refused), d->name);
    }
    return fine;
}

#define U(n) ((unsigned long long)(n))

static void print_counts(const struct tally *t)
{
    printf("# %llu programs: %llu legal, %llu refused; %llu executions in random contexts (%llu "
           "matchings that cannot happen, %llu programs with more than %d)\n",
           U(t->subjects), U(t->legal), U(t->refused), U(t->executions), U(t->impossible),
           U(t->cut_short), EXECUTIONS_MAX);
    printf("# an order is lost: %llu programs in a random context, %llu refused ones in none\n",
           U(t->lost_around), U(t->unwitnessed));
}

static void print_example(uint64_t count, const char *what, const struct subject *s)
{
    if (!count) return;
    printf("# %llu %s, smallest:\n", U(count), what);
    print_graph(&s->graph);
}

int main(void)
{
    struct transfer_tables *tables =
        transfer_tables(check_assume_effective(&(struct check_options){0}, 0, 0));
    static struct tally t;
    struct subject s;
    uint64_t state = 88172645463325252ull;
    printf("1..%zu\n", sizeof patterns / sizeof *patterns + 5 + DIFFERENCES);
    bool fine = try_patterns(tables);
    for (int i = 0; i < SUBJECTS; i++) {
        draw_subject(&state, &s, tables);
        judge(&s, &state, &t);
    }
    print_counts(&t);
    print_example(t.unsound, "allowed deletions lose an order", &t.unsound_example);
    fine &= report(!t.unsound, "no deletion that the monitor allows loses an order in a program");
    print_example(t.leaning, "allowed deletions lean on more than the narrow reading",
                  &t.leaning_example);
    fine &=
        report(!t.leaning, "nor is one allowed for an order that a narrow reading of the fences "
                           "does not grant");
    print_example(t.unexplained, "refused deletions without a reason", &t.unexplained_example);
    fine &= report(!t.unexplained, "every deletion that the monitor refuses loses an order in some "
                                   "program, or differs as listed");
    fine &= try_differences(tables);
    mem_free(tables);
    fine &= report(!t.not_universal, "what a random context can tell, the made one can tell");
    fine &=
        report(t.legal * 10 > t.subjects && t.refused * 10 > t.subjects, "neither verdict is rare");
    return !fine;
}

/* A caller, or a callee, may have done anything: a `.func` and a `call` judged by the monitor must
 * never be let off more than the same program with an arbitrary kernel in their place, written
 * out as a loop over every letter. */
#include "semantics.h"

enum { LENGTH = 4, EVENTS_MAX = 40 };

static const uint8_t alphabet[] = {
    LETTER_LD,    LETTER_ST,      LETTER_PIPE,    LETTER_WAIT_LD, LETTER_WAIT_ST, LETTER_BEFORE,
    LETTER_AFTER, LETTER_RELEASE, LETTER_ACQUIRE, LETTER_COMMIT,  LETTER_OBSERVER,
};

static const uint32_t class_numbers[] = {0, 3};
static const struct monitor_class classes[] = {{class_numbers, 1, class_numbers},
                                               {class_numbers + 1, 0, class_numbers + 1}};

struct tally {
    uint64_t tried, proven, unsound, over_strict;
};

static bool proven(const struct monitor_graph *graph)
{
    struct monitor_fault fault;
    bool fine = monitor_check(graph, NULL, &fault);
    vec_free(&fault.path);
    return fine;
}

/* As many letters in any order, none of them refused: guarded events in a loop of their own. */
static bool written_out(const struct monitor_graph *graph, bool called)
{
    struct monitor_event events[EVENTS_MAX];
    uint32_t at = 0, first = called ? 1 : 0;
    for (uint32_t i = 0; i < first; i++) events[at++] = graph->events[i];
    if (called) events[at - 1].letter = LETTER_OBSERVER;
    uint32_t start = at;
    for (size_t i = 0; i < sizeof alphabet; i++) {
        struct monitor_event event = {.letter = alphabet[i], .guarded = true};
        event.detail = event.letter == LETTER_PIPE ? 1 : MONITOR_NONE;
        if (event.letter != LETTER_RELEASE && event.letter != LETTER_OBSERVER) events[at++] = event;
    }
    uint32_t end = at;
    for (uint32_t i = first; i < graph->event_count; i++) events[at++] = graph->events[i];
    const struct monitor_block blocks[] = {{0, start, 0, 1}, {start, end, 1, 3}, {end, at, 3, 3}};
    const uint32_t succs[] = {1, 1, 2};
    struct monitor_graph whole = *graph;
    whole.events = events;
    whole.event_count = at;
    whole.blocks = blocks;
    whole.block_count = 3;
    whole.succs = succs;
    whole.is_entry = true;
    return proven(&whole);
}

/* Programs of LENGTH letters behind a call (called) or as the body of a .func. */
static void try_all(bool called, const struct step_tables *tables, struct tally *tally)
{
    struct monitor_event events[LENGTH + 2];
    uint32_t first = called ? 1 : 0, count = first + LENGTH + 1;
    const struct monitor_block block = {0, count, 0, 0};
    struct monitor_graph graph = {.events = events, .event_count = count, .blocks = &block,
                                  .block_count = 1, .is_entry = called, .classes = classes,
                                  .class_count = 2, .pairs = test_pairs, .tables = tables};
    uint64_t programs = 1;
    for (int i = 0; i < LENGTH; i++) programs *= sizeof alphabet;
    events[0] = (struct monitor_event){.letter = LETTER_CALL, .detail = MONITOR_NONE};
    for (uint64_t program = 0; program < programs; program++) {
        uint64_t rest = program;
        for (int i = 0; i < LENGTH; i++, rest /= sizeof alphabet) {
            struct monitor_event *event = &events[first + (uint32_t)i];
            *event = (struct monitor_event){.letter = alphabet[rest % sizeof alphabet]};
            event->detail = event->letter == LETTER_PIPE ? 0 : MONITOR_NONE;
        }
        events[count - 1] = (struct monitor_event){
            .letter = called ? LETTER_EXIT : LETTER_RETURN, .detail = MONITOR_NONE};
        for (uint32_t i = first; i + 1 < count; i++) {
            if (events[i].letter < LETTER_WAIT_LD || events[i].letter > LETTER_AFTER) continue;
            events[i].deleted = true;
            bool said = proven(&graph), legal = written_out(&graph, called);
            tally->tried++;
            tally->proven += said;
            tally->unsound += said && !legal;
            tally->over_strict += !said && legal;
            events[i].deleted = false;
        }
    }
}

int main(void)
{
    struct step_tables *tables =
        monitor_tables(check_assume_effective(&(struct check_options){0}, 0, 0));
    bool fine = true;
    printf("1..2\n");
    for (int called = 0; called < 2; called++) {
        struct tally tally = {0};
        try_all(called, tables, &tally);
        fine &= !tally.unsound;
        printf("# %llu deletions, %llu proven, %llu unsound, %llu over-strict\n",
               (unsigned long long)tally.tried, (unsigned long long)tally.proven,
               (unsigned long long)tally.unsound, (unsigned long long)tally.over_strict);
        printf("%s %d - %s may have done anything\n", tally.unsound ? "not ok" : "ok", called + 1,
               called ? "what is called" : "who calls a .func");
    }
    mem_free(tables);
    return !fine;
}

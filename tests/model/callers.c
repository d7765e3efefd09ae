/* Tests that a caller, or a callee, may have done anything. Tries every `.func` of a few letters,
 * and every kernel of as many letters with a call among them, each without one synchronisation. The
 * monitor's verdict is compared with the semantics, where an unknown fact is in each register. */
#include "semantics.h"

enum { LENGTH = 4 };

static const uint8_t alphabet[] = {
    EVENT_LD,
    EVENT_ST,
    EVENT_PIPE,
    EVENT_WAIT_LD,
    EVENT_WAIT_ST,
    EVENT_BEFORE,
    EVENT_AFTER,
    EVENT_COMMIT,
    EVENT_RELEASE_BARRIER,
    EVENT_RELEASE_MEMORY,
    EVENT_ACQUIRE_BARRIER,
    EVENT_ACQUIRE_MEMORY,
    EVENT_BOTH_BARRIER,
    EVENT_BOTH_MEMORY,
    EVENT_RECEIPT,
    EVENT_RELAXED_RECEIPT,
    EVENT_RELAXED_RELEASE_BARRIER,
    EVENT_RELAXED_RELEASE_MEMORY,
    EVENT_ALLOC,
};

struct tally {
    uint64_t tried, legal, unsound, over_strict;
};

static void judge(const struct monitor_graph *graph, struct tally *tally)
{
    bool complete, legal = paths_legal(graph, 1, UINT64_MAX, &complete);
    struct monitor_fault fault;
    bool said = monitor_check(graph, NULL, &fault);
    vec_free(&fault.path);
    tally->tried++;
    tally->legal += legal;
    tally->unsound += said && !legal;
    tally->over_strict += !said && legal;
    if (said != legal) print_first(graph, said);
}

/* A graph of one block with room for its events. */
struct line {
    struct monitor_graph graph;
    struct flow_block block;
    struct monitor_event events[LENGTH + 2];
};

static void line_init(struct line *line, bool is_entry, const struct transfer_tables *tables)
{
    static const uint32_t number = 0;
    static const struct monitor_class class = {&number, 1, &number};
    *line = (struct line){.block = {0, 0, 0, 0}};
    line->graph = (struct monitor_graph){.events = line->events,
                                         .blocks = &line->block,
                                         .block_count = 1,
                                         .is_entry = is_entry,
                                         .pipes = {&class, 1, test_pairs},
                                         .tables = tables};
}

static void line_add(struct line *line, uint8_t kind)
{
    struct monitor_event *event = &line->events[line->block.end++];
    *event = (struct monitor_event){.kind = kind};
    event->detail = kind == EVENT_PIPE ? 0 : MONITOR_NONE;
    line->graph.event_count = line->block.end;
}

static void judge_each(struct line *line, struct tally *tally)
{
    for (uint32_t i = 0; i < line->block.end; i++) {
        struct monitor_event *event = &line->events[i];
        if (event->kind < EVENT_WAIT_LD || event->kind > EVENT_AFTER) continue;
        event->deleted = true;
        judge(&line->graph, tally);
        event->deleted = false;
    }
}

/* All programs, with a call before event number call; LENGTH + 1: a .func without a call. */
static void try_all(uint32_t call, const struct transfer_tables *tables, struct tally *tally)
{
    uint64_t programs = 1;
    for (int i = 0; i < LENGTH; i++) programs *= sizeof alphabet;
    for (uint64_t program = 0; program < programs; program++) {
        struct line line;
        uint64_t rest = program;
        line_init(&line, call <= LENGTH, tables);
        for (uint32_t i = 0; i < LENGTH; i++, rest /= sizeof alphabet) {
            if (i == call) line_add(&line, EVENT_CALL);
            line_add(&line, alphabet[rest % sizeof alphabet]);
        }
        if (call == LENGTH) line_add(&line, EVENT_CALL);
        line_add(&line, call <= LENGTH ? EVENT_EXIT : EVENT_RETURN);
        judge_each(&line, tally);
    }
}

static bool report(int number, const struct tally *tally, const char *name)
{
    bool fine = !tally->unsound && !tally->over_strict;
    printf("# %llu deletions, %llu legal, %llu unsound, %llu over-strict\n",
           (unsigned long long)tally->tried, (unsigned long long)tally->legal,
           (unsigned long long)tally->unsound, (unsigned long long)tally->over_strict);
    printf("%s %d - %s may have done anything\n", fine ? "ok" : "not ok", number, name);
    return fine;
}

int main(void)
{
    struct transfer_tables *tables =
        transfer_tables(check_assume_effective(&(struct check_options){0}, 0, 0));
    struct tally callers = {0}, callees = {0};
    printf("1..2\n");
    try_all(LENGTH + 1, tables, &callers);
    bool fine = report(1, &callers, "who calls a .func");
    for (uint32_t call = 0; call <= LENGTH; call++) try_all(call, tables, &callees);
    fine &= report(2, &callees, "what is called");
    mem_free(tables);
    return !fine;
}

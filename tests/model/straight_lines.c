/* Compares the monitor's verdict with the semantics: every straight-line program of up to five
 * letters, without each single synchronisation. */
#include "semantics.h"

static const struct {
    uint8_t kind;
    bool guarded;
} alphabet[] = {
    {EVENT_LD, false},
    {EVENT_ST, false},
    {EVENT_PIPE, false},
    {EVENT_PIPE, true},
    {EVENT_WAIT_LD, false},
    {EVENT_WAIT_ST, false},
    {EVENT_BEFORE, false},
    {EVENT_AFTER, false},
    {EVENT_COMMIT, false},
    {EVENT_RELEASE_BARRIER, false},
    {EVENT_RELEASE_MEMORY, false},
    {EVENT_ACQUIRE_BARRIER, false},
    {EVENT_ACQUIRE_MEMORY, false},
    {EVENT_BOTH_BARRIER, false},
    {EVENT_BOTH_MEMORY, false},
    {EVENT_RECEIPT, false},
    {EVENT_RELAXED_RECEIPT, false},
    {EVENT_RELAXED_RELEASE_BARRIER, false},
    {EVENT_RELAXED_RELEASE_MEMORY, false},
    {EVENT_ALLOC, false},
};

enum { LETTERS = sizeof alphabet / sizeof *alphabet, LENGTH_MAX = 5 };

struct tally {
    uint64_t tried, legal, unsound, over_strict;
};

static bool is_sync(uint8_t kind)
{
    return kind >= EVENT_WAIT_LD && kind <= EVENT_AFTER;
}

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

/* All programs of that length, with or without an exit at the end. */
static void try_length(int length, bool exits, const struct transfer_tables *tables,
                       struct tally *tally)
{
    static const uint32_t numbers[] = {0, 1, 2};
    const struct monitor_class classes[] = {{numbers, 1, numbers}};
    struct monitor_event events[LENGTH_MAX + 1];
    struct flow_block block = {0, (uint32_t)(length + exits), 0, 0};
    struct monitor_graph graph = {.events = events,
                                  .blocks = &block,
                                  .block_count = 1,
                                  .event_count = block.end,
                                  .is_entry = true,
                                  .pipes = {classes, 1, test_pairs},
                                  .tables = tables};
    uint64_t programs = 1;
    for (int i = 0; i < length; i++) programs *= LETTERS;
    for (uint64_t program = 0; program < programs; program++) {
        uint64_t rest = program;
        for (int i = 0; i < length; i++, rest /= LETTERS) {
            uint8_t kind = alphabet[rest % LETTERS].kind;
            events[i] = (struct monitor_event){.kind = kind};
            events[i].guarded = alphabet[rest % LETTERS].guarded;
            events[i].detail = kind == EVENT_PIPE ? 0 : MONITOR_NONE;
        }
        if (exits)
            events[length] = (struct monitor_event){.kind = EVENT_EXIT, .detail = MONITOR_NONE};
        for (int i = 0; i < length; i++) {
            if (!is_sync(events[i].kind)) continue;
            events[i].deleted = true;
            judge(&graph, tally);
            events[i].deleted = false;
        }
    }
}

int main(void)
{
    struct transfer_tables *tables =
        transfer_tables(check_assume_effective(&(struct check_options){0}, 0, 0));
    struct tally tally = {0};
    for (int length = 1; length <= LENGTH_MAX; length++) {
        try_length(length, false, tables, &tally);
        try_length(length, true, tables, &tally);
    }
    mem_free(tables);
    printf("1..2\n# %llu deletions, %llu legal\n", (unsigned long long)tally.tried,
           (unsigned long long)tally.legal);
    printf("%s 1 - no deletion is allowed that an observer would miss\n",
           tally.unsound ? "not ok" : "ok");
    printf("%s 2 - no deletion is refused that no observer would miss\n",
           tally.over_strict ? "not ok" : "ok");
    return tally.unsound || tally.over_strict;
}

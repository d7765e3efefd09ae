/* Follows sets of pairs through events. A guarded event may not execute, so the pairs before it are
 * kept, too. See track.h. */
#include "check/model/track.h"

#include <string.h>

#include "base/mem.h"
#include "base/work.h"

enum { CHANGED = TRANSFER_STATES, HALF_WORDS = MONITOR_WORDS / 2 };

struct monitor_classes track_classes(const struct monitor_graph *graph, enum monitor_fact fact)
{
    if (fact == FACT_PIPE) return graph->pipes;
    if (fact == FACT_LD || fact == FACT_ST) return graph->accesses;
    return (struct monitor_classes){.count = 0};
}

uint32_t track_kinds(const struct monitor_graph *graph)
{
    const uint32_t all = (1u << EVENT_COUNT) - 1;
    return graph->all_kinds ? graph->all_kinds : all;
}

/* Whether the event is of a kind that the classes of the fact divide. */
static bool has_class(const struct track *track, const struct monitor_event *event)
{
    if (track->fact == FACT_PIPE) return event->kind == EVENT_PIPE;
    return event->kind == EVENT_LD || event->kind == EVENT_ST;
}

static void track_begin(struct track *track, const struct monitor_graph *graph,
                        enum monitor_fact fact, bool literal, bool by_class)
{
    *track =
        (struct track){.graph = graph,
                       .table = transfer_table(graph->tables, literal, fact, track_kinds(graph)),
                       .fact = fact,
                       .literal = literal};
    track->bearing = track->table->bearing;
    track->acting = track->table->acting | 1u << EVENT_COMMIT;
    if (!by_class) return;
    track->classes = track_classes(graph, fact);
    track->members = mem_zalloc((size_t)track->classes.count + 1, 1);
}

void track_prepare(struct track *track, const struct monitor_graph *graph, enum monitor_fact fact,
                   bool literal, uint32_t class)
{
    track_begin(track, graph, fact, literal, class != MONITOR_NONE);
    if (class == MONITOR_NONE) return;
    track->members[class] = 1;
    track->acting |= 1u << EVENT_WRITE;
    if (class < track->classes.count) track->class = &track->classes.at[class];
}

void track_prepare_unpaired(struct track *track, const struct monitor_graph *graph,
                            enum monitor_fact fact, bool literal, const uint8_t *classes)
{
    track_begin(track, graph, fact, literal, true);
    memcpy(track->members, classes, (size_t)track->classes.count + 1);
}

void track_prepare_excused(struct track *track, const struct monitor_graph *graph,
                           enum monitor_fact fact, bool literal)
{
    track_begin(track, graph, fact, literal, true);
    memset(track->members, 1, (size_t)track->classes.count + 1);
    track->pairs_with_all = true;
}

void track_free(struct track *track)
{
    mem_free(track->members);
    track->members = NULL;
}

static void track_add_pair(struct monitor_set *set, unsigned pair)
{
    set->words[pair / 64] |= 1ull << pair % 64;
}

/* Every pair that is equal in both programs. It stays equal until a removed event. */
static const uint64_t equal_pairs[MONITOR_WORDS] = {
    UINT64_C(0x0008000400020001), UINT64_C(0x0080004000200010), UINT64_C(0x0800040002000100),
    UINT64_C(0x8000400020001000), UINT64_C(0x0008000400020001), UINT64_C(0x0080004000200010),
    UINT64_C(0x0800040002000100), UINT64_C(0x8000400020001000),
};

/* Adds every pair that is equal in both programs, of unchanged registers. */
static void add_equal_pairs(struct monitor_set *set)
{
    for (int w = 0; w < HALF_WORDS; w++) set->words[w] |= equal_pairs[w];
}

/* Whether the event need not see the fact because it pairs with its class; this holds while the
 * registers of the class are unchanged. */
static bool is_excused(const struct track *track, const struct monitor_event *event)
{
    if (!has_class(track, event) || event->detail == MONITOR_NONE) return false;
    const struct monitor_classes *classes = &track->classes;
    return track->pairs_with_all ||
           (track->class && classes->pairs(track->class->data, classes->at[event->detail].data));
}

/* Returns those bits of held (ways to hold the fact) from which events of these kinds lead only to
 * bits of held. */
static uint32_t keep_closed(const struct transfer_table *table, uint32_t kinds, uint32_t held)
{
    uint32_t kept = held;
    for (; kinds; kinds &= kinds - 1)
        for (unsigned h = 0; h < TRANSFER_HELD; h++)
            if (!(held >> table->next[__builtin_ctz(kinds)][h] & 1)) kept &= ~(1u << h);
    return kept;
}

struct track_settled track_settled(const struct transfer_table *table, uint32_t deleted)
{
    struct track_settled made = {{0}};
    uint32_t moving = table->moving, settled = (1u << TRANSFER_HELD) - 1, before = 0;
    for (uint32_t kinds = deleted & moving; kinds; kinds &= kinds - 1)
        for (unsigned h = 0; h < TRANSFER_HELD; h++)
            if (table->next[__builtin_ctz(kinds)][h] != h) settled &= ~(1u << h);
    for (; settled != before; settled = keep_closed(table, moving, settled)) before = settled;
    for (unsigned h = 0; h < TRANSFER_HELD; h++) {
        unsigned pair = h | h * TRANSFER_HELD;
        made.pairs[pair / 64] |= (uint64_t)(settled >> h & 1) << pair % 64;
    }
    return made;
}

void track_drop(struct track *track, const struct track_settled *settled, uint32_t deleted)
{
    track->drops = true;
    track->removed = deleted & track->table->moving;
    memcpy(track->dropped, settled->pairs, sizeof track->dropped);
}

/* Returns the pair after an event of this kind. deleted: AFTER lacks the event. */
static unsigned pair_behind(const struct track *track, uint8_t kind, bool deleted, unsigned pair)
{
    const uint8_t *next = track->table->next[kind];
    unsigned o = pair % TRANSFER_HELD, r = pair / TRANSFER_HELD % TRANSFER_HELD;
    return next[o] | (deleted ? r : next[r]) * TRANSFER_HELD | (pair & CHANGED);
}

static unsigned joined_pair(const struct track *track, unsigned pair)
{
    return pair_behind(track, EVENT_BEFORE, true, pair);
}

static struct monitor_set joined_set(const struct track *track, const struct monitor_set *set)
{
    struct monitor_set made = {{0}};
    for (int i = 0; i < MONITOR_WORDS; i++)
        for (uint64_t bits = set->words[i]; bits; bits &= bits - 1)
            track_add_pair(&made,
                           joined_pair(track, (unsigned)i * 64 + (unsigned)__builtin_ctzll(bits)));
    return made;
}

/* Whether two halves of sets have a pair in common. */
static inline bool sets_meet(const uint64_t *one, const uint64_t *other)
{
    return (one[0] & other[0]) | (one[1] & other[1]) | (one[2] & other[2]) | (one[3] & other[3]);
}

static bool refuses_event(const struct track *track, const struct monitor_event *event,
                          const struct monitor_set *set)
{
    const struct monitor_set *bad = &track->table->bad[event->kind];
    if (sets_meet(set->words + HALF_WORDS, bad->words + HALF_WORDS)) return true;
    if (!sets_meet(set->words, bad->words)) return false;
    if (!is_excused(track, event)) return true;
    return event->kind != EVENT_PIPE &&
           sets_meet(set->words, track->table->unordered[event->kind].words);
}

bool track_refuses(const struct track *track, const struct monitor_event *event,
                   const struct monitor_set *set)
{
    if (!event->joined) return refuses_event(track, event, set);
    struct monitor_set joined = joined_set(track, set);
    return refuses_event(track, event, &joined);
}

uint32_t track_class(const struct track *track, const struct monitor_event *event)
{
    uint8_t kind = track->table->birth[event->kind];
    uint32_t other = track_classes(track->graph, track->fact).count;
    if (kind == BIRTH_NONE) return MONITOR_NONE;
    return kind == BIRTH_FRESH && event->detail < other ? event->detail : other;
}

enum transfer_birth track_birth(const struct track *track, const struct monitor_event *event)
{
    enum transfer_birth kind = (enum transfer_birth)track->table->birth[event->kind];
    if (!track->members || kind == BIRTH_NONE) return kind;
    return track->members[track_class(track, event)] ? kind : BIRTH_NONE;
}

static bool ends_pairing(const struct track *track, const struct monitor_event *event)
{
    if (!track->class) return false;
    for (uint32_t i = 0; i < track->class->register_count; i++)
        if (track->class->registers[i] == event->detail) return true;
    return false;
}

bool track_moves(const struct track *track, const struct monitor_event *event)
{
    /* The fence of a joined commit executes when the commit does; the commit accounts for it. */
    if (event->deleted && event->guarded) return false;
    if (event->kind == EVENT_WRITE) return ends_pairing(track, event);
    return event->joined || track->table->moves[event->kind];
}

unsigned track_pair(const struct track *track, const struct monitor_event *event, unsigned pair)
{
    if (event->joined) pair = joined_pair(track, pair);
    if (event->kind == EVENT_WRITE && ends_pairing(track, event)) return pair | CHANGED;
    return pair_behind(track, event->kind, event->deleted, pair);
}

/* Whether a half of a set has a pair. */
static inline bool holds_any(const uint64_t *half)
{
    return half[0] | half[1] | half[2] | half[3];
}

/* Adds the pairs of a half after event to made; a joined event counts for itself only. event writes
 * no register. */
static inline void move_half(const struct track *track, const struct monitor_event *event,
                             const uint64_t *half, uint64_t *made)
{
    static const uint8_t same[TRANSFER_HELD] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t *next = track->table->next[event->kind], *other = event->deleted ? same : next;
    for (unsigned w = 0; w < HALF_WORDS; w++)
        for (uint64_t bits = half[w]; bits; bits &= bits - 1) {
            unsigned pair = w * 64 + (unsigned)__builtin_ctzll(bits);
            unsigned r = other[pair / TRANSFER_HELD];
            unsigned to = next[pair % TRANSFER_HELD] | r * TRANSFER_HELD;
            made[to / 64] |= 1ull << to % 64;
        }
}

/* Marks that a register of the class was written. */
static void end_pairing(const struct monitor_event *event, struct monitor_set *set)
{
    for (int w = 0; w < HALF_WORDS; w++) {
        set->words[HALF_WORDS + w] |= set->words[w];
        if (!event->guarded) set->words[w] = 0;
    }
}

/* Sets half to the pairs of from after event; a guarded event keeps those of half, too. from is
 * half itself, or half as a joined event sees it. */
static inline void move_into(const struct track *track, const struct monitor_event *event,
                             const uint64_t *from, uint64_t *half)
{
    uint64_t made[HALF_WORDS] = {0};
    move_half(track, event, from, made);
    for (int w = 0; w < HALF_WORDS; w++) half[w] = event->guarded ? half[w] | made[w] : made[w];
}

/* Changes set to the pairs after event. */
static void track_move_pairs(const struct track *track, const struct monitor_event *event,
                             struct monitor_set *set)
{
    if (event->kind == EVENT_WRITE) {
        end_pairing(event, set);
        return;
    }
    struct monitor_set joined;
    if (event->joined) joined = joined_set(track, set);
    const uint64_t *from = event->joined ? joined.words : set->words;
    bool changed = holds_any(set->words + HALF_WORDS);
    move_into(track, event, from, set->words);
    if (changed) move_into(track, event, from + HALF_WORDS, set->words + HALF_WORDS);
}

/* Whether event may refuse a pair of the set; false is certain. changed: the set may have pairs
 * with CHANGED. */
static inline bool may_refuse(const struct track *track, const struct monitor_event *event,
                              const struct monitor_set *set, bool changed)
{
    const struct monitor_set *bad = &track->table->bad[event->kind];
    return event->joined || sets_meet(set->words, bad->words) ||
           (changed && sets_meet(set->words + HALF_WORDS, bad->words + HALF_WORDS));
}

/* Adds the pairs that event creates. Returns false if it creates none. */
static bool track_add_births(const struct track *track, const struct monitor_event *event,
                             struct monitor_set *set)
{
    enum transfer_birth kind = track_birth(track, event);
    if (kind == BIRTH_FRESH) track_add_pair(set, 0);
    if (kind == BIRTH_ANY) add_equal_pairs(set);
    return kind != BIRTH_NONE;
}

bool track_starts_with_any(const struct track *track)
{
    const struct monitor_graph *graph = track->graph;
    return !graph->is_entry && (!track->members || track->members[track->classes.count]);
}

static void track_enter(void *of, uint64_t *set)
{
    if (track_starts_with_any(of)) add_equal_pairs((struct monitor_set *)set);
}

/* Passes one event with a set that is not empty. Returns false if the event refuses it. */
static inline bool track_pass_event(const struct track *track, const struct monitor_event *event,
                                    struct monitor_set *set, bool changed)
{
    const struct transfer_table *table = track->table;
    uint32_t kind = 1u << event->kind;
    bool sees = table->seeing & kind || event->joined;
    bool moves = (table->moving | 1u << EVENT_WRITE) & kind || event->joined;
    if (sees && may_refuse(track, event, set, changed) && track_refuses(track, event, set))
        return false;
    if (moves && track_moves(track, event)) track_move_pairs(track, event, set);
    return true;
}

static void drop_settled_pairs(const struct track *track, uint64_t *half)
{
    for (int w = 0; w < HALF_WORDS; w++) half[w] &= ~track->dropped[w];
}

static bool track_pass(void *of, uint32_t block, uint64_t *words)
{
    const struct track *track = of;
    const struct flow_block *at = &track->graph->blocks[block];
    struct monitor_set *set = (struct monitor_set *)words;
    bool changed = holds_any(set->words + HALF_WORDS), any = changed || holds_any(set->words);
    /* While the set is empty, only what creates the fact matters. */
    uint32_t bearing = track->bearing, acting = any ? track->acting : bearing;
    changed |= track->class != NULL;
    work_spend(at->end - at->start + 1);
    if (track->graph->kinds && !(track->graph->kinds[block] & acting)) return true;
    for (uint32_t i = at->start; i < at->end; i++) {
        const struct monitor_event *event = &track->graph->events[i];
        uint32_t kind = 1u << event->kind;
        if (!(acting & kind)) continue;
        if (any && !track_pass_event(track, event, set, changed)) return false;
        if (!(bearing & kind) || !track_add_births(track, event, set)) continue;
        any = true;
        acting = track->acting;
    }
    drop_settled_pairs(track, set->words);
    if (changed) drop_settled_pairs(track, set->words + HALF_WORDS);
    return true;
}

struct flow track_flow(struct track *track)
{
    return (struct flow){.blocks = track->graph->blocks,
                         .succs = track->graph->succs,
                         .block_count = track->graph->block_count,
                         .words = MONITOR_WORDS,
                         .of = track,
                         .enter = track_enter,
                         .pass = track_pass,
                         .kinds =
                             track->drops && track->graph->reached ? track->graph->kinds : NULL,
                         .beginning = track->bearing,
                         .reached = track->graph->reached,
                         .leads = track->drops ? track->graph->leads : NULL,
                         .removed = track->removed,
                         .fading = equal_pairs};
}

/* Sets of pairs through events. A guarded event may or may not run, so the pairs before it stay.
 * See track.h. */
#include "check/model/track.h"

#include "base/mem.h"
#include "base/work.h"

enum { CHANGED = TRANSFER_STATES, HALF_WORDS = MONITOR_WORDS / 2 };

void track_prepare(struct track *track, const struct monitor_graph *graph, enum monitor_fact fact,
                   bool literal, uint32_t class)
{
    *track = (struct track){.graph = graph,
                            .table = &graph->tables->of[literal][fact],
                            .fact = fact,
                            .literal = literal,
                            .class = class};
    if (track->class == MONITOR_NONE) return;
    track->pairs = mem_zalloc((size_t)graph->class_count + 1, 1);
    if (track->class >= graph->class_count) return;
    for (uint32_t i = 0; i < graph->class_count; i++)
        track->pairs[i] = graph->pairs(graph->classes[track->class].data, graph->classes[i].data);
}

void track_free(struct track *track)
{
    mem_free(track->pairs);
    track->pairs = NULL;
}

static void add(struct monitor_set *set, unsigned pair)
{
    set->words[pair / 64] |= 1ull << pair % 64;
}

/* Every pair that is equal in both programs. */
static void add_any(struct monitor_set *set)
{
    for (unsigned held = 0; held < TRANSFER_HELD; held++) add(set, held | held << 4);
}

/* Pairs of the fact's class are excused while its registers are what they were. */
static bool is_excused(const struct track *track, const struct monitor_event *event)
{
    return event->kind == EVENT_PIPE && track->pairs && event->detail != MONITOR_NONE &&
           track->pairs[event->detail];
}

/* The pair behind an event of this kind, which the rewrite may lack. */
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
            add(&made, joined_pair(track, (unsigned)i * 64 + (unsigned)__builtin_ctzll(bits)));
    return made;
}

bool track_refuses(const struct track *track, const struct monitor_event *event,
                   const struct monitor_set *set)
{
    struct monitor_set joined;
    if (event->joined) {
        joined = joined_set(track, set);
        set = &joined;
    }
    const struct monitor_set *bad = &track->table->bad[event->kind];
    uint64_t hit = 0;
    for (int i = is_excused(track, event) ? HALF_WORDS : 0; i < MONITOR_WORDS; i++)
        hit |= set->words[i] & bad->words[i];
    return hit != 0;
}

enum transfer_birth track_birth(const struct track *track, const struct monitor_event *event)
{
    enum transfer_birth kind = (enum transfer_birth)track->table->birth[event->kind];
    if (track->class == MONITOR_NONE || kind == BIRTH_NONE) return kind;
    bool foreign = track->class == track->graph->class_count;
    if (kind == BIRTH_ANY) return foreign ? BIRTH_ANY : BIRTH_NONE;
    return event->detail == track->class ? BIRTH_FRESH : BIRTH_NONE;
}

static bool changes_class(const struct track *track, const struct monitor_event *event)
{
    if (event->kind != EVENT_WRITE || !track->pairs) return false;
    if (track->class >= track->graph->class_count) return false;
    const struct monitor_class *class = &track->graph->classes[track->class];
    for (uint32_t i = 0; i < class->register_count; i++)
        if (class->registers[i] == event->detail) return true;
    return false;
}

bool track_moves(const struct track *track, const struct monitor_event *event)
{
    /* The fence of a joined commit runs when the commit does, and is accounted for there. */
    if (event->deleted && event->guarded) return false;
    return event->joined || track->table->moves[event->kind] || changes_class(track, event);
}

unsigned track_pair(const struct track *track, const struct monitor_event *event, unsigned pair)
{
    if (event->joined) pair = joined_pair(track, pair);
    if (changes_class(track, event)) return pair | CHANGED;
    return pair_behind(track, event->kind, event->deleted, pair);
}

/* The pairs behind event. */
static void track_event(const struct track *track, const struct monitor_event *event,
                        struct monitor_set *set)
{
    if (track_moves(track, event)) {
        struct monitor_set made = {{0}};
        for (int i = 0; i < MONITOR_WORDS; i++)
            for (uint64_t bits = set->words[i]; bits; bits &= bits - 1)
                add(&made,
                    track_pair(track, event, (unsigned)i * 64 + (unsigned)__builtin_ctzll(bits)));
        for (int i = 0; i < MONITOR_WORDS; i++)
            set->words[i] = made.words[i] | (event->guarded ? set->words[i] : 0);
    }
    switch (track_birth(track, event)) {
    case BIRTH_FRESH: add(set, 0); break;
    case BIRTH_ANY: add_any(set); break;
    case BIRTH_NONE: break;
    }
}

bool track_starts_with_any(const struct track *track)
{
    const struct monitor_graph *graph = track->graph;
    return !graph->is_entry && (track->class == MONITOR_NONE || track->class == graph->class_count);
}

/* Is there a pair that is not equal in both programs? Only a deleted event makes one of those that
 * are, and nobody sees less with them. */
static bool differs(const struct monitor_set *set)
{
    static const uint64_t equal = 1ull | 1ull << 17 | 1ull << 34 | 1ull << 51;
    uint64_t found = 0;
    for (int i = 0; i < HALF_WORDS; i++)
        found |= (set->words[i] | set->words[HALF_WORDS + i]) & ~(equal << 4 * i);
    return found != 0;
}

/* Is it anything to the fact? */
static bool acts(const struct track *track, const struct monitor_event *event)
{
    bool writes = event->kind == EVENT_WRITE && track->pairs;
    return track->table->acts[event->kind] || event->joined || writes;
}

static void enter(void *of, uint64_t *set)
{
    if (track_starts_with_any(of)) add_any((struct monitor_set *)set);
}

static bool pass(void *of, uint32_t block, uint64_t *words)
{
    const struct track *track = of;
    const struct flow_block *at = &track->graph->blocks[block];
    struct monitor_set *set = (struct monitor_set *)words;
    bool may_see_less = differs(set);
    work_spend(at->end - at->start + 1);
    for (uint32_t i = at->start; i < at->end; i++) {
        const struct monitor_event *event = &track->graph->events[i];
        if (!acts(track, event)) continue;
        may_see_less |= event->deleted || event->joined;
        if (may_see_less && track_refuses(track, event, set)) return false;
        track_event(track, event, set);
    }
    return true;
}

struct flow track_flow(struct track *track)
{
    return (struct flow){.blocks = track->graph->blocks,
                         .succs = track->graph->succs,
                         .block_count = track->graph->block_count,
                         .words = MONITOR_WORDS,
                         .of = track,
                         .enter = enter,
                         .pass = pass};
}

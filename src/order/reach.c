/* Lists the instructions that paths from a place reach. A breadth-first search over blocks. See
 * reach.h. */
#include "order/reach.h"

#include "base/intern.h"
#include "order/watch.h"

struct search {
    const struct analysis *analysis;
    const struct watch_points *points; /* NULL: events */
    uint32_t site, left;
    bool backward, ended;
    reach_visit *visit;
    void *context;
    struct VEC(uint32_t) todo;
    struct intern entered; /* the blocks that were entered; keys of intern without a name */
};

static const uint32_t *first_of(const struct search *s, uint32_t block)
{
    return (s->points ? s->points->first : s->analysis->first_event) + block;
}

static uint32_t instr_at(const struct search *s, uint32_t n)
{
    return s->points ? s->points->at.at[n] : s->analysis->events.at[n].instr;
}

static void reach_enter_next(struct search *s, uint32_t block)
{
    const struct cfg *cfg = s->analysis->cfg;
    const struct block *b = &cfg->blocks[block];
    const uint32_t *next = s->backward ? &cfg->preds[b->first_pred] : &cfg->succs[b->first_succ];
    uint32_t count = s->backward ? b->pred_count : b->succ_count;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t seen = s->entered.count;
        if (intern_add(&s->entered, next[n], (struct str){"", 0}) == seen)
            vec_push(&s->todo, next[n]);
    }
}

/* Visits the points [first, end) of a block, and enters its neighbours. */
static void reach_walk_block(struct search *s, uint32_t block, uint32_t first, uint32_t end)
{
    enum reach_next next = REACH_ON;
    for (uint32_t k = 0; k < end - first && next == REACH_ON; k++) {
        uint32_t i = instr_at(s, s->backward ? end - 1 - k : first + k);
        if (!s->left) return;
        s->left--;
        if (i != s->site && !s->analysis->deleted[i]) next = s->visit(s->context, s->analysis, i);
    }
    bool open = next == REACH_ON;
    if (open && s->backward && block == 0) next = s->visit(s->context, s->analysis, SCAN_ENTRY);
    s->ended = next == REACH_ALL;
    if (open && !s->ended) reach_enter_next(s, block);
}

/* The first point in [first, end) after site. Points are in ascending order. */
static uint32_t first_behind_site(const struct search *s, uint32_t first, uint32_t end)
{
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (instr_at(s, middle) <= s->site)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool reach_run(struct search *s)
{
    uint32_t block = s->analysis->cfg->block_of[s->site];
    uint32_t first = first_of(s, block)[0], end = first_of(s, block)[1];
    s->left = REACH_MOST;
    if (s->backward)
        reach_walk_block(s, block, first, first_behind_site(s, first, end));
    else
        reach_walk_block(s, block, first_behind_site(s, first, end), end);
    for (uint32_t n = 0; n < s->todo.count && s->left && !s->ended; n++) {
        s->left--;
        block = s->todo.at[n];
        reach_walk_block(s, block, first_of(s, block)[0], first_of(s, block)[1]);
    }
    vec_free(&s->todo);
    intern_free(&s->entered);
    return s->left > 0;
}

bool reach_events(const struct analysis *analysis, uint32_t site, bool backward, reach_visit *visit,
                  void *context)
{
    struct search s = {.analysis = analysis,
                       .site = site,
                       .backward = backward,
                       .visit = visit,
                       .context = context};
    return reach_run(&s);
}

bool reach_loaded(const struct analysis *analysis, uint32_t site, reach_visit *visit, void *context)
{
    watch_need(analysis);
    struct search s = {.analysis = analysis,
                       .points = &analysis->watch->points[WATCH_LD],
                       .site = site,
                       .visit = visit,
                       .context = context};
    return reach_run(&s);
}

/* Keeps visits in a hash table by place, each place with a list. See walk_visits.h. */
#include "lint/walk_visits.h"

#include "base/mem.h"
#include "lint/path_condition.h"

/* A slot of the hash table: a place. */
struct met {
    uint32_t block, at, state;
    uint32_t visits; /* the last in the list */
    uint32_t stamp;  /* that of visits when the slot was filled; other slots are empty */
};

void visits_begin(struct visits *visits, uint32_t places)
{
    visits->met_cap = places;
    visits->met = mem_zalloc(visits->met_cap, sizeof *visits->met);
}

void visits_free(struct visits *visits)
{
    vec_free(&visits->made);
    mem_free(visits->met);
}

void visits_clear(struct visits *visits)
{
    visits->stamp++;
    visits->made.count = visits->met_count = 0;
}

static struct met *met_slot(const struct visits *visits, const struct met *key)
{
    uint64_t hash = ((uint64_t)key->at << 32 | key->state) * UINT64_C(0x9E3779B97F4A7C15) ^
                    key->block * UINT64_C(0xD6E8FEB86659FD93);
    uint32_t mask = visits->met_cap - 1, at = (uint32_t)(hash >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        struct met *met = &visits->met[at];
        if (met->stamp != visits->stamp) return met;
        if (met->block == key->block && met->at == key->at && met->state == key->state) return met;
    }
}

static void grow_met(struct visits *visits)
{
    struct visits more = *visits;
    more.met_cap = visits->met_cap * 2;
    more.met = mem_zalloc(more.met_cap, sizeof *more.met);
    for (uint32_t i = 0; i < visits->met_cap; i++)
        if (visits->met[i].stamp == visits->stamp)
            *met_slot(&more, &visits->met[i]) = visits->met[i];
    mem_free(visits->met);
    *visits = more;
}

static struct met key_of_visit(const struct visits *visits, const struct made *made)
{
    return (struct met){made->block, made->at, made->state, NO_VISIT, visits->stamp};
}

/* The place of the visit, with an empty list if it is new. */
static struct met *met_at(struct visits *visits, const struct made *made)
{
    struct met key = key_of_visit(visits, made);
    if (visits->met_count * 2 >= visits->met_cap) grow_met(visits);
    struct met *met = met_slot(visits, &key);
    if (met->stamp == visits->stamp) return met;
    *met = key;
    visits->met_count++;
    return met;
}

static void add_made(struct visits *visits, struct met *met, const struct made *made)
{
    vec_push(&visits->made, *made);
    visits->made.at[visits->made.count - 1].before = met->visits;
    met->visits = visits->made.count - 1;
}

/* A path of the visit `wide` can go wherever a path of the other visit can. */
static bool visits_cover(const struct lint *lint, const struct made *wide, const struct made *other)
{
    return !(wide->bits & ~other->bits) && wide->vague <= other->vague &&
           path_condition_has(lint, other->set, wide->set);
}

bool visits_add(const struct lint *lint, struct visits *visits, const struct made *made)
{
    struct met *met = met_at(visits, made);
    for (uint32_t v = met->visits; v != NO_VISIT; v = visits->made.at[v].before) {
        const struct made *other = &visits->made.at[v];
        if (other->set == made->set || visits_cover(lint, other, made)) return false;
    }
    add_made(visits, met, made);
    return true;
}

void visits_remember(struct visits *visits, struct made made, bool leads)
{
    enum { REMEMBERED_MAX = 16 };
    struct met *met = met_at(visits, &made);
    uint32_t count = 0;
    for (uint32_t v = met->visits; v != NO_VISIT; v = visits->made.at[v].before)
        if (++count == REMEMBERED_MAX) return;
    made.leads = leads;
    add_made(visits, met, &made);
}

/* A path of the visit can go where one of the other visit has found something, and without being
 * vague if it is not. */
static bool leads_as(const struct lint *lint, const struct made *visit, const struct made *other)
{
    return !(visit->bits & ~other->bits) && other->vague <= visit->vague &&
           path_condition_has(lint, other->set, visit->set);
}

enum visits_tell visits_tell(const struct lint *lint, const struct visits *visits,
                             const struct made *made, bool any)
{
    struct met key = key_of_visit(visits, made);
    const struct met *met = met_slot(visits, &key);
    if (met->stamp != visits->stamp) return VISITS_UNKNOWN;
    for (uint32_t v = met->visits; v != NO_VISIT; v = visits->made.at[v].before) {
        const struct made *known = &visits->made.at[v];
        lint_spend(lint, 1);
        if (!known->leads && (known->set == made->set || visits_cover(lint, known, made)))
            return VISITS_END;
        if (known->leads && any && leads_as(lint, made, known)) return VISITS_LEAD;
    }
    return VISITS_UNKNOWN;
}

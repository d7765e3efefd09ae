/* Names under nested braces, with an undo log. See scope.h. */
#include "check/model/scope.h"

void scope_init(struct scope *scope, struct arena *arena)
{
    *scope = (struct scope){.arena = arena};
    vec_push(&scope->parents, UINT32_MAX);
    vec_push(&scope->open, 0);
    vec_push(&scope->marks, 0);
}

void scope_free(struct scope *scope)
{
    intern_free(&scope->names);
    intern_free(&scope->labels);
    intern_free(&scope->stems);
    vec_free(&scope->current);
    vec_free(&scope->shadows);
    vec_free(&scope->marks);
    vec_free(&scope->open);
    vec_free(&scope->parents);
    vec_free(&scope->label_at);
}

uint32_t scope_current(const struct scope *scope)
{
    return scope->open.at[scope->open.count - 1];
}

bool scope_open(struct scope *scope)
{
    if (scope->open.count >= SCOPE_DEPTH_MAX) return false;
    vec_push(&scope->parents, scope_current(scope));
    vec_push(&scope->open, scope->parents.count - 1);
    vec_push(&scope->marks, scope->shadows.count);
    return true;
}

bool scope_close(struct scope *scope)
{
    if (scope->open.count <= 1) return false;
    uint32_t mark = scope->marks.at[--scope->marks.count];
    scope->open.count--;
    while (scope->shadows.count > mark) {
        struct scope_shadow shadow = scope->shadows.at[--scope->shadows.count];
        scope->current.at[shadow.name] = shadow.old;
    }
    return true;
}

static uint32_t name_number(struct scope *scope, struct str name)
{
    uint32_t number = intern_add(&scope->names, 0, name);
    if (number == scope->current.count) vec_push(&scope->current, scope->register_count++);
    return number;
}

uint32_t scope_register(struct scope *scope, struct str name)
{
    uint32_t number = name_number(scope, name);
    return scope->current.at[number];
}

void scope_declare(struct scope *scope, struct str name)
{
    uint32_t number = name_number(scope, name);
    if (scope->open.count <= 1) return;
    vec_push(&scope->shadows, (struct scope_shadow){number, scope->current.at[number]});
    scope->current.at[number] = scope->register_count++;
}

void scope_label(struct scope *scope, struct str name, uint32_t index)
{
    uint32_t label = intern_add(&scope->labels, scope_current(scope), name);
    if (label < scope->label_at.count)
        scope->label_at.at[label] = UINT32_MAX;
    else
        vec_push(&scope->label_at, index);
}

uint32_t scope_find_label(const struct scope *scope, uint32_t id, struct str name, bool own_first)
{
    uint32_t found = INTERN_NONE;
    for (uint32_t at = id; at != UINT32_MAX; at = scope->parents.at[at]) {
        uint32_t label = intern_find(&scope->labels, at, name);
        if (label == INTERN_NONE) continue;
        if (found != INTERN_NONE) return UINT32_MAX;
        found = label;
        if (at == id && own_first) break;
    }
    return found == INTERN_NONE ? UINT32_MAX : scope->label_at.at[found];
}

bool scope_has_label(const struct scope *scope, uint32_t id, struct str name)
{
    for (; id != UINT32_MAX; id = scope->parents.at[id])
        if (intern_find(&scope->labels, id, name) != INTERN_NONE) return true;
    return false;
}

/* The length of name without its trailing digits. */
static size_t stem_length(struct str name)
{
    size_t n = name.n;
    while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9') n--;
    return n;
}

bool scope_declare_range(struct scope *scope, struct str stem, uint32_t count)
{
    if (stem_length(stem) != stem.n) return false;
    intern_add(&scope->stems, 0, stem);
    for (uint32_t i = 0; i < count; i++) {
        char *one = arena_printf(scope->arena, "%.*s%u", (int)stem.n, stem.p, i);
        scope_declare(scope, str_from(one));
    }
    return true;
}

bool scope_is_alias(const struct scope *scope, struct str name)
{
    enum { CANONICAL_DIGITS = 9 };
    struct str stem = {name.p, stem_length(name)};
    size_t digits = name.n - stem.n;
    bool usual = digits < 2 || (name.p[stem.n] != '0' && digits <= CANONICAL_DIGITS);
    return !usual && intern_find(&scope->stems, 0, stem) != INTERN_NONE;
}

/* Resolves names in nested braces with an undo log. See scope.h. */
#include "check/model/scope.h"

#include "base/word.h"

void scope_init(struct scope *scope, struct arena *arena, uint32_t *room)
{
    *scope = (struct scope){.arena = arena, .room = room};
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
    vec_free(&scope->nested);
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

/* A name such as %r12. */
struct scope_numbered {
    uint64_t stem; /* as in struct scope_range */
    uint32_t number, end;
};

/* Reads the name at pos. Returns false if it does not end with a number in the usual spelling. */
static bool scope_read_numbered(struct str text, uint32_t pos, struct scope_numbered *name)
{
    enum { STEM_MAX = 7 };
    uint32_t at = pos, digits, number = 0;
    uint64_t stem = 0;
    for (; at < pos + STEM_MAX; at++) {
        bool fits = token_class_at(text, at, TOKEN_CLASS_LETTER);
        if (!fits && (at > pos || at >= text.n || text.p[at] != '%')) break;
        stem |= (uint64_t)(unsigned char)text.p[at] << (at - pos) * 8;
    }
    for (digits = at; token_class_at(text, at, TOKEN_CLASS_DIGIT) && at < digits + SCOPE_DIGITS_MAX;
         at++)
        number = number * 10 + (uint32_t)(text.p[at] - '0');
    stem |= (uint64_t)'0' << (digits - pos) * 8;
    *name = (struct scope_numbered){stem, number, at};
    bool usual = at == digits + 1 || (at > digits && text.p[digits] != '0');
    return usual && digits > pos && !token_class_at(text, at, TOKEN_CLASS_WORD);
}

/* Returns the range of the name; UINT32_MAX if there is none. */
static uint32_t scope_find_range(const struct scope *scope, const struct scope_numbered *name)
{
    for (uint32_t i = 0; i < scope->range_count; i++)
        if (scope->ranges[i].stem == name->stem)
            return name->number < scope->ranges[i].count ? i : UINT32_MAX;
    return UINT32_MAX;
}

static uint32_t range_of(const struct scope *scope, struct str name,
                         struct scope_numbered *numbered)
{
    return scope_read_numbered(name, 0, numbered) ? scope_find_range(scope, numbered) : UINT32_MAX;
}

uint32_t scope_register_near_end(const struct scope *scope, struct str text, uint32_t pos,
                                 uint32_t *end)
{
    struct scope_numbered name;
    if (!scope_read_numbered(text, pos, &name)) return UINT32_MAX;
    uint32_t range = scope_find_range(scope, &name);
    if (range == UINT32_MAX || name.number >= scope->ranges[range].direct) return UINT32_MAX;
    *end = name.end;
    return scope->ranges[range].first + name.number;
}

/* Returns the number of the name. A new name means the register of the function itself. */
static uint32_t name_look_up(struct scope *scope, struct str name)
{
    uint32_t number = intern_add(&scope->names, 0, name);
    if (number < scope->current.count) return number;
    struct scope_numbered numbered;
    uint32_t range = range_of(scope, name, &numbered);
    vec_push(&scope->current, range == UINT32_MAX ? scope->register_count++
                                                  : scope->ranges[range].first + numbered.number);
    vec_push(&scope->nested, false);
    return number;
}

/* As name_look_up. Inline assembly declares and uses the same few short names again and again. */
static uint32_t name_number(struct scope *scope, struct str name)
{
    uint64_t word;
    if (!name.n || name.n > sizeof word) return name_look_up(scope, name);
    word = word_load(name.p, name.n);
    struct scope_recent *recent = &scope->recent[word * WORD_SPREAD >> 32 & (SCOPE_RECENT - 1)];
    if (recent->word != word) *recent = (struct scope_recent){word, name_look_up(scope, name)};
    return recent->number;
}

uint32_t scope_register(struct scope *scope, struct str name)
{
    uint32_t number = name_number(scope, name);
    return scope->current.at[number];
}

uint32_t scope_register_everywhere(const struct scope *scope, struct str text, uint32_t pos,
                                   uint32_t *end)
{
    uint32_t usual = scope_register_in_range(scope, text, pos, end);
    if (usual != UINT32_MAX) return usual;
    struct token token = token_next(text, pos);
    struct str name = token_text(text, token.span);
    *end = token.span.end;
    if (token.kind != TOKEN_NAME || scope_is_alias(scope, name)) return UINT32_MAX;
    uint32_t number = intern_find(&scope->names, 0, name);
    bool everywhere = number != INTERN_NONE && !scope->nested.at[number];
    return everywhere ? scope->current.at[number] : UINT32_MAX;
}

void scope_declare(struct scope *scope, struct str name)
{
    if (scope->open.count <= 1) return;
    struct scope_numbered numbered;
    uint32_t number = name_number(scope, name), range = range_of(scope, name, &numbered);
    if (range != UINT32_MAX) scope->ranges[range].direct = 0;
    scope->nested.at[number] = true;
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

/* Returns the length of name without its trailing digits. */
static size_t stem_length(struct str name)
{
    size_t n = name.n;
    while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9') n--;
    return n;
}

void scope_number_range(struct scope *scope, struct str stem, uint32_t count)
{
    char name[sizeof(uint64_t)];
    struct scope_numbered first;
    /* A name that was looked up before has its register already. */
    bool late = scope->names.count || scope->range_count == SCOPE_RANGES_MAX;
    if (late || !count || count > *scope->room || stem.n >= sizeof name) return;
    memcpy(name, stem.p, stem.n);
    name[stem.n] = '0';
    bool fits = scope_read_numbered((struct str){name, stem.n + 1}, 0, &first);
    if (!fits || first.number || scope_find_range(scope, &first) != UINT32_MAX) return;
    uint32_t length = (uint32_t)stem.n;
    /* Large ranges come first, because most names are in one. */
    uint32_t at = scope->range_count++;
    for (; at && scope->ranges[at - 1].count < count; at--)
        scope->ranges[at] = scope->ranges[at - 1];
    scope->ranges[at] = (struct scope_range){.stem = first.stem,
                                             .mask = ~(~UINT64_C(0xf0) << 8 * length),
                                             .length = length,
                                             .first = scope->register_count,
                                             .count = count,
                                             .direct = count};
    scope->register_count += count;
    *scope->room -= count;
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

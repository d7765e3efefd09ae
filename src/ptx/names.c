/* Which register does this name mean here? See names.h. */
#include "ptx/names.h"

void names_open(struct names *names)
{
    uint32_t parent = names->parent.count ? names->current : 0;
    names->current = names->parent.count;
    vec_push(&names->parent, parent);
    vec_push(&names->first_open, names->open.count);
    vec_push(&names->memo_key, names->next_key++);
}

static uint32_t *innermost_of(struct names *names, bool is_range, uint32_t id)
{
    return is_range ? &names->innermost_range.at[id] : &names->innermost.at[id];
}

void names_close(struct names *names)
{
    while (names->open.count > names->first_open.at[names->current]) {
        const struct declaration *last = &names->open.at[--names->open.count];
        *innermost_of(names, last->is_range, last->id) = last->outer;
    }
    names->current = names->parent.at[names->current];
}

/* The number of a name or stem, with a place to note its innermost declaration. */
static uint32_t number(struct names *names, bool is_range, struct str name)
{
    uint32_t id = intern_add(is_range ? &names->stems : &names->names, 0, name);
    if (is_range && id == names->innermost_range.count)
        vec_push(&names->innermost_range, DECLARATION_NONE);
    if (!is_range && id == names->innermost.count) vec_push(&names->innermost, DECLARATION_NONE);
    return id;
}

/* Of two declarations of one name in one scope the first stands, with the larger count. */
static void declare(struct names *names, bool is_range, struct str name, uint64_t count)
{
    uint32_t id = number(names, is_range, name);
    uint32_t *innermost = innermost_of(names, is_range, id);
    struct declaration *last = *innermost == DECLARATION_NONE ? NULL : &names->open.at[*innermost];
    names->memo_key.at[names->current] = names->next_key++;
    if (last && last->scope == names->current) {
        if (last->count < count) last->count = count;
        return;
    }
    uint32_t outer = *innermost;
    *innermost = names->open.count;
    vec_push(&names->open, (struct declaration){names->current, id, outer, is_range, count});
}

void names_declare(struct names *names, struct str name)
{
    declare(names, false, name, 0);
}

void names_declare_range(struct names *names, struct str stem, uint64_t count)
{
    declare(names, true, stem, count);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A name as a member of a range. */
struct member {
    struct str stem;
    uint32_t number;
    bool canonical; /* spelled as printf would: no leading zero, no wrap-around */
};

static struct member split(struct str name)
{
    enum { SAFE_DIGITS = 9 };
    struct member member = {.stem = name};
    while (member.stem.n && is_digit(name.p[member.stem.n - 1])) member.stem.n--;
    for (size_t i = member.stem.n; i < name.n; i++)
        member.number = member.number * 10 + (uint32_t)(name.p[i] - '0'); /* modulo 2^32 */
    size_t digits = name.n - member.stem.n;
    bool leading_zero = digits > 1 && name.p[member.stem.n] == '0';
    member.canonical = digits && digits <= SAFE_DIGITS && !leading_zero;
    return member;
}

/* The innermost range that holds the member; NULL when none does. */
static const struct declaration *find_range(struct names *names, const struct member *member)
{
    uint32_t id = intern_find(&names->stems, 0, member->stem);
    uint32_t at = id == INTERN_NONE ? DECLARATION_NONE : names->innermost_range.at[id];
    while (at != DECLARATION_NONE && member->number >= names->open.at[at].count)
        at = names->open.at[at].outer;
    return at == DECLARATION_NONE ? NULL : &names->open.at[at];
}

static const struct declaration *find_name(struct names *names, struct str name)
{
    uint32_t id = intern_find(&names->names, 0, name);
    uint32_t at = id == INTERN_NONE ? DECLARATION_NONE : names->innermost.at[id];
    return at == DECLARATION_NONE ? NULL : &names->open.at[at];
}

/* Of open scopes the inner one has the larger number. */
static reg_id resolve(struct names *names, struct str name)
{
    struct member member = split(name);
    const struct declaration *plain = find_name(names, name);
    const struct declaration *range = member.stem.n < name.n ? find_range(names, &member) : NULL;
    if (plain && (!range || plain->scope >= range->scope))
        return intern_add(&names->regs, plain->scope, name);
    if (!range) return intern_add(&names->regs, 0, name);
    if (member.canonical) return intern_add(&names->regs, range->scope, name);
    const char *text =
        arena_printf(&names->spelled, "%.*s%u", (int)member.stem.n, member.stem.p, member.number);
    return intern_add(&names->regs, range->scope, str_from(text));
}

reg_id names_resolve(struct names *names, struct str name)
{
    uint32_t id = intern_add(&names->memo, names->memo_key.at[names->current], name);
    if (id == names->memo_regs.count) {
        reg_id reg = resolve(names, name);
        vec_push(&names->memo_regs, reg);
    }
    return names->memo_regs.at[id];
}

void names_free(struct names *names)
{
    intern_free(&names->names);
    intern_free(&names->stems);
    intern_free(&names->memo);
    intern_free(&names->regs);
    vec_free(&names->open);
    vec_free(&names->innermost);
    vec_free(&names->innermost_range);
    vec_free(&names->first_open);
    vec_free(&names->memo_regs);
    vec_free(&names->parent);
    vec_free(&names->memo_key);
    arena_free(&names->spelled);
}

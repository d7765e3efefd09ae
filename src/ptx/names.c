/* Which register does this name mean here? See names.h. */
#include "ptx/names.h"

void names_open(struct names *names)
{
    uint32_t parent = names->parent.count ? names->current : 0;
    names->current = names->parent.count;
    vec_push(&names->parent, parent);
    vec_push(&names->memo_key, names->next_key++);
}

void names_close(struct names *names)
{
    names->current = names->parent.at[names->current];
}

void names_declare(struct names *names, struct str name)
{
    intern_add(&names->declared, names->current, name);
    names->memo_key.at[names->current] = names->next_key++;
}

void names_declare_range(struct names *names, struct str stem, uint64_t count)
{
    uint32_t id = intern_add(&names->ranges, names->current, stem);
    if (id == names->range_counts.count) vec_push(&names->range_counts, 0);
    if (names->range_counts.at[id] < count) names->range_counts.at[id] = count;
    names->memo_key.at[names->current] = names->next_key++;
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

/* The register of name when scope declares it; REG_NONE when it does not. */
static reg_id declared_in(struct names *names, uint32_t scope, struct str name,
                          const struct member *member)
{
    if (intern_find(&names->declared, scope, name) != INTERN_NONE)
        return intern_add(&names->regs, scope, name);
    if (member->stem.n == name.n) return REG_NONE;
    uint32_t range = intern_find(&names->ranges, scope, member->stem);
    if (range == INTERN_NONE || member->number >= names->range_counts.at[range]) return REG_NONE;
    if (member->canonical) return intern_add(&names->regs, scope, name);
    const char *text = arena_printf(&names->spelled, "%.*s%u", (int)member->stem.n, member->stem.p,
                                    member->number);
    return intern_add(&names->regs, scope, str_from(text));
}

static reg_id resolve(struct names *names, struct str name)
{
    struct member member = split(name);
    for (uint32_t scope = names->current;; scope = names->parent.at[scope]) {
        reg_id reg = declared_in(names, scope, name, &member);
        if (reg != REG_NONE) return reg;
        if (!scope) return intern_add(&names->regs, 0, name);
    }
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
    intern_free(&names->declared);
    intern_free(&names->ranges);
    intern_free(&names->memo);
    intern_free(&names->regs);
    vec_free(&names->range_counts);
    vec_free(&names->memo_regs);
    vec_free(&names->parent);
    vec_free(&names->memo_key);
    arena_free(&names->spelled);
}

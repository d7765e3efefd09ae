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

void names_declare(struct names *names, struct str name, uint64_t count)
{
    if (count) {
        uint32_t id = intern_add(&names->ranges, names->current, name);
        if (id == names->range_counts.count) vec_push(&names->range_counts, 0);
        if (names->range_counts.at[id] < count) names->range_counts.at[id] = count;
    } else {
        intern_add(&names->declared, names->current, name);
    }
    names->memo_key.at[names->current] = names->next_key++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Is name one of a range declared in scope? Each split of its trailing digits is tried, as
 * `%r1<5>` declares %r10; a leading zero belongs to the stem. */
static bool in_range(const struct names *names, uint32_t scope, struct str name)
{
    uint64_t number = 0, unit = 1;
    for (size_t stem = name.n; stem > 1 && is_digit(name.p[stem - 1]) && unit <= 1000000000;
         stem--) {
        number += unit * (uint64_t)(name.p[stem - 1] - '0');
        unit *= 10;
        bool leading_zero = name.p[stem - 1] == '0' && stem < name.n;
        uint32_t id = intern_find(&names->ranges, scope, (struct str){name.p, stem - 1});
        if (!leading_zero && id != INTERN_NONE && number < names->range_counts.at[id]) return true;
    }
    return false;
}

static uint32_t declaring_scope(const struct names *names, struct str name)
{
    uint32_t scope = names->current;
    while (scope && intern_find(&names->declared, scope, name) == INTERN_NONE &&
           !in_range(names, scope, name))
        scope = names->parent.at[scope];
    return scope;
}

reg_id names_resolve(struct names *names, struct str name)
{
    uint32_t id = intern_add(&names->memo, names->memo_key.at[names->current], name);
    if (id == names->memo_regs.count) {
        reg_id reg = intern_add(&names->regs, declaring_scope(names, name), name);
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
}

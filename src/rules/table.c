/* The table of rules, in the order of the list in rule.h. */
#include "rules/rule.h"

const struct rule *rule_at(uint32_t index)
{
#define ADDRESS(name) &rule_##name,
    static const struct rule *const rules[] = {REWRITES(ADDRESS) ADVICE(ADDRESS)};
#undef ADDRESS
    return rules[index];
}

uint32_t rule_find(struct str id)
{
    uint32_t i = 0;
    while (i < RULE_COUNT && !str_is(id, rule_at(i)->id)) i++;
    return i;
}

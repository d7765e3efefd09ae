/* See group.h. */
#include "engine/group.h"

void group_free(struct group *group)
{
    vec_free(&group->sites);
    vec_free(&group->verdicts);
}

void group_filter(struct group *group, uint32_t spared)
{
    uint32_t kept = 0;
    for (uint32_t g = 0; g < group->sites.count; g++) {
        bool stays = group->verdicts.at[g].reason == REASON_NONE || spared;
        if (group->verdicts.at[g].reason != REASON_NONE && spared) spared--;
        if (!stays) continue;
        group->sites.at[kept] = group->sites.at[g];
        group->verdicts.at[kept++] = group->verdicts.at[g];
    }
    group->sites.count = group->verdicts.count = kept;
}

uint32_t group_count_declined(const struct group *group)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < group->verdicts.count; g++)
        count += group->verdicts.at[g].reason != REASON_NONE;
    return count;
}

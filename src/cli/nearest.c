/* Finds the name that a misspelt one most likely stands for: the one with the fewest changed,
 * missing, added or swapped letters, if these are at most a third of its letters. Names longer than
 * NAME_LIMIT are not compared. */
#include "cli/nearest.h"

#include <stdint.h>
#include <string.h>

enum { NAME_LIMIT = 48 };

static size_t smaller_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance with swaps of adjacent letters (optimal string alignment). */
static size_t edit_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > NAME_LIMIT || nb > NAME_LIMIT) return SIZE_MAX;
    size_t cost[NAME_LIMIT + 1][NAME_LIMIT + 1];
    for (size_t i = 0; i <= na; i++) cost[i][0] = i;
    for (size_t j = 0; j <= nb; j++) cost[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        for (size_t j = 1; j <= nb; j++) {
            size_t best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = smaller_of(best, smaller_of(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller_of(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    }
    return cost[na][nb];
}

struct nearest nearest_to(const char *wanted)
{
    return (struct nearest){.wanted = wanted, .distance = strlen(wanted) / 3 + 1};
}

void nearest_try(struct nearest *nearest, const char *name)
{
    size_t far = edit_distance(nearest->wanted, name);
    if (far > nearest->distance || (nearest->best && far == nearest->distance)) return;
    nearest->best = name;
    nearest->distance = far;
}

/* Stores a mark for each block, and the position of the current round. See rounds.h. */
#include "flow/rounds.h"

#include "base/mem.h"

void rounds_init(struct rounds *rounds, uint32_t count, bool backward)
{
    *rounds = (struct rounds){.count = count, .backward = backward};
    rounds->wanted = mem_zalloc(count, sizeof *rounds->wanted);
}

void rounds_free(struct rounds *rounds)
{
    mem_free(rounds->wanted);
}

void rounds_want(struct rounds *rounds, uint32_t block)
{
    rounds->left += !rounds->wanted[block];
    rounds->wanted[block] = true;
}

bool rounds_next(struct rounds *rounds, uint32_t *block)
{
    while (rounds->left) {
        uint32_t turn = rounds->turn;
        uint32_t at = rounds->backward ? rounds->count - 1 - turn : turn;
        rounds->turn = turn + 1 == rounds->count ? 0 : turn + 1;
        if (!rounds->wanted[at]) continue;
        rounds->wanted[at] = false;
        rounds->left--;
        *block = at;
        return true;
    }
    return false;
}

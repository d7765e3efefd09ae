/* Computes how many warps fit on an SM. See occupancy.h. */
#include "report/occupancy.h"

#include <stdbool.h>
#include <string.h>

enum {
    WARP = 32,
    PARTS = 4,
    REGISTERS = 65536,
    UNIT = 256, /* granularity of the registers of a warp */
    WARPS = 64,
    CTAS = 32,
    FEWER_WARPS = 48, /* of sm_101 and sm_110; FEWER_CTAS likewise */
    FEWER_CTAS = 24,
};

uint32_t occupancy_warps(const char *arch, uint32_t registers, uint32_t threads)
{
    bool fewer = strncmp(arch, "sm_101", 6) == 0 || strncmp(arch, "sm_110", 6) == 0;
    uint32_t warps = fewer ? FEWER_WARPS : WARPS, ctas = fewer ? FEWER_CTAS : CTAS;
    uint32_t of_a_warp = (registers * WARP + UNIT - 1) / UNIT * UNIT;
    uint32_t room = of_a_warp ? REGISTERS / PARTS / of_a_warp * PARTS : warps;
    if (room > warps) room = warps;
    if (!threads) return room;
    uint32_t of_a_cta = (threads + WARP - 1) / WARP;
    uint32_t resident = room / of_a_cta;
    return (resident < ctas ? resident : ctas) * of_a_cta;
}

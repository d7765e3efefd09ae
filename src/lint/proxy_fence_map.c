/* Follows each instruction that overwrites a tensor map in global memory to the tensor copies that
 * use the map.
 *
 *     tensormap.cp_fenceproxy….release.gpu… [map], [s], 128;
 *     cp.async.bulk.tensor … [map, {x, y}] …                                  broken
 *
 *     tensormap.cp_fenceproxy….release.gpu… [map], [s], 128;
 *     fence.proxy.tensormap::generic.acquire.gpu [map], 128;
 *     cp.async.bulk.tensor … [map, {x, y}] …                                  right
 *
 * The address of the copy must be computed from the same values. If a loop changes it, only copies
 * after the write in the text are examined, and a path that goes back in the text ends there. */
#include "lint/proxy_fence_map.h"

#include "lint/tensormap_reused.h"
#include "lint/walk.h"
#include "value/instruction.h"

/* A write of a tensor map. */
struct rewritten {
    struct value map;
    uint32_t instr;
    bool fixed;
};

static const struct lint_words map_words = {
    "9.7.13.5",
    "A uni-directional proxy ordering from the `from-proxykind` to the `to-proxykind` "
    "establishes ordering between a prior memory access performed via the "
    "`from-proxykind` and a subsequent memory access performed via the `to-proxykind`."};

/* A fence for another map does not count. */
static bool acquires_map(const struct lint *lint, uint32_t instr, struct value map)
{
    if (!str_starts(instruction_opcode(lint->subject, instr), "fence.proxy.tensormap") ||
        !instruction_has(lint->subject, instr, ".acquire"))
        return false;
    struct value fenced = value_of_address(lint->subject, instr);
    return fenced.base != map.base || fenced.offset == map.offset;
}

static enum walk_does look_for_map_use(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct rewritten *written = context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL || acquires_map(lint, instr, written->map))
        return WALK_END;
    if (!written->fixed && instr <= written->instr) return WALK_END;
    return value_same(tensormap_of_copy(lint, instr), written->map) ? WALK_FOUND : WALK_ON;
}

static void check_rewritten(struct lint *lint, const struct lint_code *code,
                            struct rewritten *written)
{
    const uint32_t interest =
        1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL;
    struct walk_path path;
    if (!walk_find(lint, written->instr, 0, interest, look_for_map_use, written, &path) ||
        path.vague || lint_has_reported(lint, code, path.found))
        return;
    lint_report(lint, (struct hazard){
                          .code = code,
                          .level = LINT_WARNING,
                          .at = path.found,
                          .witness = written->instr,
                          .says = "the tensor map written at %s is not acquired before this copy[, "
                                  "which may use the old map: no fence.proxy.tensormap is "
                                  "between the two]",
                          .fix = "put fence.proxy.tensormap::generic.acquire.gpu, with the "
                                 "address of the map and the size 128, between %s and the "
                                 "copy",
                          .path = path.instrs,
                          .path_count = path.count,
                          .words = &map_words});
}

void proxy_fence_map_find(struct lint *lint, const struct lint_code *code)
{
    enum { WALKS_MAX = 64 };
    struct tensormap_uses writes = {0}, copies = {0};
    uint32_t walks = 0;
    tensormaps_list(lint, true, &writes);
    if (writes.count) tensormaps_list(lint, false, &copies);
    for (uint32_t i = 0; i < writes.count && copies.count; i++) {
        struct rewritten written = {.map = writes.at[i].map, .instr = writes.at[i].instr};
        if (!tensormaps_follow(lint, &copies, written.map, written.instr)) continue;
        if (walks++ == WALKS_MAX) {
            lint_stop_short(lint);
            break;
        }
        written.fixed = value_is_fixed(lint->subject, written.map);
        check_rewritten(lint, code, &written);
    }
    vec_free(&writes);
    vec_free(&copies);
}

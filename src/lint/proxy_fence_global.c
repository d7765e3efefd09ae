/* Follows a store to global memory to the bulk copies that read the same place.
 *
 *     st.global [w], r; bar.sync 0; cp.async.bulk.shared::cta.global … [s], [w], …           broken
 *     st.global [w], r; fence.proxy.async.global; bar.sync 0; cp.async.bulk … [s], [w], …    right
 *
 * The place is compared as in smem_place.h: the part of the address that all threads of the CTA
 * share must be equal, and the thread with the lowest address writes into the source of the copy.
 * Addresses that a loop changes are not compared. */
#include "lint/proxy_fence_global.h"

#include "base/sorted.h"
#include "lint/bulk_slot.h"
#include "lint/handover.h"
#include "lint/proxy_fence_flag.h"
#include "lint/proxy_kinds.h"
#include "lint/smem_origin.h"
#include "lint/walk.h"
#include "value/instruction.h"

/* A bulk copy, and the source that it reads. */
struct global_copy {
    uint32_t instr;
    struct smem_origin from;
    int64_t bytes; /* at least */
};

struct copies VEC(struct global_copy);

struct instr_list VEC(uint32_t);

/* The place in global memory that the operand names. False if it is not known, or a loop changes
 * it. */
static bool find_global_place(const struct lint *lint, uint32_t instr, uint32_t operand,
                              struct smem_origin *place)
{
    if (instruction_begins(lint->subject, instr, operand) != '[') return false;
    *place = smem_origin_of(lint->tracing, instr, operand);
    return place->known && place->base && !place->shift && !place->moves && !place->around;
}

static void add_copy(const struct lint *lint, uint32_t instr, struct copies *copies)
{
    enum { LEAST = 16 }; /* the size of a bulk copy is a multiple of this */
    struct global_copy copy = {.instr = instr, .bytes = bulk_bytes(lint, instr)};
    if (!find_global_place(lint, instr, 1, &copy.from) || copy.from.lanes) return;
    if (copy.bytes < LEAST) copy.bytes = LEAST;
    vec_push(copies, copy);
}

/* Sets readers to the copies that read the lowest place that is written, in the order of the
 * text. */
static void find_global_readers(const struct lint *lint, const struct copies *copies,
                                const struct smem_origin *written, struct instr_list *readers)
{
    int64_t lowest = plus_wrapped(written->at, written->low);
    readers->count = 0;
    lint_spend(lint, copies->count / 8 + 1);
    for (uint32_t i = 0; i < copies->count; i++) {
        const struct global_copy *copy = &copies->at[i];
        if (copy->from.base == written->base && copy->from.at <= lowest &&
            lowest - copy->from.at < copy->bytes)
            vec_push(readers, copy->instr);
    }
}

static enum walk_does look_for_global_reader(void *context, const struct lint *lint, uint32_t instr,
                                             unsigned *state)
{
    const struct instr_list *readers = context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL || proxy_fence_is_global(lint, instr))
        return WALK_END;
    uint32_t next = sorted_find(readers->at, 0, readers->count, instr);
    return next < readers->count && readers->at[next] == instr ? WALK_FOUND : WALK_ON;
}

/* Another thread may execute a fence between the two and then meet this thread at a barrier.
 * Threads that do not execute the copy may not come to the fence after it. */
static bool may_be_fenced_by_another(const struct lint *lint, uint32_t store, uint32_t copy)
{
    const struct function *f = lint->function;
    lint_spend(lint, f->notable_count);
    for (uint32_t n = 0; n < f->notable_count; n++) {
        uint32_t i = f->notable[n];
        if (proxy_fence_is_global(lint, i) && handover_reaches(lint, store, i) &&
            (handover_reaches(lint, i, copy) || !handover_reaches(lint, copy, i)))
            return true;
    }
    return false;
}

static void check_global_store(struct lint *lint, const struct lint_code *code, uint32_t store,
                               const struct copies *copies, struct instr_list *readers)
{
    const uint32_t interest =
        1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL;
    struct smem_origin written;
    struct walk_path path;
    if (!find_global_place(lint, store, 0, &written)) return;
    find_global_readers(lint, copies, &written, readers);
    if (!readers->count) return;
    if (!walk_find(lint, store, 0, interest, look_for_global_reader, readers, &path) || path.vague)
        return;
    if (may_be_fenced_by_another(lint, store, path.found)) return;
    lint_report(lint,
                (struct hazard){.code = code,
                                .level = LINT_WARNING,
                                .at = path.found,
                                .witness = store,
                                .says = "no proxy fence is between the write at %s[ through the "
                                        "generic proxy] and this read[ of the same global memory "
                                        "through the asynchronous proxy]",
                                .fix = "put fence.proxy.async.global after %s, before the barrier "
                                       "that follows it, in every thread that makes that store",
                                .path = path.instrs,
                                .path_count = path.count});
}

void proxy_fence_global_find(struct lint *lint, const struct lint_code *code)
{
    const struct subject *subject = lint->subject;
    struct copies copies = {0};
    struct instr_list readers = {0};
    lint_spend(lint, subject->acting_count);
    smem_origins_begin(lint);
    for (uint32_t n = 0; n < subject->acting_count; n++)
        if (proxy_fence_copies_global(lint, subject->acting[n]))
            add_copy(lint, subject->acting[n], &copies);
    for (uint32_t n = 0; n < subject->acting_count && copies.count; n++) {
        uint32_t i = subject->acting[n], space = lint->function->instrs[i].space;
        /* A generic address is in global memory if a copy from there has the same base. */
        bool global = space == SPACE_GLOBAL || space == SPACE_ANY;
        if (global && str_is(instruction_base(subject, i), "st"))
            check_global_store(lint, code, i, &copies, &readers);
    }
    vec_free(&readers);
    vec_free(&copies);
    proxy_fence_flag_find(lint, code);
}

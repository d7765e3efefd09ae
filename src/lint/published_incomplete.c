/* The code published-incomplete: a thread releases other threads while its own tcgen05.ld or st, or
 * bulk store, is in flight. */
#include "lint/handover.h"
#include "lint/published_bulk.h"
#include "lint/published_load.h"
#include "lint/published_store.h"

static void published_incomplete_find(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    bool moves = false;
    published_bulk_report(lint, &lint_published_incomplete);
    for (uint32_t i = 0; i < all->op_count; i++) {
        enum effect effect = lint_effect(lint, all->ops[i].instr);
        moves |= effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST;
    }
    if (!moves) return;
    struct observers *observers = observers_new(lint);
    published_load_report(lint, &lint_published_incomplete, observers);
    published_store_report(lint, &lint_published_incomplete, observers);
    observers_free(observers);
}

const struct lint_code lint_published_incomplete = {
    .id = "published-incomplete",
    .section = "9.7.16.6.4.4",
    .summary =
        "a thread releases others while its own tcgen05.ld or st, or bulk store, is in flight",
    .sentence = "the producer threads that issue the asynchronous tcgen05 "
                "instructions must explicitly wait for the instructions' completion before "
                "synchronizing with the consumer threads.",
    .risk = "the other thread overwrites columns that are still being read, or reads columns that "
            "are not written yet",
    .explanation =
        "Broken:  tcgen05.ld; (arithmetic); mbarrier.arrive\n"
        "Right:   tcgen05.ld; tcgen05.wait::ld; (arithmetic); mbarrier.arrive\n"
        "Broken:  tcgen05.st; mbarrier.arrive\n"
        "Right:   tcgen05.st; tcgen05.wait::st; mbarrier.arrive\n"
        "A tcgen05.fence::before_thread_sync orders operations, but does not complete them.\n"
        "Releases are mbarrier.arrive, bar and barrier, barrier.cluster.arrive, releasing "
        "stores, and relaxed stores of a constant. arrive.expect_tx, which arms an mbarrier for "
        "a copy, and bar.warp.sync are no releases.\n"
        "A finding for a load is a note if on every path each of its registers reaches a store, "
        "red, shfl or another access to memory before the release: the hardware then has to wait "
        "for the value, though the ISA does not promise it. It is a warning in three cases: the "
        "registers are only used in arithmetic (ptxas moves the arrive ahead of it); only some "
        "registers are used, or only some lanes use them; two or more other basic blocks of the "
        "kernel load, and all of them wait for their loads. A load whose registers nobody reads "
        "is not reported.\n"
        "A finding for a store is a warning. It is an error if another warp waits for this "
        "release and accesses the same columns, and nothing else orders the two. In two other "
        "cases a finding is a note, for a load as for a store: at a bar.sync, if the thread "
        "waits for the operation before its next release; at an arrive, if on every path the "
        "thread then waits for the operation, before it executes the operation again or ends, "
        "and releases again after this wait.\n"
        "Lint also warns if a thread sets a flag in global memory directly after a "
        "wait_group.read for its own bulk store: only a wait_group without .read waits until "
        "global memory is written. Barriers may be in between if the kernel writes nothing else "
        "to global memory, waits for no other flag, and has no wait_group without .read.",
    .find = published_incomplete_find,
};

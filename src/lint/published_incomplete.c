/* published-incomplete: a thread lets others go on while its own tcgen05.ld or st is in flight. */
#include "lint/published_load.h"
#include "lint/published_store.h"

static void published_incomplete_find(struct lint *lint)
{
    published_load_report(lint, &lint_published_incomplete);
    published_store_report(lint, &lint_published_incomplete);
}

const struct lint_code lint_published_incomplete = {
    .id = "published-incomplete",
    .section = "9.7.16.6.4.4",
    .summary = "a thread releases others while a tcgen05.ld or st of its own is in flight",
    .sentence = "In this pattern, the producer threads that issue the asynchronous tcgen05 "
                "instructions must explicitly wait for the instructions' completion before "
                "synchronizing with the consumer threads.",
    .risk = "the other thread overwrites columns that are still being read, or reads columns that "
            "are not written yet",
    .explanation =
        "Broken:  tcgen05.ld; (arithmetic); mbarrier.arrive\n"
        "Right:   tcgen05.ld; tcgen05.wait::ld; (arithmetic); mbarrier.arrive\n"
        "Broken:  tcgen05.st; mbarrier.arrive\n"
        "Right:   tcgen05.st; tcgen05.wait::st; mbarrier.arrive\n"
        "A tcgen05.fence::before_thread_sync orders, it completes nothing.\n"
        "Releases are mbarrier.arrive, bar and barrier, barrier.cluster.arrive, releasing stores, "
        "and relaxed ones of a constant. Not arrive.expect_tx, which arms an mbarrier for a copy, "
        "nor bar.warp.sync.\n"
        "A load is a note where each register of it reaches a store, red, shfl or another access "
        "to memory ahead of the release, on every path: the hardware has to wait for the value "
        "then, though the ISA promises nothing. A warning where it is only computed with, used in "
        "part, by some lanes, or not at all: ptxas moves the arrive ahead of the arithmetic.\n"
        "A store is a warning, and an error where another warp that waits for this release "
        "touches the same columns, with nothing else between that orders the two. Elsewhere, at a "
        "bar.sync either is a note when its wait comes before the next release, at an arrive when "
        "another release behind that wait speaks for it.",
    .find = published_incomplete_find,
};

/* The named assumptions that some deletions need beyond the ISA's plain text. */
#ifndef PTXOPT_ORDER_ASSUME_H
#define PTXOPT_ORDER_ASSUME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum assumption {
    ASSUME_COMMIT_FENCES = 1 << 0,
    ASSUME_REGISTER_DEPENDENCY = 1 << 1,
    ASSUME_READS_COMMUTE = 1 << 2,
    ASSUME_SYNC_IS_NO_BARRIER = 1 << 3,
    ASSUME_EXIT_SILENT = 1 << 4,
    ASSUME_WAIT_PUBLISHES = 1 << 5,
    ASSUME_NOT_CUMULATIVE = 1 << 6,
    ASSUME_ISA_9_4_PAIRS = 1 << 7, /* follows --isa, or is named by hand */
    ASSUME_SCALES_FOLLOW_CP = 1 << 8,
};

/* The one list: X(name, bit, on by default, what it says, ISA section). */
#define ASSUMPTIONS(X)                                                                             \
    X("commit-fences", ASSUME_COMMIT_FENCES, true,                                                 \
      "tcgen05.commit performs a fence::before_thread_sync for the operations it tracks, also "    \
      "towards later mbarrier and barrier instructions (never other ordering operations)",         \
      "9.7.16.6.4.2")                                                                              \
    X("scales-follow-cp", ASSUME_SCALES_FOLLOW_CP, true,                                           \
      "tcgen05.cp and a tcgen05.mma that reads the same address as its scales are a pipelined "    \
      "pair, as cp and an mma that reads its A or metadata there",                                 \
      "9.7.16.6.2")                                                                                \
    X("register-dependency", ASSUME_REGISTER_DEPENDENCY, true,                                     \
      "an instruction that reads a register loaded by tcgen05.ld waits for it without a wait::ld", \
      "9.7.16.6.4.5")                                                                              \
    X("reads-commute", ASSUME_READS_COMMUTE, true,                                                 \
      "two tensor-memory reads do not conflict, so nobody can observe the order of two "           \
      "tcgen05.ld",                                                                                \
      "9.7.16.6.1")                                                                                \
    X("sync-is-no-barrier", ASSUME_SYNC_IS_NO_BARRIER, true,                                       \
      "the .sync of a tcgen05.wait makes the warp meet and publishes nothing between its lanes",   \
      "9.7.16.8.5")                                                                                \
    X("exit-silent", ASSUME_EXIT_SILENT, false,                                                    \
      "leaving the kernel publishes nothing about tensor memory", "")                              \
    X("wait-publishes", ASSUME_WAIT_PUBLISHES, false,                                              \
      "after wait::ld or wait::st a release publishes the completion without a fence::before "     \
      "(what CUTLASS C++ and Triton rely on)",                                                     \
      "")                                                                                          \
    X("not-cumulative", ASSUME_NOT_CUMULATIVE, false,                                              \
      "a fence forwards only the thread's own operations, never another thread's", "")             \
    X("isa-9.4-pairs", ASSUME_ISA_9_4_PAIRS, false,                                                \
      "st->ld, st->st and ld->st of one warp are pipelined; on from --isa 9.4 up, or by name",     \
      "9.7.16.6.2")

struct assumption_row {
    const char *name;
    uint32_t bit;
    bool on_by_default;
};

/* The table, *count rows. */
const struct assumption_row *assume_rows(uint32_t *count);

/* The bits that are on by default. */
uint32_t assume_defaults(void);

/* The names of bits, separated by commas; "" for none. Lives in arena. */
const char *assume_names(uint32_t bits, struct arena *arena);

/* The bit of a name; 0 when there is none. */
uint32_t assume_find(const char *name);

#endif

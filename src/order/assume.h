/* The named assumptions beyond the text of the ISA that some removals need. */
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
    ASSUME_ISA_9_4_PAIRS = 1 << 7, /* set by --isa, or by name */
    ASSUME_SCALES_FOLLOW_CP = 1 << 8,
    ASSUME_PTXAS_FOLLOWS_ISA = 1 << 9,
};

/* The list of assumptions: X(name, bit, on by default, statement, ISA section, reason for or
 * against it). */
#define ASSUMPTIONS(X)                                                                             \
    X("commit-fences", ASSUME_COMMIT_FENCES, true,                                                 \
      "tcgen05.commit performs a fence::before_thread_sync for the operations it tracks; it "      \
      "orders them before later mbarrier and barrier instructions (but no other instructions)",    \
      "9.7.16.6.4.2",                                                                              \
      "The ISA says that a commit performs the fence implicitly, but not which later\n"            \
      "instructions it orders. ptxas keeps every mbarrier, bar and barrier instruction after\n"    \
      "the operations that a commit tracks, but was seen to move other ordering operations in\n"   \
      "front of these operations.\n"                                                               \
      "Without the assumption before-commit removes nothing, and pair-fence removes no\n"          \
      "fence::before whose operations a commit publishes.")                                        \
    X("scales-follow-cp", ASSUME_SCALES_FOLLOW_CP, true,                                           \
      "tcgen05.cp and a tcgen05.mma that reads its scales at the same address are a pipelined "    \
      "pair, like a cp and an mma that reads A or metadata there",                                 \
      "9.7.16.6.2",                                                                                \
      "Up to ISA 9.3 the pair has no condition on operands, and block-scaled GEMMs issue cp and\n" \
      "mma back to back; ISA 9.4 lists A and metadata only. Without the assumption pair-fence\n"   \
      "keeps the fences between the two.")                                                         \
    X("register-dependency", ASSUME_REGISTER_DEPENDENCY, true,                                     \
      "an instruction that reads a register loaded by tcgen05.ld waits for it without a "          \
      "wait::ld",                                                                                  \
      "9.7.16.6.4.5",                                                                              \
      "\"An intra-thread ordering through true register dependency will be respected regardless\n" \
      "of the presence or absence of other forms of synchronization.\" Only the reading\n"         \
      "instruction may rely on that: for every other instruction the load may still be in\n"       \
      "flight. Without the assumption wait-covered keeps each wait before the first read.")        \
    X("reads-commute", ASSUME_READS_COMMUTE, true,                                                 \
      "two tensor-memory reads do not conflict, so no thread can observe the order of two "        \
      "tcgen05.ld",                                                                                \
      "9.7.16.6.1",                                                                                \
      "Asynchronous operations of a thread are unordered, and with two reads no thread can\n"      \
      "observe which came first. Without the assumption wait-covered keeps a wait between two\n"   \
      "loads.")                                                                                    \
    X("sync-is-no-barrier", ASSUME_SYNC_IS_NO_BARRIER, true,                                       \
      "the .sync of a wait, ldmatrix or stmatrix publishes nothing between a warp's lanes",        \
      "9.7.16.8.5",                                                                                \
      "Of all instructions with .sync only bar.warp.sync and the barriers are specified to\n"      \
      "order memory between lanes. Without the assumption every wait is kept, and an ldmatrix\n"   \
      "or stmatrix counts as an instruction that may publish and receive; with it these are\n"     \
      "weak accesses to memory.")                                                                  \
    X("exit-silent", ASSUME_EXIT_SILENT, false,                                                    \
      "leaving the kernel publishes nothing about tensor memory", "",                              \
      "The ISA does not say what other threads observe after a thread has ended, so the\n"         \
      "assumption is off. With it before-overtaken treats the end of the thread as a fence.")      \
    X("wait-publishes", ASSUME_WAIT_PUBLISHES, false,                                              \
      "after wait::ld or wait::st a release publishes the completion without a fence::before "     \
      "(what CUTLASS C++ and Triton rely on)",                                                     \
      "",                                                                                          \
      "The pattern of 9.7.16.6.4.4 has the fence, so the assumption is off: it removes fences\n"   \
      "that the ISA shows. before-idle uses it.")                                                  \
    X("not-cumulative", ASSUME_NOT_CUMULATIVE, false,                                              \
      "a fence passes on only the thread's own operations, never another thread's", "",            \
      "The composed pattern of 9.7.16.6.4.4 passes on operations of another thread, so the\n"      \
      "assumption is off. before-idle and after-overtaken use it, and only in kernels without a\n" \
      "commit or call: with one of these, what a thread receives (at the mbarrier of its own\n"    \
      "commit, or from a caller or callee) may be its own operations.")                            \
    X("ptxas-follows-isa", ASSUME_PTXAS_FOLLOWS_ISA, false,                                        \
      "after one wait or fence, ptxas makes each later instruction wait as the ISA requires; "     \
      "while this is off, a second wait or fence is kept where ptxas may wait only because of it", \
      "9.7.16.8.5",                                                                                \
      "By the ISA one wait::ld or wait::st blocks the thread until its operations are complete.\n" \
      "ptxas makes barriers wait for that completion, but not every other ordering operation:\n"   \
      "those wait only if another wait or fence follows the first. With the assumption that "      \
      "second\n"                                                                                   \
      "one may be removed; without it the machine code keeps the order that it had.")              \
    X("isa-9.4-pairs", ASSUME_ISA_9_4_PAIRS, false,                                                \
      "st->ld, st->st and ld->st of one warp are pipelined, and mma->cp with the address of A "    \
      "or metadata; a text of ISA 9.4 switches it on",                                             \
      "9.7.16.6.2",                                                                                \
      "ISA 9.4 lists these pairs; earlier versions do not. The assumption is on if --isa, or "     \
      "else\n"                                                                                     \
      "the file's .version, is 9.4. A newer version may grant less, and does not switch it on.\n"  \
      "wait-covered and pair-fence use it, but not in a function with a tcgen05.ld.red, which "    \
      "the\n"                                                                                      \
      "table of the ISA does not list.")

struct assumption_row {
    const char *name;
    uint32_t bit;
    bool on_by_default;
    const char *section;
};

/* Returns the table and sets *count to its number of rows. */
const struct assumption_row *assume_rows(uint32_t *count);

/* The bits that are on by default. */
uint32_t assume_defaults(void);

/* The names of the assumptions in bits, separated by commas; "" for none. In arena. */
const char *assume_names(uint32_t bits, struct arena *arena);

/* The ISA section of the assumption with this bit, which must be a single one; "" if it has no
 * section. */
const char *assume_section(uint32_t bit);

/* The bit of the assumption with this name; 0 if there is none. */
uint32_t assume_find(const char *name);

#endif

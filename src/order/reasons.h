/* The reasons why a candidate is kept, and their words in remarks, lists and explanations. */
#ifndef PTXOPT_ORDER_REASONS_H
#define PTXOPT_ORDER_REASONS_H

/* The list, from the least to the most specific reason: X(NAME, word, clause, ahead, need, summary,
 * explanation). clause completes "kept because"; "%s" stands for the witness, if there is one.
 * ahead replaces clause where the witness comes after the candidate. need completes "before", for
 * a witness that needs another instruction in place of a removed one. "" means none. summary
 * completes "wait::ld kept: ", at most 55 characters; explanation says what the reason means and
 * what can be done. */
/* clang-format off */
#define REASONS(X)                                                                                 \
    X(UNREACHABLE, "unreachable", "no path from the entry reaches it", "", "",                     \
      "no path reaches it",                                                                        \
      "Code that never runs is not changed: ptxas drops all of it.")                               \
    X(TOO_BIG, "too-big", "the function has too many blocks and registers", "", "",                \
      "the function is too large to analyse",                                                      \
      "The analysis would need too much memory, so everything in the function is kept. A smaller\n"\
      "function, or less unrolling, can be analysed.")                                             \
    X(NO_COVER, "no-cover", "no other instruction gives the same order", "", "",                   \
      "no other instruction gives the same order",                                                 \
      "The candidate is the only instruction that orders these operations, so it is needed.")      \
    X(MEMORY_ACCESS, "memory-access",                                                              \
      "%s, before it, may make an access that it orders, or synchronise with a thread that does",  \
      "%s, after it, may make an access that it orders, or synchronise with a thread that does", "",\
      "it may order an access",                                                                    \
      "A proxy fence orders accesses through one proxy before it with accesses through the other\n"\
      "proxy after it. Both of two proxy fences are kept if something between them may access that\n"\
      "memory, or may signal accesses of other threads.")                                          \
    X(NOT_PIPELINED, "not-pipelined", "it orders more than pipelined pairs: %s", "", "",           \
      "it orders more than pipelined pairs",                                                       \
      "The operations before and after it are not a pipelined pair: the ISA does not list these\n" \
      "instructions, an operand differs, or a register of an operand is written in between. Only\n"\
      "pairs execute in issue order without a fence.")                                             \
    X(RECEIVED, "received", "it orders work that %s may have received from another thread", "", "",\
      "it orders work received from another thread",                                               \
      "Something before it may have observed another thread: a wait on an mbarrier, a barrier, a\n"\
      "load that is not weak, or an unknown opcode. A fence::after orders later operations after\n"\
      "that, and a fence::before passes it on, even in a thread without tcgen05 operations.")      \
    X(RELEASED, "released", "it orders later operations after %s", "", "",                         \
      "it orders later operations after a release",                                                \
      "A fence::after_thread_sync also orders later operations after the thread's own releases,\n" \
      "commits and allocations, not only after what it has received.")                             \
    X(FUNCTION_EDGE, "function-edge", "the callers of this .func are unknown", "", "",             \
      "the callers of a .func are unknown",                                                        \
      "ptxopt analyses one function at a time and does not know what a caller has issued or relies\n"\
      "on. Inline the function into its kernel to have it analysed there.")                        \
    X(WAIT, "wait", "it publishes what %s completed",                                              \
      "on a path nothing else orders the same before %s", "%s runs",                                \
      "a wait depends on it",                                                                      \
      "A fence::before_thread_sync after a wait publishes the completion of the operations; with\n"\
      "--assume wait-publishes the release does so without the fence. A fence::after_thread_sync\n"\
      "orders a later wait::ld or wait::st, too.")                                                 \
    X(FENCE, "fence", "it passes on what %s may have received",                                    \
      "%s depends on the order that this candidate gives",                                         \
      "%s, which depends on that",                                                                 \
      "a fence depends on it",                                                                     \
      "A wait before a fence::before_thread_sync makes the operations complete, not only ordered,\n"\
      "when the fence publishes them. A fence::before after a fence::after passes on what that\n"  \
      "fence received from another thread.")                                                       \
    X(ASYNC_OP, "async-op", "it orders %s",                                                        \
      "%s must come after the operations that this candidate orders", "%s is issued",              \
      "it orders an asynchronous operation",                                                       \
      "The operation on the named line, before or after the candidate, may access the same tensor\n"\
      "memory as the operations on the other side, and is not a pipelined pair with them, so\n"    \
      "something must order them.")                                                                \
    X(COMMIT, "commit", "it keeps later operations after %s",                                      \
      "%s depends on the order that this candidate gives", "%s, which depends on that",            \
      "a commit depends on it",                                                                    \
      "A commit signals the operations that it tracks, and the arrival must not come before what the\n"\
      "candidate orders.")                                                                         \
    X(EXIT, "exit", "the thread may end at %s before anything else orders the same", "",           \
      "the thread ends at %s",                                                                     \
      "the thread may end without a later wait or fence",                                          \
      "On some path the thread ends before another instruction orders the same, and the ISA does not\n"\
      "say what other threads see then. With --assume exit-silent the end of a thread publishes\n" \
      "nothing: a fence::before is then redundant there, a wait is not.")                          \
    X(CALL, "call", "%s may issue, publish or observe operations", "",                             \
      "%s, which may issue, publish or observe operations",                                        \
      "the callee may do anything",                                                                \
      "ptxopt analyses one function at a time. A callee with its body in the same text may do\n"   \
      "everything in that body, in any order, or nothing; an unknown callee may do anything. Inline\n"\
      "the callee to have it analysed.")                                                           \
    X(OBSERVER, "observer", "it keeps later operations after %s",                                  \
      "all operations must be complete before %s", "%s, which needs all operations complete",      \
      "an alloc or dealloc depends on it",                                                         \
      "alloc, dealloc and relinquish_alloc_permit pass tensor memory between owners; no operation\n"\
      "on it may be in flight then.")                                                              \
    X(ACQUIRE, "acquire", "%s must stay after the operations that this candidate orders", "",      \
      "%s runs",                                                                                   \
      "an acquire must stay after it",                                                             \
      "A wait blocks the thread, and a fence::before_thread_sync orders later polls and loads after\n"\
      "the operations before it. Without the candidate one of them may read the state of another\n"\
      "thread too early.")                                                                         \
    X(RELEASE, "release", "after %s, other threads may rely on earlier operations", "",            \
      "%s, which releases other threads",                                                          \
      "a release depends on it",                                                                   \
      "After the named line another thread may read, overwrite or free the memory of the operations.\n"\
      "This is the synchronisation that the kernel needs.")                                        \
    X(BEYOND_COMMIT, "beyond-commit",                                                              \
      "the implicit fence of the commit does not order %s", "", "",                                \
      "the commit does not order all that this fence orders",                                      \
      "The implicit fence of a commit orders mbarrier and barrier instructions. ptxas was seen to move\n"\
      "other ordering operations above the operations that the commit tracks.")                    \
    X(UNTRACKED, "untracked", "a commit does not publish what %s did", "", "",                     \
      "the commit does not track what this fence orders",                                          \
      "A commit tracks mma, cp and shift of the thread, never its ld and st, with or without a wait.")\
    X(REGISTER_READ, "register-read", "%s reads a loaded register and register-dependency is off", \
      "", "%s reads a loaded register",                                                            \
      "a loaded register is read before a later wait",                                             \
      "Without the assumption register-dependency, a loaded register may be read only after a wait.")\
    X(REGISTER_REWRITTEN, "register-rewritten",                                                    \
      "%s rewrites a register of an operation that may be in flight", "",                          \
      "%s rewrites one of their registers",                                                        \
      "a register in use is written before a later wait",                                          \
      "A read of a loaded register waits for the load; a write does not, and the load could overwrite\n"\
      "the new value. If a second load writes the register, give that load other registers: then the\n"\
      "wait is redundant.")                                                                         \
    X(ASSUMPTION, "assumption", "its removal needs an assumption that is off", "", "",             \
      "its removal needs an assumption that is off",                                               \
      "The text of the ISA is not enough to remove it. --assume NAME switches the assumption on.") \
    X(PTXAS_ORDER, "ptxas-order",                                                                  \
      "only with it does the machine code wait for an earlier tcgen05 operation before %s", "", "",\
      "ptxas keeps an order only with it",                                                         \
      "By the ISA another instruction orders the same. But ptxas makes fewer instructions wait after\n"\
      "one wait or fence than after two: the named line waits for the operation now, and would not\n"\
      "wait without this instruction. With --assume ptxas-follows-isa it is removed.")             \
    X(NOT_WHAT_IT_WAITS_FOR, "not-what-it-waits-for",                                              \
      "nothing that it waits for is in flight, but %s may be, and it does not wait for that: "     \
      "check which operation was meant",                                                           \
      "", "",                                                                                      \
      "it waits for nothing, perhaps by mistake",                                                  \
      "wait::ld waits only for tcgen05.ld, wait::st only for tcgen05.st; mma, cp and shift need a commit\n"\
      "and a wait on its mbarrier. To remove the wait would be legal, but it would hide a probable\n"\
      "mistake: check what the named line needs.")                                                 \
    X(GUARDED, "guarded", "it has a guard, so it is not analysed", "", "",                         \
      "it has a guard",                                                                            \
      "Of the instructions with a guard, only a fence::before_thread_sync is analysed, if its commit has\n"\
      "the same guard. With a branch in place of the guard the instruction is analysed.")          \
    X(NOT_SELECTED, "not-selected", "it was excluded by --only or --skip", "", "",                 \
      "excluded by --only or --skip",                                                              \
      "ptxopt did not examine whether it is redundant.")                                           \
    X(REGISTERS, "registers", "its removal would exceed a limit", "", "",                          \
      "its removal would exceed a limit",                                                          \
      "Without the wait ptxas overlaps more loads, and their registers are live at the same time.\n"\
      "--max-registers, --no-spill-growth and --keep-occupancy set the limit. With a higher limit it\n"\
      "is removed.")                                                                               \
    X(SUSPICIOUS, "suspicious",                                                                    \
      "lint reports a hazard that names it", "", "",                                               \
      "lint reports it",                                                                           \
      "With --lint and the optimizer together, instructions that an error or warning names are kept:\n"\
      "first correct the hazard.")                                                                 \
    X(KEPT_BY_COMMENT, "kept-by-comment", "a comment keeps it", "", "",                            \
      "a comment keeps it",                                                                        \
      "Write // ptxopt: keep after an instruction, or keep-next before it; keep RULE refuses one rule.\n"\
      "Other edits are proven with that instruction present.")
/* clang-format on */

#endif

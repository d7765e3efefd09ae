/* Words the reasons of declines. */
#ifndef PTXOPT_ORDER_REASONS_H
#define PTXOPT_ORDER_REASONS_H

/* The one list, from the least to the most telling: X(NAME, word, clause, ahead, need, summary,
 * explanation). clause finishes "kept because"; "%s" stands for the witness, where there is one;
 * ahead does where the witness comes behind the candidate and other words are true of it. need
 * finishes "before", of the witness that needs another instruction in place of a deleted one. "" is
 * none. summary: finishes "wait::ld kept: ", at most 55 characters; explanation: what that means,
 * and what there is to do. */
/* clang-format off */
#define REASONS(X)                                                                                 \
    X(UNREACHABLE, "unreachable", "no path from the entry reaches it", "", "",                     \
      "no path reaches it",                                                                        \
      "Code that never runs is left as it is: ptxas drops all of it.")                             \
    X(TOO_BIG, "too-big", "the function has too many blocks and registers to tell", "", "",        \
      "the function is too large to analyze",                                                      \
      "What is known at each block would take more room than is worth it. Not knowing means\n"     \
      "keeping. Smaller functions, or less unrolling, are looked into.")                           \
    X(NO_COVER, "no-cover", "no other instruction orders the same things", "", "",                 \
      "nothing else orders the same",                                                              \
      "The candidate is the only one of its kind for what it orders, so it does the work itself.") \
    X(MEMORY_ACCESS, "memory-access", "%s may touch memory since the last proxy fence",            \
      "%s may touch memory before the next proxy fence", "",                                       \
      "memory is accessed between the two proxy fences",                                           \
      "A proxy fence orders accesses through the one proxy before it with those through the other\n" \
      "behind it. So between two of them whatever may access that memory, or tell of others'\n"    \
      "accesses, keeps both.")                                                                     \
    X(NOT_PIPELINED, "not-pipelined", "it orders more than pipelined pairs: %s", "", "",           \
      "it orders more than pipelined pairs",                                                       \
      "The operations before and behind it are no pipelined pair: other instructions than those\n" \
      "that the ISA lists, another operand, or a register of an operand written in between. Only\n" \
      "pairs execute in the order of their issue without a fence.")                                \
    X(RECEIVED, "received", "%s may have received another thread's work, which it takes", "", "",  \
      "it takes over work of another thread",                                                      \
      "Something before it may have observed another thread: a wait on an mbarrier, a barrier, a\n" \
      "load that is not weak, an opcode that is not known. A fence::after takes that over, and a\n" \
      "fence::before behind it hands it on, even in a thread without tcgen05 operations.")         \
    X(RELEASED, "released", "%s must not be overtaken by operations behind it", "", "",            \
      "later operations must stay behind a release",                                               \
      "A fence::after_thread_sync also holds later operations behind the thread's own releases,\n" \
      "commits and allocations, not only behind what it has received.")                            \
    X(FUNCTION_EDGE, "function-edge", "callers of this .func are not known", "", "",               \
      "the callers of a .func are unknown",                                                        \
      "What a caller has issued, or relies on, is not known: functions are judged one by one.\n"   \
      "Inlining the function into its kernel lets it be judged there.")                            \
    X(WAIT, "wait", "%s brought completion that it passes on",                                     \
      "%s comes before anything else orders the same", "%s runs",                                  \
      "it passes on what a wait completed",                                                        \
      "A fence::before_thread_sync behind a wait publishes that what was waited for is complete.\n" \
      "--assume wait-publishes says that the release does so by itself.")                          \
    X(FENCE, "fence", "%s may have taken over what it passes on", "%s builds on what it orders",   \
      "%s builds on it", "a fence depends on it",                                                  \
      "A wait in front of a fence::before_thread_sync, say, makes what the fence publishes\n"      \
      "complete and not only ordered; and a fence::before behind a fence::after passes on what\n"  \
      "that one took over from another thread.")                                                   \
    X(ASYNC_OP, "async-op", "it orders %s",                                                        \
      "%s is issued behind it and must come after what it orders", "%s is issued",                 \
      "an asynchronous operation depends on it",                                                   \
      "The operation may touch the same tensor memory, and is no pipelined pair with what came\n"  \
      "before it, so something has to order the two. The line named is that operation.")           \
    X(COMMIT, "commit", "%s must not be overtaken by operations behind it",                        \
      "%s builds on what it orders", "%s builds on it", "a commit depends on it",                  \
      "A commit stands for the operations that it tracks, and the arrival that it causes must\n"   \
      "not come before what the candidate orders.")                                                \
    X(EXIT, "exit", "the thread may end at %s before anything else orders the same", "",           \
      "the thread ends at %s", "the thread may end first",                                         \
      "On some path nothing takes its place before the thread ends, and what others see then is\n" \
      "not written down in the ISA. --assume exit-silent says that leaving publishes nothing.")    \
    X(CALL, "call", "%s may issue, publish or observe what counts here", "",                       \
      "%s, which may do what counts here", "the called function may do anything",                  \
      "Functions are judged one by one. What a callee holds whose body stands in the same text\n"  \
      "may happen in any order, or not, and justifies nothing; one that is not known may do\n"     \
      "anything. "                                                                                 \
      "Inlining it lets it be seen.")                                                              \
    X(OBSERVER, "observer", "%s must not be overtaken by operations behind it",                    \
      "%s must see everything complete", "%s needs it complete",                                   \
      "tensor-memory allocation depends on it",                                                    \
      "alloc, dealloc and relinquish_alloc_permit hand tensor memory to others; nothing that\n"    \
      "touches it may still be at work then.")                                                     \
    X(ACQUIRE, "acquire", "%s must not run before what it orders", "", "%s runs",                  \
      "an acquire must stay behind it",                                                            \
      "Later polls and loads stand behind a wait, which blocks, and behind a\n"                    \
      "fence::before_thread_sync. Without it one may observe another thread too early.")           \
    X(RELEASE, "release", "%s may publish to another thread what it orders", "",                   \
      "%s, behind which another thread may go on",                                                 \
      "it is published to another thread",                                                         \
      "Behind that line another thread may read, overwrite or free what the operations touch. This\n" \
      "is the synchronisation that the kernel needs.")                                             \
    X(BEYOND_COMMIT, "beyond-commit",                                                              \
      "%s is no barrier, and a commit's fence does not hold it back", "", "",                      \
      "the fence of the commit does not order this",                                               \
      "The fence that a commit implies counts towards mbarrier and barrier instructions; ptxas\n"  \
      "was seen to move other ordering operations above what the commit tracks.")                  \
    X(UNTRACKED, "untracked", "a commit does not publish what %s did", "", "",                     \
      "the commit does not track all that it orders",                                              \
      "A commit tracks the thread's mma, cp and shift, never its ld and st, waited for or not.")   \
    X(REGISTER_READ, "register-read", "%s reads a loaded register and register-dependency is off", \
      "", "%s reads a loaded register",                                                            \
      "a loaded register is read first",                                                           \
      "Without the assumption register-dependency only a wait makes a loaded register readable.")  \
    X(REGISTER_REWRITTEN, "register-rewritten",                                                    \
      "%s rewrites a register of an operation that may still run", "",                             \
      "%s rewrites one of their registers",                                                        \
      "a register in use is rewritten first",                                                      \
      "A read of a loaded register waits for the load by itself; a write does not, and the load\n" \
      "could overwrite the new value. Other registers for the second load let the wait go.")       \
    X(ASSUMPTION, "assumption", "the deletion needs an assumption that is off", "", "",            \
      "it needs an assumption that is off",                                                        \
      "The text of the ISA alone does not let it go. --assume NAME turns the assumption on.")      \
    X(PTXAS_ORDER, "ptxas-order",                                                                  \
      "without it, ptxas may run %s before an earlier tcgen05 operation completes", "", "",        \
      "ptxas may reorder an operation without it",                                                 \
      "By the ISA another instruction orders the same. But ptxas makes fewer instructions wait\n"  \
      "behind one wait or fence than behind two. The line named waits for the operation now; with\n" \
      "this instruction removed it would not. --assume ptxas-follows-isa removes it.")             \
    X(NOT_WHAT_IT_WAITS_FOR, "not-what-it-waits-for",                                              \
      "nothing that it waits for is outstanding, but %s may be, which it does not wait for: "      \
      "check what was meant",                                                                      \
      "", "",                                                                                      \
      "it may wait for the wrong kind of operation",                                               \
      "wait::ld waits for tcgen05.ld only, wait::st for tcgen05.st only; mma, cp and shift need a\n" \
      "commit and a wait on its mbarrier. To delete the wait would be legal, and would hide what is\n" \
      "probably a mistake: look at what the line named needs.")                                    \
    X(GUARDED, "guarded", "it is guarded, so it may not run where another one would", "", "",      \
      "it is predicated",                                                                          \
      "An instruction under @p is judged only where its commit has the same guard; code behind a\n" \
      "branch is followed as any other.")                                                          \
    X(NOT_SELECTED, "not-selected", "this edit was left out by --only or --skip", "", "",          \
      "excluded by --only or --skip",                                                              \
      "It was not asked for. Whether it could go is not looked into.")                             \
    X(REGISTERS, "registers", "what it costs in registers is over a limit", "", "",                \
      "over a limit of registers, spills or occupancy",                                            \
      "Without the wait ptxas lets loads run together, and the registers that they fill live\n"    \
      "at the same time. --max-registers, --no-spill-growth and --keep-occupancy say what a\n"     \
      "kernel may have, and what does not fit stays. A higher limit lets it go.")                  \
    X(SUSPICIOUS, "suspicious",                                                                    \
      "lint finds fault with it, and it may be what is left of what was meant", "", "",            \
      "lint reports it",                                                                           \
      "With --lint beside the optimizer, what an error or warning names stays: a place that is\n"  \
      "wrong already is to be mended, not thinned out.")                                           \
    X(KEPT_BY_COMMENT, "kept-by-comment", "a comment in the text says so", "", "",                 \
      "a comment keeps it",                                                                        \
      "// ptxopt: keep behind an instruction, or keep-next in front of it, and keep RULE against\n" \
      "one rule. What else goes is judged with that instruction in its place.")
/* clang-format on */

#endif

/* In which words is a decline told? */
#include "order/verdict.h"

static const struct {
    const char *word, *clause;
} REASONS[REASON_COUNT] = {
    [REASON_NONE] = {"none", "nothing needs it"},
    [REASON_UNREACHABLE] = {"unreachable", "no path from the entry reaches it"},
    [REASON_TOO_BIG] = {"too-big", "the function has too many blocks and registers to tell"},
    [REASON_NO_COVER] = {"no-cover", "no other instruction orders the same things"},
    [REASON_NOT_WHAT_IT_WAITS_FOR] =
        {"not-what-it-waits-for",
         "it does not wait for %s, which is outstanding and may be what was meant: check that"},
    [REASON_MEMORY_ACCESS] = {"memory-access", "%s may touch memory since the last proxy fence"},
    [REASON_NOT_PIPELINED] = {"not-pipelined", "it orders more than pipelined pairs: %s"},
    [REASON_RECEIVED] = {"received", "%s may have received another thread's work, which it takes"},
    [REASON_RELEASED] = {"released", "%s must not be overtaken by operations behind it"},
    [REASON_FUNCTION_EDGE] = {"function-edge", "callers of this .func are not known"},
    [REASON_WAIT] = {"wait", "%s brought completion that it passes on"},
    [REASON_FENCE] = {"fence", "%s builds on what it orders"},
    [REASON_ASYNC_OP] = {"async-op", "it orders %s"},
    [REASON_COMMIT] = {"commit", "%s builds on what it orders"},
    [REASON_EXIT] = {"exit", "the thread may end at %s before anything else orders the same"},
    [REASON_CALL] = {"call", "%s may issue, publish or observe anything"},
    [REASON_OBSERVER] = {"observer", "%s must see everything complete"},
    [REASON_RELEASE] = {"release", "%s may publish to another thread what it orders"},
    [REASON_ACQUIRE] = {"acquire", "%s must not run before what it orders"},
    [REASON_BEYOND_COMMIT] = {"beyond-commit",
                              "%s is no barrier, and a commit's fence does not hold it back"},
    [REASON_UNTRACKED] = {"untracked", "a commit does not publish what %s did"},
    [REASON_REGISTER_READ] = {"register-read",
                              "%s reads a loaded register and register-dependency is off"},
    [REASON_REGISTER_REWRITTEN] = {"register-rewritten",
                                   "%s rewrites a register of an operation that may still run"},
    [REASON_ASSUMPTION] = {"assumption", "the deletion needs an assumption that is off"},
    [REASON_NOT_SELECTED] = {"not-selected", "this edit was left out by --only or --skip"},
    [REASON_SUSPICIOUS] = {"suspicious", "lint finds fault with it, and it may be what is left of "
                                         "what was meant"},
    [REASON_KEPT_BY_COMMENT] = {"kept-by-comment", "a comment in the text says so"},
    [REASON_GUARDED] = {"guarded", "it is guarded, so it may not run where another one would"},
};

const char *reason_word(enum reason reason)
{
    return REASONS[reason].word;
}

const char *reason_clause(enum reason reason)
{
    return REASONS[reason].clause;
}

/* waits-for-nothing: a wait or commit that nothing pending is completed by. */
#include "lint/lint.h"

/* What one block knows: bits of what may be pending at its end. */
static void find(struct lint *lint)
{
    for (uint32_t i = 0; i + 1 < lint->function->count; i++) {
        if (lint_effect(lint, i) != EFFECT_WAIT_ST) continue;
        bool store = false;
        for (uint32_t k = 0; k < i; k++) store |= lint_effect(lint, k) == EFFECT_ASYNC_ST;
        if (!store)
            lint_report(lint, (struct hazard){&lint_waits_for_nothing, LINT_WARNING, i, NO_INSTR,
                                              "no tcgen05.st is pending here on any path",
                                              "wait for what is pending, or delete it", NULL, 0});
    }
}

const struct lint_code lint_waits_for_nothing = {
    .id = "waits-for-nothing",
    .section = "9.7.16.8.5",
    .summary = "a wait or commit behind which nothing is complete that was not before",
    .sentence = "tcgen05.wait::st causes the executing thread to block until all prior tcgen05.st "
                "operations issued by the executing thread have completed",
    .risk = "what was meant to be complete is still in flight",
    .explanation = "Broken:  tcgen05.ld; tcgen05.wait::st\nRight:   tcgen05.ld; tcgen05.wait::ld",
    .find = find,
};

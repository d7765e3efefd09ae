/* Starts each public call within its limits, and reports to the caller if it does not complete. See
 * call.h. */
#include "api/call.h"

#include <stdint.h>
#include <stdio.h>

#include "api/options.h"

/* The default of max_memory: see ptxopt.h. */
static const size_t MEMORY_AT_LEAST = (size_t)64 << 20, MEMORY_A_BYTE = 128;

static size_t default_max_memory(size_t len)
{
    if (len > (PTRDIFF_MAX - MEMORY_AT_LEAST) / MEMORY_A_BYTE) return 0;
    return MEMORY_AT_LEAST + MEMORY_A_BYTE * len;
}

struct work_outcome call_run(const struct ptxopt_options *options, size_t len,
                             void (*run)(void *context), void *context)
{
    struct work_limits limits = options->limits;
    if (!options->has_max_memory) limits.max_bytes = default_max_memory(len);
    if (options->lacks_ids) return (struct work_outcome){.end = WORK_NO_MEMORY};
    return work_run(&limits, run, context);
}

static void set_failure(struct failure *failure, enum ptxopt_status status, const char *code)
{
    failure->status = status;
    failure->finding =
        (struct ptxopt_finding){FAILURE_FINDING, .code = code, .message = failure->text};
}

void call_fail(struct failure *failure, const struct work_outcome *outcome, struct str all)
{
    static const struct failure no_memory = FAILURE_NO_MEMORY;
    char *text = failure->text;
    size_t room = sizeof failure->text;
    switch (outcome->end) {
    case WORK_DONE: failure->status = PTXOPT_OK; break;
    case WORK_NO_MEMORY: *failure = no_memory; break;
    case WORK_OVER_LIMIT:
        set_failure(failure, PTXOPT_BAD_INPUT, "too-much-memory");
        snprintf(text, room,
                 "needs more than %zu bytes of memory; expected a text that needs less, or a "
                 "larger limit (--max-memory)",
                 outcome->max_bytes);
        break;
    case WORK_CANCELLED:
        set_failure(failure, PTXOPT_CANCELLED, "cancelled");
        snprintf(text, room, "cancelled before it was done; nothing was changed");
        break;
    case WORK_BUG:
        set_failure(failure, PTXOPT_INTERNAL, "internal");
        snprintf(text, room, "internal error: %s (%s:%d); nothing was changed; please report this",
                 outcome->bug, outcome->file, outcome->line);
        break;
    }
    if (!failure->status) return;
    failure->finding.end = (uint32_t)str_first_line(all).n;
    failure->finding.end_column = failure->finding.end + 1;
}

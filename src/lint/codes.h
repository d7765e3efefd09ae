/* The list of lint's codes. */
#ifndef PTXOPT_LINT_CODES_H
#define PTXOPT_LINT_CODES_H

#include <stdint.h>

struct lint;

/* One code. The texts are arrays, not pointers, because the public table needs their addresses as
 * constants. */
struct lint_code {
    char id[24], section[20]; /* section of the PTX ISA 9.0 */
    char summary[112];        /* one line: what is wrong on some path */
    char sentence[300];       /* the sentence of the ISA that is violated */
    char risk[176];           /* what can go wrong: a sentence */
    char explanation[2000];   /* broken and correct text, criteria, what is not reported */
    void (*find)(struct lint *lint);
};

/* X(name) for each code, in the order in which they run and are listed. */
#define LINT_CODES(X)                                                                              \
    X(published_incomplete)                                                                        \
    X(waits_for_nothing)                                                                           \
    X(conflict_unordered)                                                                          \
    X(completion_untracked)                                                                        \
    X(fence_after_missing)                                                                         \
    X(fence_before_missing)                                                                        \
    X(dealloc_too_early)                                                                           \
    X(alloc_protocol)                                                                              \
    X(proxy_fence_missing)                                                                         \
    X(divergent_aligned)                                                                           \
    X(phase_reuse)                                                                                 \
    X(released_before_read)                                                                        \
    X(remote_form)                                                                                 \
    X(cluster_lifetime)                                                                            \
    X(dependency_wait_missing)                                                                     \
    X(bulk_source_reused)                                                                          \
    X(released_for_others)                                                                         \
    X(arrival_count)                                                                               \
    X(data_race)

#define DECLARE_CODE(name) extern const struct lint_code lint_##name;
LINT_CODES(DECLARE_CODE)
#undef DECLARE_CODE

#define COUNT_CODE(name) +1
enum { LINT_CODE_COUNT = 0 LINT_CODES(COUNT_CODE) };
#undef COUNT_CODE

/* The code with that index, 0 to LINT_CODE_COUNT - 1. Static. */
const struct lint_code *lint_code_at(uint32_t index);

#endif

/* The list of lint's codes. */
#ifndef PTXOPT_LINT_CODES_H
#define PTXOPT_LINT_CODES_H

#include <stdint.h>

struct lint;

/* One code. The texts are arrays so that their addresses are constants for the public table. */
struct lint_code {
    char id[24], section[20]; /* of the PTX ISA 9.0 */
    char summary[112];        /* one line: what, on some path */
    char sentence[300];       /* the ISA's own words that are broken */
    char risk[176];           /* what could go wrong: a sentence */
    char explanation[1600];   /* the broken and the right text, what is not reported, what it rests
                                 on */
    void (*find)(struct lint *lint);
};

/* The one list: X(name) for each code, in the order of the README. */
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
    X(arrival_count)

#define DECLARE_CODE(name) extern const struct lint_code lint_##name;
LINT_CODES(DECLARE_CODE)
#undef DECLARE_CODE

#define COUNT_CODE(name) +1
enum { LINT_CODE_COUNT = 0 LINT_CODES(COUNT_CODE) };
#undef COUNT_CODE

/* All codes, in the list's order. */
const struct lint_code *lint_code_at(uint32_t index);

#endif

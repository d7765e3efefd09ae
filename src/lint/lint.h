/* What is missing? Each code asks one function one question and reports hazards; nothing is ever
 * changed by it. See README.md in this folder for the list and how to add one. */
#ifndef PTXOPT_LINT_LINT_H
#define PTXOPT_LINT_LINT_H

#include "base/arena.h"
#include "base/vec.h"
#include "base/work.h"
#include "flow/cfg.h"

enum lint_level { LINT_ERROR, LINT_WARNING, LINT_NOTE };

struct lint;

/* One code. The texts are arrays so that their addresses are constants for the public table. */
struct lint_code {
    char id[24], section[20]; /* of the PTX ISA 9.0 */
    char summary[112];        /* one line: what, on some path */
    char sentence[300];       /* the ISA's own words that are broken */
    char risk[176];           /* what could go wrong: a sentence */
    char explanation[1600];   /* the broken and the right text, what is not reported, what it goes
                                 by */
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
    X(released_before_read)

#define DECLARE_CODE(name) extern const struct lint_code lint_##name;
LINT_CODES(DECLARE_CODE)
#undef DECLARE_CODE

#define COUNT_CODE(name) +1
enum { LINT_CODE_COUNT = 0 LINT_CODES(COUNT_CODE) };
#undef COUNT_CODE

/* All codes, in the list's order. */
const struct lint_code *lint_code_at(uint32_t index);

#define NO_INSTR UINT32_MAX

/* The ISA's own words, and the section they stand in. */
struct lint_words {
    const char *section, *sentence;
};

/* Something that is missing, or does nothing. Strings are static or in the function's arena. */
struct hazard {
    const struct lint_code *code;
    enum lint_level level;
    uint32_t at;          /* the instruction that the finding names */
    uint32_t witness;     /* the second one, or NO_INSTR */
    const char *says;     /* a sentence; "%s" stands for the witness */
    const char *fix;      /* what to write, and where: a sentence, "%s" for the witness */
    const uint32_t *path; /* instructions from the first to the second, as control goes; in arena */
    uint32_t path_count;
    const struct lint_words *words; /* static; NULL: the code's */
};

struct hazard_list VEC(struct hazard);

/* How much the codes may look at in one function: what they cost grows faster than a text. */
struct lint_effort {
    uint64_t share;   /* of each code, in units of lint_spend */
    uint64_t left;    /* of the one at work */
    uint32_t asked;   /* that one, as a bit: 1 << index; or LINT_PREPARING */
    uint32_t unasked; /* bits of those that have gone over their share, and say nothing */
};

/* Some seconds; four times what any code takes in a kernel that is known to ship. */
#define LINT_SHARE 1000000000ULL

/* A bit behind all codes: what they go by could not be built. */
#define LINT_PREPARING (1u << LINT_CODE_COUNT)

struct values;
struct conditions;
struct walks;
struct barriers;
struct handovers;

/* What the codes go by, of one function whose view has all operands. */
struct lint {
    const struct view *view;
    const struct function *function;
    const struct cfg *cfg;
    struct arena *arena;           /* of the function */
    struct str *opcodes;           /* by spelling: see instruction.h */
    struct values *values;         /* see values.h */
    struct conditions *conditions; /* see conditions.h */
    struct walks *walks;           /* see walk.h */
    struct barriers *barriers;     /* see barriers.h */
    struct handovers *handovers;   /* see handover.h */
    bool pairs_of_9_4;             /* st→ld, st→st, ld→st of one warp are pipelined */
    struct lint_effort *effort;    /* NULL: no end */
    struct hazard_list hazards;    /* for vec_free */
};

/* Builds what the codes go by: the fields behind arena but pairs_of_9_4. End with lint_end, which
 * keeps the hazards. */
void lint_begin(struct lint *lint);
void lint_end(struct lint *lint);

/* Fills lint->hazards, in the order of place; of several at one instruction with one code only the
 * gravest. Between lint_begin and lint_end. */
void lint_run(struct lint *lint);

void lint_report(struct lint *lint, struct hazard hazard);

/* The code has had its share. */
_Noreturn void lint_give_up(const struct lint *lint);

/* So many instructions, conditions or pairs are about to be looked at. With effort, leaves the
 * innermost work (see base/work.h) when that is more than the code's share. */
static inline void lint_spend(const struct lint *lint, uint64_t units)
{
    work_spend(units);
    if (!lint->effort) return;
    if (lint->effort->left < units) lint_give_up(lint);
    lint->effort->left -= units;
}

static inline enum effect lint_effect(const struct lint *lint, uint32_t instr)
{
    return lint->function->instrs[instr].opcode->effect;
}

#endif

/* What all codes share: the function that is looked at, and what they report of it. See README.md
 * in this folder. */
#ifndef PTXOPT_LINT_LINT_H
#define PTXOPT_LINT_LINT_H

#include "base/vec.h"
#include "lint/codes.h"
#include "value/subject.h"

enum lint_level { LINT_ERROR, LINT_WARNING, LINT_NOTE };

/* A quotation from the ISA, and its section. */
struct lint_words {
    const char *section, *sentence;
};

/* Something that is missing, or does nothing. Strings are static or in the function's arena. */
struct hazard {
    const struct lint_code *code;
    enum lint_level level;
    uint32_t at;      /* the instruction that the finding names */
    uint32_t witness; /* the second one, or NO_INSTR */
    const char *says; /* a sentence; "%s" is replaced by the witness */
    const char *fix;  /* what to write, and where: a sentence, "%s" as above */
    const uint32_t
        *path; /* instructions from the first to the second, in the order of execution; in arena */
    uint32_t path_count;
    const struct lint_words *words; /* static; NULL: the code's */
};

struct hazard_list VEC(struct hazard);

/* How much may be looked at in one function, in units of lint_spend: the cost of some codes grows
 * faster than a text. A code gets a part of what is left, and what it does not need is left to
 * the next ones. */
struct lint_effort {
    uint64_t budget;    /* the rest of the function's budget */
    uint64_t given;     /* the share of the code that runs */
    struct effort left; /* of that */
    uint32_t first;     /* the codes in front of this one have run */
    bool again;         /* all those that need no more than their share are run once more */
    uint32_t asked;     /* the code that runs, as a bit: 1 << index; or LINT_PREPARING */
    uint32_t unasked;   /* bits of those that needed more, and report nothing */
    uint32_t partly; /* … of those that stopped by themselves, and say what they found so far */
    uint32_t cut;    /* … since they follow no thread through a call or a table of branches */
};

/* What there is for a text, in parts for its functions: so much for each byte, seven times what the
 * kernels take that take most, and something for the shortest. A unit is about 100 instructions of
 * the processor. ptxas takes more than twice that. */
#define LINT_UNITS_A_BYTE 100ULL
#define LINT_UNITS_A_TEXT (1ULL << 20)

/* A bit after all codes: what they go by could not be built. */
#define LINT_PREPARING (1u << LINT_CODE_COUNT)

struct arrays;
struct path_conditions;
struct walks;
struct handovers;
struct mbarriers;
struct smem_places;
struct smem_tracing;
struct readers;
struct peers;

/* What the codes are computed from: one function with a view of all operands. */
struct lint {
    const struct view *view;
    const struct function
        *function; /* from lint_begin on that of subject: its registers are webs */
    const struct cfg *cfg;
    struct arena *arena;                /* of the function */
    struct subject *subject;            /* see value/ */
    struct arrays *arrays;              /* see arrays.h */
    struct path_conditions *conditions; /* see path_condition.h */
    struct walks *walks;                /* see walk.h */
    struct mbarriers *mbarriers;        /* see mbarriers.h */
    struct handovers *handovers;        /* see handover.h */
    struct smem_places *places;         /* see smem_place.h; NULL: not needed yet */
    const struct readers *readers;      /* see readers.h */
    struct smem_tracing *tracing;       /* see smem_origin.h; NULL: not needed yet */
    struct peers *peers;                /* see peer.h; NULL: not needed yet */
    bool pairs_of_9_4;                  /* st→ld, st→st, ld→st of one warp are pipelined */
    struct lint_effort *effort;         /* NULL: no end */
    struct hazard_list hazards;         /* for vec_free */
};

/* So many instructions, conditions or pairs are about to be looked at. With effort, leaves the
 * innermost work (see base/work.h) when that is more than the code's share. */
static inline void lint_spend(const struct lint *lint, uint64_t units)
{
    subject_spend(lint->subject, units);
}

/* The code at work leaves something unsearched, since that would take too long. */
static inline void lint_stop_short(const struct lint *lint)
{
    if (lint->effort) lint->effort->partly |= lint->effort->asked;
}

/* … since a call or a table of branches is in the way. */
static inline void lint_stop_at_call(const struct lint *lint)
{
    if (lint->effort) lint->effort->cut |= lint->effort->asked;
}

static inline enum effect lint_effect(const struct lint *lint, uint32_t instr)
{
    return lint->function->instrs[instr].opcode->effect;
}

/* Some instruction of the function has that effect, which orders something or accesses memory. */
static inline bool lint_has_effect(const struct lint *lint, enum effect effect)
{
    subject_spend(lint->subject, lint->function->notable_count);
    for (uint32_t i = 0; i < lint->function->notable_count; i++)
        if (lint_effect(lint, lint->function->notable[i]) == effect) return true;
    return false;
}

static inline void lint_report(struct lint *lint, struct hazard hazard)
{
    vec_push(&lint->hazards, hazard);
}

#endif

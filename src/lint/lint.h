/* What all codes share: the function that is analysed, and the hazards found in it. See README.md
 * in this folder. */
#ifndef PTXOPT_LINT_LINT_H
#define PTXOPT_LINT_LINT_H

#include "base/vec.h"
#include "lint/codes.h"
#include "value/subject.h"

enum lint_level { LINT_ERROR, LINT_WARNING, LINT_NOTE };

/* A quotation from the ISA, and its section number. */
struct lint_words {
    const char *section, *sentence;
};

/* A finding: synchronisation that is missing, or does nothing. Strings are static or in the arena
 * of the function. */
struct hazard {
    const struct lint_code *code;
    enum lint_level level;
    uint32_t at;      /* the instruction at which it is reported */
    uint32_t witness; /* the second instruction, or NO_INSTR */
    const char *says; /* a sentence; "%s" is replaced by the witness; parts in [] are left out of
                         the one-line finding, which has about 80 bytes */
    const char *fix;  /* what to write, and where; "%s" as in says */
    const uint32_t
        *path; /* instructions from the first to the second, in the order of execution; in arena */
    uint32_t path_count;
    const struct lint_words *words; /* static; NULL: use those of the code */
};

struct hazard_list VEC(struct hazard);

/* The work that may be done for one function, in units of lint_spend. There is a limit because the
 * cost of some codes grows faster than the text. Each code gets a part of the rest of the
 * budget; the codes after it share the part that it does not use. */
struct lint_effort {
    uint64_t budget;    /* what is left for the function */
    uint64_t given;     /* the share of the current code */
    struct effort left; /* what is left of that share */
    uint32_t first;     /* the codes with a lower index have run */
    bool again;         /* the codes that need no more than their share run once more */
    uint32_t asked;     /* the current code as a bit, 1 << index; or LINT_PREPARING */
    uint32_t unasked; /* bits of the codes that needed more than their share: they report nothing */
    uint32_t partly;  /* bits of the codes that stopped early: they report what they found */
    uint32_t cut;     /* bits of the codes that did not follow a thread through a call or a table of
                         branches */
};

/* The budget of a text, which its functions share: a number of units for each byte, seven times
 * what the most expensive real kernels need, and a minimum for short texts. A unit is at most about
 * 100 instructions of the processor. A text that uses the whole budget may take longer than ptxas;
 * doc/cost.md says what real kernels take. */
#define LINT_UNITS_A_BYTE 100ULL
#define LINT_UNITS_A_TEXT (1ULL << 20)

/* The bit after those of all codes: the data that the codes share could not be built. */
#define LINT_PREPARING (1u << LINT_CODE_COUNT)

struct arrays;
struct cluster_ranks;
struct path_conditions;
struct walks;
struct handovers;
struct mbarriers;
struct smem_meetings;
struct smem_places;
struct smem_tracing;
struct readers;
struct peers;
struct hazard_names;
struct relevance;
struct execution;

/* The input of all codes: one function, with a view of all operands. */
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
    struct cluster_ranks *ranks;        /* see cluster_rank.h */
    struct smem_places *places;         /* see smem_place.h; NULL: not needed yet */
    struct smem_meetings *meetings;     /* see smem_meetings.h; NULL: not needed yet */
    struct readers *readers;            /* see readers.h */
    struct smem_tracing *tracing;       /* see smem_origin.h; NULL: not needed yet */
    struct peers *peers;                /* see peer.h; NULL: not needed yet */
    struct relevance *control;          /* see relevance.h; NULL: not needed yet */
    struct execution *execution;        /* see execution.h; NULL: not needed yet */
    bool pairs_of_9_4;                  /* st→ld, st→st, ld→st of one warp are pipelined */
    struct lint_effort *effort;         /* NULL: no end */
    struct hazard_list hazards;         /* for vec_free */
    struct hazard_names *names;         /* see hazards.c; NULL: there are no hazards */
};

/* Announces work on that number of instructions, conditions or pairs. If there is an effort and the
 * share of the code is used up, it leaves the innermost work (see base/work.h) and does not
 * return. */
static inline void lint_spend(const struct lint *lint, uint64_t units)
{
    subject_spend(lint->subject, units);
}

/* The current code stops its search early because it would take too long. */
static inline void lint_stop_short(const struct lint *lint)
{
    if (lint->effort) lint->effort->partly |= lint->effort->asked;
}

/* The current code does not follow a thread through a call or a table of branches. */
static inline void lint_stop_at_call(const struct lint *lint)
{
    if (lint->effort) lint->effort->cut |= lint->effort->asked;
}

static inline enum effect lint_effect(const struct lint *lint, uint32_t instr)
{
    return lint->function->instrs[instr].opcode->effect;
}

/* Some instruction of the function has that effect. Only for effects that order something or access
 * memory. */
static inline bool lint_has_effect(const struct lint *lint, enum effect effect)
{
    subject_spend(lint->subject, lint->function->notable_count);
    for (uint32_t i = 0; i < lint->function->notable_count; i++)
        if (lint_effect(lint, lint->function->notable[i]) == effect) return true;
    return false;
}

void lint_report(struct lint *lint, struct hazard hazard);

/* The code, which is running, has reported a hazard. */
static inline bool lint_has_any(const struct lint *lint, const struct lint_code *code)
{
    uint32_t count = lint->hazards.count;
    return count && lint->hazards.at[count - 1].code == code;
}

/* The code has reported a hazard at that instruction. */
bool lint_has_reported(const struct lint *lint, const struct lint_code *code, uint32_t at);

/* The code has reported a hazard at that instruction or with it as witness. */
bool lint_has_named(const struct lint *lint, const struct lint_code *code, uint32_t instr);

#endif

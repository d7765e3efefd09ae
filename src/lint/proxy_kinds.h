/* What touches the places of a group of accesses, for the code proxy-fence-missing: found once for
 * all groups that access the same places in the same way, as those of an unrolled loop do. */
#ifndef PTXOPT_LINT_PROXY_KINDS_H
#define PTXOPT_LINT_PROXY_KINDS_H

#include "base/intervals.h"
#include "lint/smem_meetings.h"
#include "lint/smem_place.h"

/* Accesses through the generic proxy in one block: only stores, or only loads. */
struct proxy_group VEC(const struct smem_place *);

/* Whether a copy has filled the group's place before a wait returns. */
struct filled {
    uint32_t kind; /* the number of the kind for which `holds` was computed */
    bool holds;
};

/* Which access of a group has the same place as an access. */
struct touched {
    uint32_t kind;   /* the number of the kind for which `access` was computed */
    uint32_t access; /* its index in the group */
};

/* What threads do that wait for an arrival behind a group, if no path behind the group has ended
 * before. */
struct proxy_answer {
    uint32_t kind, mbarrier, of; /* of the mbarrier; of: see proxy_answers_find */
    bool waits, found;           /* some thread waits; something was found */
    bool depends;                /* on the access and the arrival: then it is of no other group */
    bool *stages; /* by access of the group: the load is of a stage (smem_stage.h); NULL: stores */
};

struct proxy_kind {
    uint32_t number;          /* which no other kind has */
    struct proxy_group group; /* the first one */
    struct touched *touched;  /* by index of a place */
    struct filled *filled;    /* by barrier use */
    /* The accesses through the asynchronous proxy with which the group may be a hazard, ascending,
     * and the other accesses that write the places, as instructions. */
    struct item_list targets, writers;
    uint32_t told;  /* the target, by its index, that a group of the kind was last found to meet */
    bool marked;    /* ahead is computed: there are many targets and writers */
    uint8_t *ahead; /* by block: see proxy_kind_ahead */
};

enum ahead { AHEAD_TARGET = 1, AHEAD_WRITER = 2 };

struct proxy_kinds;

/* The instruction is a proxy fence that orders accesses to shared memory. */
bool is_any_proxy_fence(const struct lint *lint, uint32_t instr);

/* The instruction is a proxy fence that orders accesses to global memory. */
bool proxy_fence_is_global(const struct lint *lint, uint32_t instr);

/* The instruction is a bulk copy from global to shared memory, without a tensor map. */
bool proxy_fence_copies_global(const struct lint *lint, uint32_t instr);

/* places and meetings are borrowed. In lint->arena, except what proxy_kinds_free frees. */
struct proxy_kinds *proxy_kinds_new(struct lint *lint, const struct smem_places *places,
                                    const struct smem_meetings *meetings);
void proxy_kinds_free(struct proxy_kinds *kinds);

/* The kind of the group; valid until the next call. */
struct proxy_kind *proxy_kinds_find(struct proxy_kinds *kinds, const struct proxy_group *group);

/* Bits: control may come from the end of the block to a target, or a writer, or such is in the
 * block. */
uint8_t proxy_kind_ahead(const struct lint *lint, const struct proxy_kind *kind, uint32_t block);

/* Control may come from the instruction to a target. */
bool proxy_kind_leads(const struct lint *lint, const struct proxy_kind *kind, uint32_t instr);

/* What was answered about such arrivals before, for groups of the kind; NULL: nothing. `of` tells
 * questions about one mbarrier apart. */
struct proxy_answer *proxy_answers_find(const struct proxy_kinds *kinds,
                                        const struct proxy_kind *kind, uint32_t mbarrier,
                                        uint32_t of);

/* Adds such an answer, which replaces the one before. */
void proxy_answers_add(struct proxy_kinds *kinds, const struct proxy_answer *answer);

#endif

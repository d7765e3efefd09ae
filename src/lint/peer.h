/* Accesses to the shared memory of another CTA of the cluster. An address belongs to another CTA if
 * mapa computed it, for a rank that is not obviously that of the own CTA. */
#ifndef PTXOPT_LINT_PEER_H
#define PTXOPT_LINT_PEER_H

#include "lint/handover.h"
#include "lint/smem_origin.h"
#include "lint/walk.h"

enum peer_side {
    PEER_UNKNOWN,
    PEER_OWN,   /* certainly of the own CTA */
    PEER_OTHER, /* made by mapa for another rank */
};

enum peer_kind { PEER_LOAD, PEER_STORE, PEER_ARRIVE, PEER_ASYNC, PEER_MULTICAST };

/* An instruction that accesses the shared memory of another CTA. */
struct peer_access {
    uint32_t instr, operand; /* operand: of the data; for an arrive, of the mbarrier */
    enum peer_kind kind;
    bool signals;             /* it signals an mbarrier there: see handover */
    struct handover handover; /* as if it were the mbarrier of the own CTA with that name */
    struct barrier_use use;
    struct value local; /* the address in the own CTA that is mapped, or the operand itself;
                           VALUE_NONE: not known */
};

struct peers {
    struct lint *lint;
    struct peer_access *at; /* in the order of the text */
    uint32_t count;
    uint32_t *place; /* by instruction: 1 + its index in at; 0: none */
    bool cluster;    /* the text declares a larger cluster, or uses barrier.cluster */
};

/* In lint->arena. Computed once. */
struct peers *peers_find(struct lint *lint);

/* For an operand in brackets. PEER_UNKNOWN also in a function without mapa. */
enum peer_side peer_side_of(const struct lint *lint, uint32_t instr, uint32_t operand);

/* The access at the instruction; NULL: none. */
const struct peer_access *peer_at(const struct peers *peers, uint32_t instr);

/* Sets *use to the mbarrier that the instruction arrives at, named by its first operand in
 * brackets, as if it were in the own CTA, whichever CTA it is mapped to. False if it is not
 * known. */
bool peer_as_own(const struct lint *lint, uint32_t instr, struct barrier_use *use);

/* The use as if its mbarrier were in the own CTA, whichever CTA it is in. */
struct barrier_use peer_use_as_own(const struct lint *lint, const struct barrier_use *use);

/* The wait may be for the signal of the access. */
bool peer_may_meet(const struct peers *peers, const struct peer_access *access,
                   const struct handover *wait);

/* As walk_forward, for the threads that continue after `from` and also for the threads that join
 * them at a barrier of the CTA on the path. */
bool peer_walk(const struct lint *lint, uint32_t from, uint32_t interest, walk_look *look,
               void *context, struct walk_path *path);

#endif

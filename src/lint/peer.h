/* Accesses to the shared memory of another CTA of the cluster. An address is another CTA's when
 * mapa made it, for a rank that is not plainly the own one. */
#ifndef PTXOPT_LINT_PEER_H
#define PTXOPT_LINT_PEER_H

#include "lint/handover.h"
#include "lint/smem_origin.h"
#include "lint/walk.h"

enum peer_side {
    PEER_UNKNOWN,
    PEER_OWN,   /* the own CTA's, for sure */
    PEER_OTHER, /* made by mapa for another rank, for some CTA of the cluster */
};

enum peer_kind { PEER_LOAD, PEER_STORE, PEER_ARRIVE, PEER_ASYNC, PEER_MULTICAST };

/* An instruction that touches another CTA's shared memory. */
struct peer_access {
    uint32_t instr, operand; /* the operand: of the data; of an arrive the mbarrier's */
    enum peer_kind kind;
    bool signals;             /* some mbarrier there, by handover */
    struct handover handover; /* with use, as if it were the own mbarrier of that name */
    struct barrier_use use;
    struct value local; /* the address in the own CTA that the operand is mapped from, or it itself;
                           VALUE_NONE when that is not known */
};

struct peers {
    struct lint *lint;
    struct peer_access *at; /* in the order of the text */
    uint32_t count;
    bool cluster; /* there is more than one CTA in a cluster, as far as the text says */
};

/* In lint->arena; found once. */
struct peers *peers_find(struct lint *lint);

/* Of an operand in brackets; PEER_UNKNOWN, too, in a function that maps no address. */
enum peer_side peer_side_of(const struct lint *lint, uint32_t instr, uint32_t operand);

/* The access that instruction is; NULL when it is none. */
const struct peer_access *peer_at(const struct peers *peers, uint32_t instr);

/* The mbarrier that the instruction arrives at, by its first operand in brackets, as if it were the
 * own one of that name, whichever CTA it is mapped to. False when that is not known. */
bool peer_as_own(const struct lint *lint, uint32_t instr, struct barrier_use *use);

/* The wait may be for what the access signals. */
bool peer_may_meet(const struct peers *peers, const struct peer_access *access,
                   const struct handover *wait);

/* As walk_forward, of threads that go on from there, and of those that meet them at a barrier of
 * the CTA on the way. */
bool peer_walk(const struct lint *lint, uint32_t from, uint32_t interest, walk_look *look,
               void *context, struct walk_path *path);

#endif

/* Lists the mbarriers that instructions use, and what each use does. All mbarriers of an array over
 * which a loop iterates are one object: full[stage] in one role is full[stage] in another. */
#ifndef PTXOPT_VALUE_BARRIERS_H
#define PTXOPT_VALUE_BARRIERS_H

#include "value/values.h"

enum barrier_use_kind {
    BARRIER_INIT,
    BARRIER_INVAL,
    BARRIER_EXPECT,        /* expect_tx without an arrive */
    BARRIER_ARRIVE,        /* by the thread itself */
    BARRIER_ARRIVE_EXPECT, /* arrive.expect_tx: the phase also waits for bytes of the asynchronous
                              proxy */
    BARRIER_COMMIT, /* tcgen05.commit: arrives when the operations that it tracks are complete */
    BARRIER_COPY,   /* cp.async.bulk…mbarrier::complete_tx: signals when the copy is complete */
    BARRIER_ASYNC_ARRIVE, /* cp.async.mbarrier.arrive, st.async, red.async */
    BARRIER_WAIT,         /* test_wait, try_wait */
};

struct barrier_use {
    uint32_t instr;
    enum barrier_use_kind kind;
    struct value address; /* as written; VALUE_NONE: not understood */
    /* The fixed terms of the address and its constant, without the terms that change. */
    struct value object;
    bool indexed;  /* some terms were left out */
    bool variable; /* object is the name of a variable plus a constant */
    bool remote;   /* it may be in another CTA: mapa, multicast */
};

struct barriers {
    struct barrier_use *uses; /* in the order of the text */
    uint32_t count;
    uint32_t *inits, init_count; /* indices of the uses that are BARRIER_INIT */
    uint32_t *inits_behind;      /* by index in uses: the index in inits of the first behind it */
    /* By index in uses, without arrays: the next use, and the first use, of the same mbarrier;
     * count: none. */
    uint32_t *next_same, *first_same;
    uint32_t *next_init;          /* likewise: it, or the next such use that is BARRIER_INIT */
    uint32_t *loose, loose_count; /* indices of the uses of arrays, or of unknown mbarriers */
    uint32_t *loose_behind;       /* by index in uses: the index in loose of the first behind it */
    bool bases_differ;            /* known uses with different bases are never the same mbarrier */
    uint32_t *place;              /* by instruction: 1 + its index in uses; 0: none */
};

/* Sets subject->barriers, in its arena. Call values_build first. */
void barriers_build(struct subject *subject);

/* Fills the lists and indices of all from its uses and count, in the arena of subject. For uses
 * that are not those of subject->barriers, but copies of them. */
void barriers_list(const struct subject *subject, struct barriers *all);

/* The operand that is the address of the mbarrier, for a use of that kind: the first one in
 * brackets; of a copy or an asynchronous arrive the last one. The number of operands if there is
 * none. */
uint32_t barriers_operand(const struct subject *subject, uint32_t instr,
                          enum barrier_use_kind kind);

/* Sets object, indexed and variable from the address in the own CTA. VALUE_NONE: unknown. */
void barriers_set_object(const struct subject *subject, struct barrier_use *use,
                         struct value local);

/* Both certainly are the same mbarrier, or the same array of mbarriers. */
bool barriers_same(const struct barrier_use *a, const struct barrier_use *b);

/* They may be the same mbarrier. False if they are proven to differ: by their offsets from one
 * base, or because they are in two variables, which have no byte in common. */
static inline bool barriers_may_be_same(const struct barrier_use *a, const struct barrier_use *b)
{
    bool known = !value_is_none(a->object) && !value_is_none(b->object);
    if (!known) return true;
    if (a->object.base != b->object.base) return !a->variable || !b->variable;
    return a->indexed || b->indexed || a->object.offset == b->object.offset;
}

/* Iterates over the uses for which barriers_may_be_same is true, in the order of the text. before:
 * the index of the previous one, or UINT32_MAX for the first call. Returns the index of the next
 * one; count after the last. Spends effort if many uses are examined. */
uint32_t barriers_next_alike(const struct subject *subject, const struct barrier_use *use,
                             uint32_t before);

/* The same for the uses that are BARRIER_INIT. */
uint32_t barriers_next_init(const struct subject *subject, const struct barrier_use *use,
                            uint32_t before);

/* As these two, for uses of `all`. */
uint32_t barriers_next_alike_of(const struct subject *subject, const struct barriers *all,
                                const struct barrier_use *use, uint32_t before);
uint32_t barriers_next_init_of(const struct subject *subject, const struct barriers *all,
                               const struct barrier_use *use, uint32_t before);

/* The use at the instruction; NULL: none. */
static inline const struct barrier_use *barriers_at(const struct subject *subject, uint32_t instr)
{
    uint32_t place = subject->barriers->place[instr];
    return place ? &subject->barriers->uses[place - 1] : NULL;
}

/* For a copy that a caller has built: the use of the same mbarrier at its instruction, an element
 * of barriers->uses. NULL: the copy is of another mbarrier. */
const struct barrier_use *barriers_copied(const struct subject *subject,
                                          const struct barrier_use *copy);

/* The use itself if it is in barriers->uses; else as barriers_copied. */
static inline const struct barrier_use *barriers_listed(const struct subject *subject,
                                                        const struct barrier_use *use)
{
    const struct barriers *all = subject->barriers;
    bool listed = use >= all->uses && use < all->uses + all->count;
    return listed ? use : barriers_copied(subject, use);
}

#endif

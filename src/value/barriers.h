/* Lists the mbarriers that instructions use, and for what. An mbarrier in an array that a loop
 * visits is one object for the array: full[stage] in one role is full[stage] in the other. */
#ifndef PTXOPT_VALUE_BARRIERS_H
#define PTXOPT_VALUE_BARRIERS_H

#include "value/values.h"

enum barrier_use_kind {
    BARRIER_INIT,
    BARRIER_INVAL,
    BARRIER_EXPECT,        /* expect_tx alone */
    BARRIER_ARRIVE,        /* by the thread itself */
    BARRIER_ARRIVE_EXPECT, /* arrive.expect_tx: arms it for bytes of the asynchronous proxy */
    BARRIER_COMMIT,        /* tcgen05.commit: arrives when what it tracks is complete */
    BARRIER_COPY,          /* cp.async.bulk…mbarrier::complete_tx: completes when the copy has */
    BARRIER_ASYNC_ARRIVE,  /* cp.async.mbarrier.arrive, st.async, red.async */
    BARRIER_WAIT,          /* test_wait, try_wait */
};

struct barrier_use {
    uint32_t instr;
    enum barrier_use_kind kind;
    struct value address; /* as written; VALUE_NONE when it is not understood */
    /* The address's fixed terms with its constant, those that change left out. */
    struct value object;
    bool indexed;  /* some were */
    bool variable; /* nothing but one is left, by its name, and a constant */
    bool remote;   /* it may be another CTA's: mapa, multicast */
};

struct barriers {
    struct barrier_use *uses; /* in the order of the text */
    uint32_t count;
    uint32_t *inits, init_count; /* those of the uses that are BARRIER_INIT, by place */
    /* By place in uses: the next one of the same mbarrier, no array; count: none is. */
    uint32_t *next_same, *first_same;
    uint32_t *loose, loose_count; /* by place: those of arrays, and of what is not known */
    bool one_base;                /* all others have the same base */
    uint32_t *place;              /* by instruction: in uses, and one more; 0: it uses none */
};

/* Sets subject->barriers, in its arena. After values_build. */
void barriers_build(struct subject *subject);

/* The same mbarrier, or the same array of them, for sure; false when that is not known. */
bool barriers_same(const struct barrier_use *a, const struct barrier_use *b);

/* They may be the same: not known to be others. Two variables have no byte in common. */
bool barriers_may_be_same(const struct barrier_use *a, const struct barrier_use *b);

/* The places of the uses that barriers_may_be_same says to be the same as this, in their order:
 * each is asked for with the one before, begun with UINT32_MAX; count after the last. Spends
 * effort if many are looked at. */
uint32_t barriers_next_alike(const struct subject *subject, const struct barrier_use *use,
                             uint32_t before);

/* … of the inits among them. */
uint32_t barriers_next_init(const struct subject *subject, const struct barrier_use *use,
                            uint32_t before);

/* The use that instruction is; NULL when it is none. */
const struct barrier_use *barriers_at(const struct subject *subject, uint32_t instr);

#endif

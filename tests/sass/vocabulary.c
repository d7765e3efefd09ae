/* Lists the operations of the programs. See vocabulary.h. The words are those that ptxas 13.0
 * writes for sm_100a. */
#include "vocabulary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LD(text)                                                                                   \
    {                                                                                              \
        .ptx = text, .kind = KIND_LD, .word = 0x9ee, .offset = true, .place = WHOLE_WARP           \
    }
#define ST(bits, text)                                                                             \
    {                                                                                              \
        .ptx = text, .kind = KIND_ST, .word = 0x9ed, .mask = 0x1c0000, .value = bits,              \
        .offset = true, .place = WHOLE_WARP                                                        \
    }
/* In a function that is declared in the head. */
#define ST_CALLED(bits, text)                                                                      \
    {                                                                                              \
        .ptx = text, .kind = KIND_ST, .word = 0x9ed, .mask = 0x1c0000, .value = bits,              \
        .place = WHOLE_WARP                                                                        \
    }
#define PIPE(is, at, bits, text)                                                                   \
    {                                                                                              \
        .ptx = text, .kind = KIND_PIPE, .word = is, .mask = at, .value = bits, .emits = SIDE_ELECT \
    }
#define COMMIT(bits, text)                                                                         \
    {                                                                                              \
        .ptx = text, .kind = KIND_COMMIT, .word = 0x3e9, .mask = 0x800, .value = bits,             \
        .emits = SIDE_ELECT                                                                        \
    }
#define ALLOC(opcode, sides, text)                                                                 \
    {                                                                                              \
        .ptx = text, .kind = KIND_ALLOC, .word = opcode, .emits = sides, .place = WHOLE_WARP       \
    }
#define SILENT(is, where, text)                                                                    \
    {                                                                                              \
        .ptx = text, .kind = is, .place = where                                                    \
    }

/* Ordering operations: found by their number, by the word alone, or by bits of its modifiers. */
#define AT(opcode, text)                                                                           \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = opcode, .offset = true                            \
    }
#define AT_WITH(opcode, sides, text)                                                               \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = opcode, .offset = true, .emits = sides            \
    }
#define ONE(opcode, text)                                                                          \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = opcode                                            \
    }
#define ONE_WITH(opcode, sides, text)                                                              \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = opcode, .emits = sides                            \
    }
#define BITS(opcode, at, bits, sides, text)                                                        \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = opcode, .mask = at, .value = bits, .emits = sides \
    }
#define READS(bits, text)                                                                          \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = 0x9c3, .other = {0x919, 0x805}, .mask = 0xff00,   \
        .value = bits                                                                              \
    }
#define BAR(bits, text)                                                                            \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = 0xb1d, .mask = 0x1e000, .value = bits,            \
        .is = SIDE_BAR, .emits = SIDE_BAR                                                          \
    }
/* An operation whose word may also come from other operations. */
#define SIDED(opcode, side, text)                                                                  \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = opcode, .is = side, .emits = side                 \
    }
/* ptxas makes a predicate uniform by a vote that only sets a predicate. */
#define VOTE(text)                                                                                 \
    {                                                                                              \
        .ptx = text, .kind = KIND_ORDER, .word = 0x806, .other = {0x886}, .mask = 0xe0000,         \
        .value = 0xe0000, .is = SIDE_VOTE, .emits = SIDE_VOTE                                      \
    }
#define WEAK(opcode, where, text)                                                                  \
    {                                                                                              \
        .ptx = text, .kind = KIND_WEAK, .word = opcode, .offset = true, .place = where             \
    }
/* The rows of forms.def. */
#define AT_USED(drawn, sides, opcode, text)                                                        \
    {.ptx = text, .kind = KIND_ORDER, .word = opcode, .offset = true, .emits = sides, .use = drawn},
#define BITS_USED(drawn, sides, opcode, at, bits, text)                                            \
    {.ptx = text,                                                                                  \
     .kind = KIND_ORDER,                                                                           \
     .word = opcode,                                                                               \
     .mask = at,                                                                                   \
     .value = bits,                                                                                \
     .is = sides,                                                                                  \
     .emits = sides,                                                                               \
     .use = drawn},
#define ONE_USED(drawn, sides, opcode, text) BITS_USED(drawn, sides, opcode, 0, 0, text)
#define WEAK_USED(drawn, opcode, text)                                                             \
    {.ptx = text, .kind = KIND_WEAK, .word = opcode, .offset = true, .use = drawn},

const struct operation vocabulary[] = {
    LD("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v$}, [%t+#];"),
    LD("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%v$, %z$}, [%t+#];"),
    LD("tcgen05.ld.sync.aligned.16x64b.x1.b32 {%v$}, [%t+#];"),
    ST(0x040000, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t+#], {%u0};"),
    ST(0x0c0000, "tcgen05.st.sync.aligned.32x32b.x2.b32 [%t+#], {%u0, %u1};"),
    /* 64 columns, so that they overlap those of the next few numbers (draw.c) and no others */
    ST(0x100000, "tcgen05.st.sync.aligned.16x256b.x4.unpack::16b.b32 [%t+#], "
                 "{%u0, %u0, %u0, %u0, %u0, %u0, %u0, %u0, "
                 "%u1, %u1, %u1, %u1, %u1, %u1, %u1, %u1};"),
    ST(0x040000, "tcgen05.st.sync.aligned.16x64b.x16.unpack::16b.b32 [%t+#], "
                 "{%u0, %u0, %u0, %u0, %u0, %u0, %u0, %u0, "
                 "%u1, %u1, %u1, %u1, %u1, %u1, %u1, %u1};"),
    ST_CALLED(0x140000, "call store, (%t, %u0);"),
    PIPE(0x5ea, 0x80f00, 0x000, "tcgen05.mma.cta_group::1.kind::f16 [%t], %d0, %d1, %i, %p0;"),
    PIPE(0x5ea, 0x80f00, 0x300, "tcgen05.mma.cta_group::1.kind::f8f6f4 [%t], %d0, %d1, %i, %p0;"),
    PIPE(0x5ea, 0x80f00, 0x100, "tcgen05.mma.cta_group::1.kind::i8 [%t], %d0, %d1, %i, %p0;"),
    PIPE(0x5ea, 0x80f00, 0x80000, "tcgen05.mma.ws.cta_group::1.kind::f16 [%t], %d0, %d1, %i, %p0;"),
    PIPE(0x9ea, 0x80f00, 0x000, "tcgen05.mma.cta_group::1.kind::f16 [%t], [%t2], %d1, %i, %p0;"),
    PIPE(0xdea, 0, 0,
         "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale "
         "[%t], %d0, %d1, %i, [%t2], [%t3], %p0;"),
    PIPE(0x9e7, 0x100000, 0, "tcgen05.cp.cta_group::1.128x256b [%t], %d0;"),
    PIPE(0x9e7, 0x100000, 0, "tcgen05.cp.cta_group::1.128x256b [%t2], %d0;"),
    PIPE(0x9e7, 0x100000, 0x100000, "tcgen05.cp.cta_group::1.4x256b [%t2], %d0;"),
    PIPE(0x9e6, 0, 0, "tcgen05.shift.cta_group::1.down [%t];"),
    PIPE(0x9e6, 0, 0, "tcgen05.shift.cta_group::1.down [%t2];"),
    COMMIT(0, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%sa+#];"),
    COMMIT(0x800, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster"
                  ".multicast::cluster.b64 [%sa+#], %h;"),
    SILENT(KIND_WAIT_ST, WHOLE_WARP, "tcgen05.wait::st.sync.aligned;"),
    SILENT(KIND_WAIT_LD, WHOLE_WARP, "tcgen05.wait::ld.sync.aligned;"),
    SILENT(KIND_BEFORE, ANYWHERE, "tcgen05.fence::before_thread_sync;"),
    SILENT(KIND_AFTER, ANYWHERE, "tcgen05.fence::after_thread_sync;"),
    ALLOC(0x9e3, SIDE_VOTE | SIDE_REDUX, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 64;"),
    ALLOC(0x84c, SIDE_ELECT, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"),

    AT(0x9a7, "mbarrier.arrive.shared.b64 _, [%sa+#];"),
    AT(0x9a7, "mbarrier.arrive.shared.b64 %l$, [%sa+#];"),
    AT(0x9a7, "mbarrier.arrive.relaxed.cta.shared.b64 _, [%sa+#];"),
    AT(0x9a7, "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%sa+#];"),
    AT_WITH(0x9a7, SIDE_MEMBAR, "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%sa+#];"),
    AT(0x9a7, "mbarrier.arrive.noComplete.shared.b64 %l$, [%sa+#], 1;"),
    AT(0x9a7, "mbarrier.arrive.expect_tx.shared.b64 _, [%sa+#], 16;"),
    AT(0x9a7, "mbarrier.arrive_drop.shared.b64 _, [%sa+#];"),
    AT(0x9a7, "mbarrier.expect_tx.relaxed.cta.shared.b64 [%sa+#], 16;"),
    AT(0x9a7, "mbarrier.complete_tx.relaxed.cta.shared.b64 [%sa+#], 16;"),
    AT(0x5a7, "mbarrier.test_wait.parity.shared.b64 %q$, [%sa+#], 0;"),
    AT(0x5a7, "mbarrier.try_wait.parity.shared.b64 %q$, [%sa+#], 0;"),
    AT(0x5a7, "mbarrier.try_wait.parity.relaxed.cluster.shared.b64 %q$, [%sa+#], 0;"),
    AT(0x5b2, "mbarrier.init.shared.b64 [%sa+#], 1;"),
    AT(0x9b1, "mbarrier.inval.shared.b64 [%sa+#];"),
    AT(0x9b0, "cp.async.mbarrier.arrive.shared.b64 [%sa+#];"),
    BAR(0x10000, "bar.sync 1;"),
    BAR(0x10000, "barrier.sync 4, 64;"),
    BAR(0x2000, "bar.arrive 2, 64;"),
    BAR(0x14000, "bar.red.popc.u32 %v$, 3, %p1;"),
    SILENT(KIND_ORDER, ANYWHERE, "bar.warp.sync %u0;"),
    ONE_WITH(0x9c7, SIDE_MEMBAR, "barrier.cluster.arrive;"),
    ONE(0x9c7, "barrier.cluster.arrive.relaxed;"),
    ONE_WITH(0xdc7, SIDE_BAR, "barrier.cluster.wait;"),

    AT(0x381, "ld.mmio.relaxed.sys.global.u32 %v$, [%g+#];"),
    AT(0x386, "st.mmio.relaxed.sys.global.u32 [%g+#], %u0;"),
    ONE_WITH(0x98e, SIDE_VOTE, "red.relaxed.gpu.global.add.u32 [%gu+#], %u0;"),
    AT_WITH(0x98c, SIDE_VOTE, "red.relaxed.cta.shared.add.u32 [%sa+#], %u0;"),
    AT_WITH(0x98c, SIDE_VOTE | SIDE_SHUFFLE, "atom.relaxed.cta.shared.add.u32 %v$, [%sa+#], %u0;"),

    ONE(0xdbd, "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%sa+#], %u0, [%sa+16];"),
    ONE_WITH(0x377, SIDE_ELECT | SIDE_MEMBAR | SIDE_DEPBAR,
             "st.async.release.global.gpu.u32 [%g+#], %u0;"),
    ONE(0xdbe, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
               "[%sa+#], %u0, [%sa+16];"),
    ONE_WITH(0x3ba, SIDE_ELECT,
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
             "[%sa+#], [%g+16], 16, [%sa+16];"),
    ONE_WITH(0x3ba, SIDE_ELECT,
             "cp.async.bulk.global.shared::cta.bulk_group [%g+16], [%sa+#], 16;"),
    ONE_WITH(0x3bb, SIDE_ELECT,
             "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g+16], [%sa+#], 16;"),
    ONE(0x9b7, "cp.async.bulk.commit_group;"),
    SIDED(0x91a, SIDE_DEPBAR, "cp.async.bulk.wait_group 0;"),
    SIDED(0x91a, SIDE_DEPBAR, "cp.async.bulk.wait_group.read 0;"),
    ONE(0xfae, "cp.async.ca.shared.global [%sa+#], [%g+16], 16;"),
    ONE(0x9af, "cp.async.commit_group;"),
    SIDED(0x91a, SIDE_DEPBAR, "cp.async.wait_group 0;"),
    ONE_WITH(0x3ca, SIDE_ELECT,
             "clusterlaunchcontrol.try_cancel.async.shared::cta"
             ".mbarrier::complete_tx::bytes.b128 [%sa+#], [%sa+16];"),

    SIDED(0x992, SIDE_MEMBAR, "membar.gl;"),
    SIDED(0x992, SIDE_MEMBAR, "membar.cta;"),
    SIDED(0x992, SIDE_MEMBAR, "fence.proxy.tensormap::generic.release.gpu;"),
    BITS(0x3c6, 0x300, 0, SIDE_MEMBAR, "fence.proxy.async;"),
    BITS(0x3c6, 0x300, 0x100, 0, "fence.proxy.async.global;"),
    BITS(0x3c6, 0x300, 0, SIDE_MEMBAR, "fence.proxy.async.shared::cta;"),
    SILENT(KIND_ORDER, ANYWHERE, "fence.mbarrier_init.release.cluster;"),
    ONE(0x82e, "griddepcontrol.wait;"),
    ONE(0x82d, "griddepcontrol.launch_dependents;"),
    VOTE("vote.sync.ballot.b32 %v$, %p1, -1;"),
    SIDED(0x3c4, SIDE_REDUX, "redux.sync.add.s32 %v$, %u0, -1;"),
    ONE(0x3a1, "match.any.sync.b32 %v$, %u0, -1;"),
    SIDED(0x589, SIDE_SHUFFLE, "shfl.sync.idx.b32 %v$, %w, 0, 31, -1;"),
    SIDED(0x82f, SIDE_ELECT, "elect.sync %v$|%q$, -1;"),
    VOTE("activemask.b32 %v$;"),
    ONE(0x95d, "nanosleep.u32 20;"),
    READS(0x5000, "mov.u32 %v$, %clock;"),
    READS(0x5200, "mov.u64 %l$, %globaltimer;"),
    ONE(0x801, "pmevent 1;"),

    WEAK(0x83b, WHOLE_WARP, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v$}, [%sa+#];"),
    WEAK(0x844, WHOLE_WARP, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%sa+#], {%u0};"),

#include "forms.def"
};

const uint32_t vocabulary_size = sizeof vocabulary / sizeof *vocabulary;

static bool spells(const char *ptx, const char *statement, uint32_t *number)
{
    *number = 0;
    for (; *ptx; ptx++) {
        if (*ptx != '#' && *ptx != '$') {
            if (*ptx != *statement++) return false;
            continue;
        }
        if (!isdigit((unsigned char)*statement)) return false;
        uint32_t value = 0;
        for (; isdigit((unsigned char)*statement); statement++)
            value = value * 10 + (uint32_t)(*statement - '0');
        if (*ptx == '#') *number = value;
    }
    return !*statement;
}

const struct operation *vocabulary_find(const char *statement, uint32_t *number)
{
    for (uint32_t i = 0; i < vocabulary_size; i++)
        if (spells(vocabulary[i].ptx, statement, number)) return &vocabulary[i];
    return NULL;
}

bool operation_has_word(const struct operation *op, uint32_t opcode)
{
    if (!op->word) return false;
    bool by_register = op->offset && (op->word & 0xf00) == 0x900 && opcode == (op->word ^ 0xa00u);
    return opcode == op->word || opcode == op->other[0] || opcode == op->other[1] || by_register;
}

bool vocabulary_clash(const struct operation *a, uint32_t a_number, const struct operation *b,
                      uint32_t b_number)
{
    if ((a->is & b->emits) || (a->emits & b->is)) return true;
    if (!a->word || a->word != b->word) return false;
    if (a->offset && b->offset) return a_number == b_number;
    return !((a->value ^ b->value) & a->mask & b->mask);
}

struct opcode_name operation_name(const struct operation *op)
{
    struct opcode_name name;
    size_t length = strcspn(op->ptx, " ;");
    bool is_ours = !strncmp(op->ptx, "tcgen05.", 8), is_read = !strncmp(op->ptx, "mov.", 4);
    if (is_ours) length = 8 + strcspn(op->ptx + 8, ". ;");
    if (is_read) length = strlen(op->ptx);
    snprintf(name.text, sizeof name.text, "%.*s", (int)length, op->ptx);
    return name;
}

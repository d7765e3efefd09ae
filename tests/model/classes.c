/* Checks the class of each kind of instruction by the removals that the checker allows around it:
 * every instruction below in every context. The verdict on the text must be the verdict of the
 * semantics on the letter. The checker's table is not used. */
#include <string.h>

#include "base/buf.h"
#include "check/model/assume.h"
#include "semantics.h"

/* Not a letter: touches registers only, or memory. */
enum { NEUTRAL_REGISTER = EVENT_COUNT, NEUTRAL_MEMORY };

/* What the instruction receives from another thread, or publishes, in addition to its letter. */
enum { IN = 1, RELAXED_IN = 2, RELAXED_OUT = 4 };

static const struct instruction {
    uint8_t kind, causality;
    const char *text;
} instructions[] = {
    {NEUTRAL_REGISTER, 0, "add.u32 %v60, %v61, 1;"},
    {NEUTRAL_REGISTER, 0, "mov.u32 %v60, %tid.x;"},
    {NEUTRAL_REGISTER, 0, "cvta.to.global.u64 %d1, %d2;"},
    {NEUTRAL_REGISTER, 0, "mapa.shared::cluster.u32 %v60, %v61, 1;"},
    /* Register work in the model; the checker treats it as a memory access. */
    {NEUTRAL_MEMORY, 0, "ld.param.u64 %d1, [p];"},
    {NEUTRAL_MEMORY, 0, "ld.global.u32 %v60, [%d1];"},
    {NEUTRAL_MEMORY, 0, "ld.weak.shared::cta.u32 %v60, [%v61];"},
    {NEUTRAL_MEMORY, 0, "st.global.u32 [%d1], %v60;"},
    {NEUTRAL_MEMORY, 0, "ldu.global.u32 %v60, [%d1];"},
    {NEUTRAL_MEMORY, 0, "ld.global.nc.u32 %v60, [%d1];"},
    {NEUTRAL_MEMORY, 0, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v60}, [%v61];"},
    {NEUTRAL_MEMORY, 0, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%v61], {%v60};"},
    {NEUTRAL_MEMORY, 0, "prefetch.global.L2 [%d1];"},
    {NEUTRAL_MEMORY, 0, "discard.global.L2 [%d1], 128;"},
    {NEUTRAL_MEMORY, 0, "applypriority.global.L2::evict_normal [%d1], 128;"},
    {NEUTRAL_MEMORY, 0, "suld.b.1d.b32.trap {%v60}, [%d1, {%v61}];"},
    {EVENT_RELEASE_BARRIER, 0, "mbarrier.arrive.shared.b64 _, [%v61];"},
    {EVENT_RELEASE_BARRIER, RELAXED_OUT,
     "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%v61];"},
    {EVENT_RELEASE_BARRIER, 0,
     "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%v61], 16;"},
    {EVENT_RELEASE_BARRIER, 0, "mbarrier.arrive.noComplete.shared.b64 %d1, [%v61], 1;"},
    {EVENT_RELEASE_BARRIER, 0, "mbarrier.arrive_drop.shared.b64 _, [%v61];"},
    {EVENT_RELEASE_BARRIER, 0, "bar.arrive 1, 64;"},
    {EVENT_RELEASE_BARRIER, 0, "barrier.arrive 1, 64;"},
    {EVENT_RELEASE_BARRIER, 0, "barrier.cta.arrive.aligned 1, 64;"},
    {EVENT_RELEASE_BARRIER, RELAXED_OUT, "barrier.cluster.arrive.relaxed.aligned;"},
    {EVENT_RELEASE_BARRIER, 0, "barrier.cluster.arrive.release;"},
    {EVENT_RELEASE_MEMORY, 0, "st.release.gpu.global.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "st.relaxed.cluster.shared::cluster.u32 [%v61], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "st.volatile.global.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "st.mmio.relaxed.sys.global.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "red.global.add.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "red.relaxed.gpu.global.add.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, 0, "red.release.sys.global.add.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "multimem.red.relaxed.gpu.global.add.f32 [%d1], %f1;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT,
     "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%v61], %v60, [%v62];"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "st.async.release.sys.global.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "st.async.mmio.release.sys.global.u32 [%d1], %v60;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT,
     "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
     ".add.u32 [%v61], %v60, [%v62];"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "cp.async.ca.shared.global [%v61], [%d1], 16;"},
    {EVENT_RELEASE_MEMORY, 0, "cp.async.commit_group;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "cp.async.mbarrier.arrive.noinc.shared.b64 [%v61];"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT,
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
     " [%v61], [%d1], 16, [%v62];"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT,
     "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%v61], 16;"},
    {EVENT_RELEASE_MEMORY, 0, "cp.async.bulk.commit_group;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, "cp.async.bulk.prefetch.L2.global [%d1], 16;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT,
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%v61], 16;"},
    {EVENT_ACQUIRE_BARRIER, IN, "mbarrier.test_wait.shared.b64 %q, [%v61], %d1;"},
    {EVENT_ACQUIRE_BARRIER, RELAXED_IN,
     "mbarrier.test_wait.parity.relaxed.cluster.shared.b64 %q, [%v61], %v60;"},
    {EVENT_ACQUIRE_BARRIER, IN, "mbarrier.try_wait.parity.shared.b64 %q, [%v61], %v60;"},
    {EVENT_ACQUIRE_BARRIER, RELAXED_IN, "mbarrier.pending_count.b64 %v60, %d1;"},
    {EVENT_ACQUIRE_BARRIER, IN, "barrier.cluster.wait.acquire.aligned;"},
    {EVENT_ACQUIRE_BARRIER, IN, "barrier.cluster.wait;"},
    {EVENT_ACQUIRE_MEMORY, IN, "ld.acquire.gpu.global.u32 %v60, [%d1];"},
    {EVENT_ACQUIRE_MEMORY, RELAXED_IN, "ld.relaxed.gpu.global.u32 %v60, [%d1];"},
    {EVENT_ACQUIRE_MEMORY, RELAXED_IN, "ld.volatile.shared.u32 %v60, [%v61];"},
    {EVENT_ACQUIRE_MEMORY, RELAXED_IN, "ld.mmio.relaxed.sys.global.u32 %v60, [%d1];"},
    {EVENT_ACQUIRE_MEMORY, IN, "griddepcontrol.wait;"},
    {EVENT_ACQUIRE_MEMORY, 0, "cp.async.wait_group 0;"},
    {EVENT_ACQUIRE_MEMORY, 0, "cp.async.wait_all;"},
    {EVENT_ACQUIRE_MEMORY, 0, "cp.async.bulk.wait_group 0;"},
    {EVENT_ACQUIRE_MEMORY, 0, "cp.async.bulk.wait_group.read 0;"},
    {EVENT_BOTH_BARRIER, IN, "bar.sync 0;"},
    {EVENT_BOTH_BARRIER, IN, "bar.red.popc.u32 %v60, 0, %q;"},
    {EVENT_BOTH_BARRIER, IN, "barrier.sync 0;"},
    {EVENT_BOTH_BARRIER, IN, "barrier.red.or.pred %q, 0, %q;"},
    {EVENT_BOTH_BARRIER, IN, "bar.warp.sync -1;"},
    {EVENT_BOTH_BARRIER, 0, "mbarrier.init.shared.b64 [%v61], 1;"},
    {EVENT_BOTH_BARRIER, 0, "mbarrier.inval.shared.b64 [%v61];"},
    {EVENT_BOTH_BARRIER, 0, "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%v61], 16;"},
    {EVENT_BOTH_BARRIER, RELAXED_OUT,
     "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%v61], 16;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "atom.global.add.u32 %v60, [%d1], 1;"},
    {EVENT_BOTH_MEMORY, IN | RELAXED_OUT, "atom.acquire.gpu.global.add.u32 %v60, [%d1], 1;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN, "atom.release.gpu.global.add.u32 %v60, [%d1], 1;"},
    {EVENT_BOTH_MEMORY, IN, "atom.acq_rel.gpu.global.add.u32 %v60, [%d1], 1;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT,
     "atom.relaxed.gpu.global.add.u32 %v60, [%d1], 1;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT,
     "multimem.ld_reduce.relaxed.gpu.global.add.f32 %f1, [%d1];"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "multimem.st.relaxed.gpu.global.f32 [%d1], %f1;"},
    {EVENT_BOTH_MEMORY, 0, "fence.acq_rel.gpu;"},
    {EVENT_BOTH_MEMORY, 0, "fence.sc.sys;"},
    {EVENT_BOTH_MEMORY, 0, "fence.proxy.async;"},
    {EVENT_BOTH_MEMORY, 0, "fence.proxy.async.global;"},
    {EVENT_BOTH_MEMORY, 0, "fence.proxy.async.shared::cta;"},
    {EVENT_BOTH_MEMORY, 0, "fence.proxy.alias;"},
    {EVENT_BOTH_MEMORY, 0, "fence.proxy.tensormap::generic.release.gpu;"},
    {EVENT_BOTH_MEMORY, 0, "fence.mbarrier_init.release.cluster;"},
    {EVENT_BOTH_MEMORY, 0, "membar.gl;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "shfl.sync.up.b32 %v60, %v61, 1, 0, -1;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "vote.sync.ballot.b32 %v60, %q, -1;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "match.any.sync.b32 %v60, %v61, -1;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "redux.sync.add.s32 %v60, %v61, -1;"},
    {EVENT_BOTH_MEMORY, 0, "elect.sync _|%q, -1;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT,
     "movmatrix.sync.aligned.m8n8.trans.b16 %v60, %v61;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "activemask.b32 %v60;"},
    {EVENT_BOTH_MEMORY, 0, "setmaxnreg.inc.sync.aligned.u32 232;"},
    {EVENT_BOTH_MEMORY, 0, "nanosleep.u32 20;"},
    {EVENT_BOTH_MEMORY, RELAXED_OUT, "griddepcontrol.launch_dependents;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT,
     "clusterlaunchcontrol.try_cancel.async.shared::cta"
     ".mbarrier::complete_tx::bytes.b128 [%v61], [%v62];"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT,
     "tensormap.replace.tile.global_address.global.b1024.b64 [%d1], %d2;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "sust.b.1d.b32.trap [%d1, {%v61}], {%v60};"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "sured.b.add.1d.u32.trap [%d1, {%v61}], %v60;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "st.bulk.weak.shared::cta [%v61], 16, 0;"},
    {EVENT_BOTH_MEMORY, 0, "mov.u32 %v60, %clock;"},
    {EVENT_BOTH_MEMORY, 0, "mov.u32 %v60, %clock_hi;"},
    {EVENT_BOTH_MEMORY, 0, "mov.u64 %d1, %clock64;"},
    {EVENT_BOTH_MEMORY, 0, "mov.u64 %d1, %globaltimer;"},
    {EVENT_BOTH_MEMORY, 0, "pmevent 1;"},
    {EVENT_BOTH_MEMORY, 0, "brkpt;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, "somefutureop.b32 %v60, %v61;"},
    {EVENT_ALLOC, 0, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%v61], 32;"},
    {EVENT_ALLOC, 0, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32;"},
    {EVENT_ALLOC, 0, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"},
    {EVENT_CALL, 0, "call f;"},
    {EVENT_EXIT, 0, "exit;"},
    {EVENT_EXIT, 0, "trap;"},
    {EVENT_EXIT, 0, "ret;"},
};

enum { INSTRUCTIONS = sizeof instructions / sizeof *instructions };

/* X is the instruction; letters and '-' as in events.c. Every context ends with instructions that
 * complete and publish everything, so the end of the kernel hides nothing that X may miss. */
static const char *const contexts[] = {
    "M-bX",    "c-bX",   "M-bCX",  "M-bCbCX", "c-bC-bX", "qaM-bCX", "qa-bCX", "lLM-bCX", "M-bXCr",
    "l-bX",    "lL-bX",  "s-SX",   "l-LX",    "l-LbX",   "s-SbX",   "qa-bX",  "q-abX",   "q-aX",
    "X-as",    "X-al",   "X-aM",   "X-aC",    "X-abr",   "Xa-br",   "Xa-bX",  "X-bX",    "X-br",
    "l-bXbr",  "lbX-br", "q-aXas", "qa-aXs",  "qaX-as",  "lL-LX",   "lLX-Lr", "sSX-SX",  "lLX-LC",
    "Ma-bCX",  "l-bMX",  "cX-bCX", "Mb-aXM",  "M-aXM",   "q-bX",    "X-bR",   "q-bXbr",  "XM-bCr",
    "XaM-bCr", "qM-bCX", "Xb-bR",  "X-bbR",
};

enum { CONTEXTS = sizeof contexts / sizeof *contexts, EVENTS_MAX = 24 };

static const char tail[] = "LSbe";

static const char *const words[][2] = {
    {"l", "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%v%u}, [%%t];"},
    {"s", "tcgen05.st.sync.aligned.32x32b.x1.b32 [%%t], {%%v%u};"},
    {"M", "tcgen05.mma.cta_group::1.kind::f16 [%%t], %%s, %%s, %%i, %%p;"},
    {"c", "tcgen05.cp.cta_group::1.128x256b [%%t], %%s;"},
    {"L", "tcgen05.wait::ld.sync.aligned;"},
    {"S", "tcgen05.wait::st.sync.aligned;"},
    {"b", "tcgen05.fence::before_thread_sync;"},
    {"a", "tcgen05.fence::after_thread_sync;"},
    {"C", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%%s];"},
    {"r", "mbarrier.arrive.b64 _, [%%s];"},
    {"R", "mbarrier.arrive.relaxed.cta.b64 _, [%%s];"},
    {"q", "mbarrier.try_wait.b64 %%q, [%%s], %%s;"},
    {"e", "ret;"},
};

static const uint8_t letters[] = {EVENT_LD,
                                  EVENT_ST,
                                  EVENT_PIPE,
                                  EVENT_PIPE,
                                  EVENT_WAIT_LD,
                                  EVENT_WAIT_ST,
                                  EVENT_BEFORE,
                                  EVENT_AFTER,
                                  EVENT_COMMIT,
                                  EVENT_RELEASE_BARRIER,
                                  EVENT_RELEASE_BARRIER,
                                  EVENT_ACQUIRE_BARRIER,
                                  EVENT_EXIT};

static uint32_t word_of(char letter)
{
    uint32_t i = 0;
    while (words[i][0][0] != letter) i++;
    return i;
}

/* A context and its tail, with an instruction at its place, as events. */
struct built {
    struct monitor_graph graph;
    struct flow_block block;
    struct monitor_event events[EVENTS_MAX];
};

static void add_beside(struct built *b, uint8_t kind)
{
    b->events[b->block.end++] = (struct monitor_event){.kind = kind, .detail = MONITOR_NONE};
}

static uint8_t causality_of(char c, const struct instruction *hole)
{
    if (c == 'X') return hole->causality;
    return c == 'q' ? IN : c == 'R' ? RELAXED_OUT : 0;
}

static void build_letter(struct built *b, char c, bool deleted, const struct instruction *hole)
{
    struct monitor_event event = {.deleted = deleted, .detail = MONITOR_NONE};
    uint8_t causality = causality_of(c, hole);
    event.kind = c == 'X' ? hole->kind : letters[word_of(c)];
    event.guarded = c == 'X' && hole->kind == EVENT_EXIT;
    if (event.kind >= EVENT_COUNT) return;
    if (event.kind == EVENT_PIPE) event.detail = c == 'c';
    bool barrier = event.kind == EVENT_RELEASE_BARRIER || event.kind == EVENT_BOTH_BARRIER;
    if (causality & RELAXED_OUT)
        add_beside(b, barrier ? EVENT_RELAXED_RELEASE_BARRIER : EVENT_RELAXED_RELEASE_MEMORY);
    b->events[b->block.end++] = event;
    if (causality & IN) add_beside(b, EVENT_RECEIPT);
    if (causality & RELAXED_IN) add_beside(b, EVENT_RELAXED_RECEIPT);
}

static void build(struct built *b, const char *context, const struct instruction *hole)
{
    static const uint32_t numbers[] = {0, 1};
    static const struct monitor_class classes[] = {{numbers, 1, numbers},
                                                   {numbers + 1, 1, numbers + 1}};
    *b = (struct built){.block = {0, 0, 0, 0}};
    for (const char *part = context, *at = part; at; at = part == context ? (part = tail) : NULL)
        for (; *at; at++)
            if (*at != '-') build_letter(b, *at, at > part && at[-1] == '-', hole);
    b->graph = (struct monitor_graph){.events = b->events,
                                      .blocks = &b->block,
                                      .block_count = 1,
                                      .event_count = b->block.end,
                                      .is_entry = true,
                                      .pipes = {classes, 2, test_pairs}};
}

/* This test is not about what ptxas holds back. */
static const struct check_options options = {.assume = CHECK_PTXAS_FOLLOWS_ISA};

static bool is_legal(const char *context, const struct instruction *hole)
{
    struct built built;
    bool complete;
    build(&built, context, hole);
    return paths_legal(&built.graph, 1, UINT64_MAX, &complete);
}

static void print_letters(struct buf *out, const char *at, const struct instruction *hole,
                          bool after)
{
    for (uint32_t number = 0; *at; at++, number++) {
        bool deleted = *at == '-';
        at += deleted;
        if (deleted && after)
            buf_putc(out, '\n');
        else if (*at == 'X')
            buf_printf(out, "%s%s\n", hole->kind == EVENT_EXIT ? "@%q " : "", hole->text);
        else {
            buf_printf(out, words[word_of(*at)][1], number);
            buf_putc(out, '\n');
        }
    }
}

static void print_kernels(struct buf *out, const struct instruction *hole, bool after)
{
    buf_puts(out, ".version 9.0\n.target sm_100a\n.address_size 64\n.extern .func f();\n");
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        buf_printf(out, ".visible .entry k%u(.param .u64 p)\n{\n.reg .b32 %%v<70>, %%t, %%i;\n", c);
        buf_puts(out, ".reg .b64 %s, %d<3>;\n.reg .f32 %f<3>;\n.reg .pred %p, %q;\n");
        print_letters(out, contexts[c], hole, after);
        print_letters(out, tail, hole, after);
        buf_puts(out, "}\n");
    }
}

/* Prints a context for which the two verdicts differ. */
static bool judges_alike(const struct instruction *hole, const char *context, bool proven,
                         const char *message)
{
    bool legal = is_legal(context, hole);
    if (proven == legal) return true;
    printf("# in %s: the checker %s%s, %s sees less\n", context,
           proven ? "allows" : "refuses: ", message, legal ? "nobody" : "somebody");
    return false;
}

static bool try_instruction(const struct instruction *hole)
{
    struct buf before = {0}, after = {0};
    struct arena arena = {0};
    struct check_result result;
    print_kernels(&before, hole, false);
    print_kernels(&after, hole, true);
    check_run(&options, (struct str){before.data, before.len}, (struct str){after.data, after.len},
              &arena, &result);
    bool fine = result.function_count == CONTEXTS;
    if (!fine) printf("# %s\n", result.message);
    for (uint32_t c = 0; c < result.function_count && c < CONTEXTS; c++)
        fine &= judges_alike(hole, contexts[c], result.functions[c].verdict == CHECK_PROVEN,
                             result.functions[c].message);
    arena_free(&arena);
    buf_free(&before);
    buf_free(&after);
    return fine;
}

/* Between two proxy fences of which one is removed, only instructions are allowed that touch no
 * memory of the fences and receive no access of another thread. */
static bool try_proxies(const struct instruction *between)
{
    struct buf text[2] = {{0}, {0}};
    struct arena arena = {0};
    struct check_result result;
    for (int after = 0; after < 2; after++) {
        buf_puts(&text[after], ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k("
                               ".param .u64 p)\n{\n.reg .b32 %v<70>;\n.reg .b64 %d<3>;\n"
                               ".reg .f32 %f<3>;\n.reg .pred %q;\nfence.proxy.async;\n");
        buf_printf(&text[after], "%s%s\n%s\nret;\n}\n", between->kind == EVENT_EXIT ? "@%q " : "",
                   between->text, after ? "" : "fence.proxy.async;");
    }
    check_run(&options, (struct str){text[0].data, text[0].len},
              (struct str){text[1].data, text[1].len}, &arena, &result);
    bool proven = result.verdict == CHECK_PROVEN;
    bool wanted = between->kind == NEUTRAL_REGISTER ||
                  strstr(between->text, "fence.proxy.async;") ||
                  strstr(between->text, "ld.param") || strstr(between->text, "elect.sync");
    if (proven != wanted)
        printf("# between two proxy fences: %s\n", proven ? "proven" : result.message);
    arena_free(&arena);
    buf_free(&text[0]);
    buf_free(&text[1]);
    return proven == wanted;
}

int main(void)
{
    bool all = true;
    printf("1..%d\n", INSTRUCTIONS);
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        bool fine = try_instruction(&instructions[i]);
        fine &= try_proxies(&instructions[i]);
        printf("%s %u - %s\n", fine ? "ok" : "not ok", i + 1, instructions[i].text);
        all &= fine;
    }
    return !all;
}

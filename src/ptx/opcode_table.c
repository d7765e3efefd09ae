/* The rows of the opcode effects table (see opcode.h), sorted by base opcode. Among rows with the
 * same base, the first one that fits is used, so narrow rows come before wide ones.
 *
 * Instructions that only use registers have ANY, because no modifier of arithmetic can order
 * memory. Instructions that access memory or synchronise list their modifiers, so that a new
 * modifier of a later ISA makes them unknown, never neutral, and never a barrier, for which a
 * commit's fence would count. Where the ISA is ambiguous (collectives, cp.async, pmevent), the
 * class is the stronger one. */
#include "ptx/opcode.h"

#define ANY NULL
#define TYPES                                                                                      \
    " .b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f16 .f16x2"                  \
    " .bf16 .bf16x2 .f32 .f64 .pred"
#define PLACES                                                                                     \
    " .global .local .shared .shared::cta .shared::cluster .param .param::entry"                   \
    " .param::func .const .const[* .ca .cg .cs .lu .cv .wb .wt .nc .L1::* .L2::*"                  \
    " .level::* .v2 .v4 .v8 .unified"
#define PLAIN TYPES PLACES
#define WEAK PLAIN " .weak"
#define STRONG PLAIN " .cta .cluster .gpu .sys .mmio"
#define MBARRIER                                                                                   \
    " .cta .cluster .gpu .sys .release .acquire .relaxed .noComplete .shared"                      \
    " .shared::cta .shared::cluster .b64 .expect_tx"
#define MEETING " .cta .sync .aligned"
#define REDUCING " .cta .aligned .popc .and .or .u32 .pred"
#define MATRICES                                                                                   \
    " .aligned .m8n8 .m16n8 .m16n16 .m8n16 .x1 .x2 .x4 .trans .shared .shared::cta .b16 .b8"       \
    " .b8x16 .b6x16_p32 .b4x16_p64"
#define GROUP " .cta_group::1 .cta_group::2"
#define SHAPES                                                                                     \
    " .sync .aligned .16x64b .16x128b .16x256b .32x32b .16x32bx2 .x1 .x2 .x4 .x8 .x16"             \
    " .x32 .x64 .x128 .b32"
#define REDUCED SHAPES " .pack::16b .min .max .abs .NaN .u32 .s32 .f32"
#define COPIED                                                                                     \
    GROUP " .128x256b .4x256b .128x128b .64x128b .32x128b .warpx2::02_13 .warpx2::01_23 .warpx4"   \
          " .b8x16 .b6x16_p32 .b4x16_p64"
#define MULTIPLIED                                                                                 \
    GROUP " .sp .kind::* .block_scale .scale_vec::* .block16 .block32 .ashift .collector::*"
#define COMMITTED GROUP " .mbarrier::arrive::one .shared::cluster .multicast::cluster .b64"

/* clang-format off */
#define O(name, effect, writes, trait, section, allowed)                                           \
    {name, EFFECT_##effect, writes, OPCODE_##trait, section, allowed},

static const struct opcode ROWS[] = {
    /* name and what singles it out          effect           w  trait         section         other modifiers */
    O("abs",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("activemask",                          BOTH_MEMORY,     1, ASIDE,        "9.7",          ANY)
    O("add",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("addc",                                REGISTER,        1, NONE,         "9.7.2",        ANY)
    O("alloca",                              MEMORY,          1, NONE,         "9.7",          ANY)
    O("and",                                 REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("applypriority",                       MEMORY,          0, NONE,         "9.7.9.17",     ANY)
    O("atom .acq_rel",                       BOTH_MEMORY,     1, CAUSAL,       "9.7.13.6",     ANY)
    O("atom .acquire",                       BOTH_MEMORY,     1, CAUSAL_IN,    "9.7.13.6",     ANY)
    O("atom .release",                       BOTH_MEMORY,     1, CAUSAL_OUT,   "9.7.13.6",     ANY)
    O("atom",                                BOTH_MEMORY,     1, NONE,         "9.7.13.6",     ANY)
    O("bar .arrive",                         RELEASE_BARRIER, 0, CAUSAL,       "9.7.13.1",     ".cta")
    O("bar .red",                            BOTH_BARRIER,    1, CAUSAL,       "9.7.13.1",     REDUCING)
    O("bar",                                 BOTH_BARRIER,    0, CAUSAL,       "9.7.13.1",     MEETING " .warp")
    O("barrier .cluster .arrive .relaxed",   RELEASE_BARRIER, 0, NONE,         "9.7.13.4",     ".aligned")
    O("barrier .cluster .arrive",            RELEASE_BARRIER, 0, CAUSAL,       "9.7.13.4",     ".release .aligned")
    O("barrier .cluster .wait",              ACQUIRE_BARRIER, 0, CAUSAL,       "9.7.13.4",     ".acquire .aligned")
    O("barrier .arrive",                     RELEASE_BARRIER, 0, CAUSAL,       "9.7.13.1",     ".cta .aligned")
    O("barrier .red",                        BOTH_BARRIER,    1, CAUSAL,       "9.7.13.1",     REDUCING)
    O("barrier",                             BOTH_BARRIER,    0, CAUSAL,       "9.7.13.1",     MEETING)
    O("bfe",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("bfi",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("bfind",                               REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("bmsk",                                REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("bra",                                 REGISTER,        0, BRANCH,       "9.7.12",       ANY)
    O("brev",                                REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("brkpt",                               BOTH_MEMORY,     0, SILENT,       "9.7.19.1",     "")
    O("brx",                                 REGISTER,        0, TABLE_BRANCH, "9.7.12",       ANY)
    O("call",                                CALL,            0, EARLY,        "9.7.12.5",     ANY)
    O("clmad",                               REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("clusterlaunchcontrol .query_cancel",  BOTH_MEMORY,     1, ASIDE,        "9.7.13.16",    ANY)
    O("clusterlaunchcontrol",                BOTH_MEMORY,     1, NONE,         "9.7.13.16",    ANY)
    O("clz",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("cnot",                                REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("copysign",                            REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("cos",                                 REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("cp .async .bulk .commit_group",       BOTH_MEMORY,     0, SILENT_EARLY, "9.7.9.25.3.1", "")
    O("cp .async .bulk .wait_group",         ACQUIRE_MEMORY,  0, SILENT_EARLY, "9.7.9.25.3.2", ".read")
    O("cp .async .bulk",                     RELEASE_MEMORY,  0, NONE,         "9.7.9.25",     ANY)
    O("cp .async .commit_group",             BOTH_MEMORY,     0, SILENT_EARLY, "9.7.9.25.2",   "")
    O("cp .async .wait_group",               ACQUIRE_MEMORY,  0, SILENT_EARLY, "9.7.9.25.2",   "")
    O("cp .async .wait_all",                 ACQUIRE_MEMORY,  0, SILENT_EARLY, "9.7.9.25.2",   "")
    O("cp .async .mbarrier",                 RELEASE_MEMORY,  0, NONE,         "9.7.13.15.16", ANY)
    O("cp .async",                           RELEASE_MEMORY,  0, NONE,         "9.7.9.25.2",   ANY)
    O("cp",                                  BOTH_MEMORY,     0, NONE,         "9.7.9.25",     ANY)
    O("createpolicy",                        REGISTER,        1, NONE,         "9.7",          ANY)
    O("cvt",                                 REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("cvta",                                REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("discard",                             MEMORY,          0, NONE,         "9.7.9.18",     ANY)
    O("div",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("dp2a",                                REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("dp4a",                                REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("elect .sync",                         BOTH_MEMORY,     1, ELECTION,     "9.7.13.15",    "")
    O("ex2",                                 REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("exit",                                EXIT,            0, NONE,         "9.7.12.7",     ANY)
    O("fence .mbarrier_init",                BOTH_MEMORY,     0, SET_UP_ASIDE, "9.7.13.5",     ".release .cluster")
    O("fence .proxy .async .global",         BOTH_MEMORY,     0, SILENT_EARLY, "9.7.13.5",     ANY)
    O("fence",                               BOTH_MEMORY,     0, SILENT_ASIDE, "9.7.13.5",     ANY)
    O("fma",                                 REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("fns",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("getctarank",                          REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("griddepcontrol .launch_dependents",   BOTH_MEMORY,     0, BLIND,        "9.7.13.13",    "")
    O("griddepcontrol .wait",                ACQUIRE_MEMORY,  0, CAUSAL,       "9.7.13.13",    "")
    O("isspacep",                            REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("istypep",                             REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("ld .param",                           REGISTER,        1, NONE,         "9.7.9.8",      WEAK)
    O("ld .param::entry",                    REGISTER,        1, NONE,         "9.7.9.8",      WEAK)
    O("ld .param::func",                     REGISTER,        1, NONE,         "9.7.9.8",      WEAK)
    O("ld .const",                           REGISTER,        1, NONE,         "9.7.9.8",      WEAK)
    O("ld .volatile",                        ACQUIRE_MEMORY,  1, NONE,         "9.7.9.8",      PLAIN)
    O("ld .relaxed",                         ACQUIRE_MEMORY,  1, NONE,         "9.7.9.8",      STRONG)
    O("ld .acquire",                         ACQUIRE_MEMORY,  1, CAUSAL,       "9.7.9.8",      STRONG)
    O("ld",                                  MEMORY,          1, NONE,         "9.7.9.8",      WEAK)
    O("ldmatrix .sync",                      MEET_MEMORY,     1, NONE,         "9.7.14",       MATRICES)
    O("ldmatrix",                            BOTH_MEMORY,     1, NONE,         "9.7.14",       ANY)
    O("ldu",                                 MEMORY,          1, NONE,         "9.7.9.10",     PLAIN)
    O("lg2",                                 REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("lop3",                                REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("mad",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("mad24",                               REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("madc",                                REGISTER,        1, NONE,         "9.7.2",        ANY)
    O("mapa",                                REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("match",                               BOTH_MEMORY,     1, ASIDE,        "9.7.13.10",    ANY)
    O("max",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("mbarrier .arrive .relaxed",           RELEASE_BARRIER, 1, NONE,         "9.7.13.15.13", MBARRIER)
    O("mbarrier .arrive",                    RELEASE_BARRIER, 1, CAUSAL,       "9.7.13.15.13", MBARRIER)
    O("mbarrier .arrive_drop .relaxed",      RELEASE_BARRIER, 1, NONE,         "9.7.13.15.14", MBARRIER)
    O("mbarrier .arrive_drop",               RELEASE_BARRIER, 1, CAUSAL,       "9.7.13.15.14", MBARRIER)
    O("mbarrier .test_wait .relaxed",        ACQUIRE_BARRIER, 1, NONE,         "9.7.13.15.16", MBARRIER " .parity")
    O("mbarrier .test_wait",                 ACQUIRE_BARRIER, 1, CAUSAL,       "9.7.13.15.16", MBARRIER " .parity")
    O("mbarrier .try_wait .relaxed",         ACQUIRE_BARRIER, 1, NONE,         "9.7.13.15.16", MBARRIER " .parity")
    O("mbarrier .try_wait",                  ACQUIRE_BARRIER, 1, CAUSAL,       "9.7.13.15.16", MBARRIER " .parity")
    O("mbarrier .pending_count",             ACQUIRE_BARRIER, 1, TOUCHES_NOTHING, "9.7.13.15.17", ".b64")
    O("mbarrier .init",                      BOTH_BARRIER,    0, SET_UP,       "9.7.13.15.9",  MBARRIER)
    O("mbarrier .inval",                     BOTH_BARRIER,    0, SILENT,       "9.7.13.15.10", MBARRIER)
    O("mbarrier .expect_tx",                 BOTH_BARRIER,    0, SILENT,       "9.7.13.15.11", MBARRIER)
    O("mbarrier .complete_tx",               BOTH_BARRIER,    0, BLIND,        "9.7.13.15.12", MBARRIER)
    O("membar",                              BOTH_MEMORY,     0, SILENT_ASIDE, "9.7.13.5",     ANY)
    O("min",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("mma",                                 BOTH_MEMORY,     1, NONE,         "9.7.14",       ANY)
    O("mov",                                 REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("movmatrix",                           BOTH_MEMORY,     1, NONE,         "9.7.14",       ANY)
    O("mul",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("mul24",                               REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("multimem .ld_reduce",                 BOTH_MEMORY,     1, EARLY,        "9.7.9.15",     ANY)
    O("multimem .red",                       RELEASE_MEMORY,  0, NONE,         "9.7.9.15",     ANY)
    O("multimem",                            BOTH_MEMORY,     1, NONE,         "9.7.9.15",     ANY)
    O("nanosleep",                           BOTH_MEMORY,     0, SILENT_ASIDE, "9.7.19.2",     ANY)
    O("neg",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("not",                                 REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("or",                                  REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("pmevent",                             BOTH_MEMORY,     0, SILENT_ASIDE, "9.7.19.3",     ANY)
    O("popc",                                REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("prefetch",                            MEMORY,          0, NONE,         "9.7.9.16",     ANY)
    O("prefetchu",                           MEMORY,          0, NONE,         "9.7.9.16",     ANY)
    O("prmt",                                REGISTER,        1, NONE,         "9.7.9",        ANY)
    O("rcp",                                 REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("red .async",                          RELEASE_MEMORY,  0, NONE,         "9.7.13.7",     ANY)
    O("red .release",                        RELEASE_MEMORY,  0, CAUSAL,       "9.7.13.7",     ANY)
    O("red",                                 RELEASE_MEMORY,  0, NONE,         "9.7.13.7",     ANY)
    O("redux",                               BOTH_MEMORY,     1, ASIDE,        "9.7.13.12",    ANY)
    O("rem",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("ret",                                 EXIT,            0, NONE,         "9.7.12.6",     ANY)
    O("rsqrt",                               REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("sad",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("selp",                                REGISTER,        1, NONE,         "9.7.6",        ANY)
    O("set",                                 REGISTER,        1, NONE,         "9.7.6",        ANY)
    O("setmaxnreg",                          BOTH_MEMORY,     0, SILENT_ASIDE, "9.7.19.5",     ANY)
    O("setp",                                REGISTER,        1, COMPARE,      "9.7.6",        ANY)
    O("shf",                                 REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("shfl",                                BOTH_MEMORY,     1, ASIDE,        "9.7.9.6",      ANY)
    O("shl",                                 REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("shr",                                 REGISTER,        1, NONE,         "9.7.8",        ANY)
    O("sin",                                 REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("slct",                                REGISTER,        1, NONE,         "9.7.6",        ANY)
    O("sqrt",                                REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("st .param",                           REGISTER,        0, NONE,         "9.7.9.11",     WEAK)
    O("st .param::func",                     REGISTER,        0, NONE,         "9.7.9.11",     WEAK)
    O("st .async",                           RELEASE_MEMORY,  0, NONE,         "9.7.9.12",     ANY)
    O("st .bulk",                            BOTH_MEMORY,     0, NONE,         "9.7.9.13",     ANY)
    O("st .volatile",                        RELEASE_MEMORY,  0, STORES,       "9.7.9.11",     STRONG)
    O("st .relaxed",                         RELEASE_MEMORY,  0, STORES,       "9.7.9.11",     STRONG)
    O("st .release",                         RELEASE_MEMORY,  0, CAUSAL_STORES, "9.7.9.11",     STRONG)
    O("st",                                  MEMORY,          0, STORES,       "9.7.9.11",     WEAK)
    O("stackrestore",                        BOTH_MEMORY,     0, NONE,         "9.7.17.1",     ANY)
    O("stacksave",                           BOTH_MEMORY,     1, NONE,         "9.7",          ANY)
    O("stmatrix .sync",                      MEET_MEMORY,     0, STORES,       "9.7.14",       MATRICES)
    O("stmatrix",                            BOTH_MEMORY,     0, STORES,       "9.7.14",       ANY)
    O("sub",                                 REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("subc",                                REGISTER,        1, NONE,         "9.7.2",        ANY)
    O("suld",                                MEMORY,          1, NONE,         "9.7.10",       ANY)
    O("suq",                                 MEMORY,          1, NONE,         "9.7.10",       ANY)
    O("sured",                               BOTH_MEMORY,     0, EARLY,        "9.7.11.3",     ANY)
    O("sust",                                BOTH_MEMORY,     0, EARLY,        "9.7.11.2",     ANY)
    O("szext",                               REGISTER,        1, NONE,         "9.7.1",        ANY)
    O("tanh",                                REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("tcgen05 .alloc",                      ALLOC,           0, TCGEN05,      "9.7.16.7.1",   GROUP " .sync .aligned .shared::cta .b32")
    O("tcgen05 .dealloc",                    ALLOC,           0, TCGEN05,      "9.7.16.7.1",   GROUP " .sync .aligned .b32")
    O("tcgen05 .relinquish_alloc_permit",    ALLOC,           0, TCGEN05,      "9.7.16.7.1",   GROUP " .sync .aligned")
    O("tcgen05 .ld .red",                    ASYNC_LD,        2, TCGEN05,      "9.7.16.8.3",   REDUCED)
    O("tcgen05 .ld",                         ASYNC_LD,        1, TCGEN05,      "9.7.16.8.3",   SHAPES " .pack::16b")
    O("tcgen05 .st",                         ASYNC_ST,        0, TCGEN05_STORES,    "9.7.16.8.4",   SHAPES " .unpack::16b")
    O("tcgen05 .wait::ld .sync .aligned",    WAIT_LD,         0, TCGEN05,      "9.7.16.8.5",   "")
    O("tcgen05 .wait::st .sync .aligned",    WAIT_ST,         0, TCGEN05,      "9.7.16.8.5",   "")
    O("tcgen05 .cp",                         ASYNC_CP,        0, TCGEN05,      "9.7.16.9.1",   COPIED)
    O("tcgen05 .shift",                      ASYNC_SHIFT,     0, TCGEN05,      "9.7.16.9.2",   GROUP " .down")
    O("tcgen05 .mma .ws",                    ASYNC_MMA,       0, UNPAIRED,     "9.7.16.10.9",  MULTIPLIED)
    O("tcgen05 .mma",                        ASYNC_MMA,       0, TCGEN05,      "9.7.16.10.9",  MULTIPLIED)
    O("tcgen05 .commit",                     COMMIT,          0, TCGEN05,      "9.7.16.12.1",  COMMITTED)
    O("tcgen05 .fence::before_thread_sync",  FENCE_BEFORE,    0, TCGEN05,      "9.7.16.11.1",  "")
    O("tcgen05 .fence::after_thread_sync",   FENCE_AFTER,     0, TCGEN05,      "9.7.16.11.1",  "")
    O("tensormap",                           BOTH_MEMORY,     0, NONE,         "9.7.9.27",     ANY)
    O("testp",                               REGISTER,        1, NONE,         "9.7.3",        ANY)
    O("tex",                                 MEMORY,          1, NONE,         "9.7.10",       ANY)
    O("tld4",                                MEMORY,          1, NONE,         "9.7.10",       ANY)
    O("trap",                                EXIT,            0, NONE,         "9.7.19.4",     ANY)
    O("txq",                                 MEMORY,          1, NONE,         "9.7.10",       ANY)
    O("vabsdiff",                            REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vabsdiff2",                           REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vabsdiff4",                           REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vadd",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vadd2",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vadd4",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vavrg2",                              REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vavrg4",                              REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vmad",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vmax",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vmax2",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vmax4",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vmin",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vmin2",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vmin4",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vote",                                BOTH_MEMORY,     1, ASIDE,        "9.7.13.9",     ANY)
    O("vset",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vset2",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vset4",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vshl",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vshr",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vsub",                                REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vsub2",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("vsub4",                               REGISTER,        1, NONE,         "9.7.18",       ANY)
    O("wgmma",                               BOTH_MEMORY,     1, NONE,         "9.7.14",       ANY)
    O("wmma",                                BOTH_MEMORY,     1, NONE,         "9.7.14",       ANY)
    O("xor",                                 REGISTER,        1, NONE,         "9.7.8",        ANY)
};
/* clang-format on */
#undef O

const struct opcode *opcode_rows(uint32_t *count)
{
    *count = sizeof ROWS / sizeof *ROWS;
    return ROWS;
}

/* The opcodes of PTX ISA chapter 9 (up to 9.4) and their effect classes. See effect.h.
 *
 * Rows are sorted by opcode; an opcode whose modifiers matter has a refinement below the table.
 * Where the ISA leaves room, a row says the stronger thing: BOTH_MEMORY can only refuse. */
#include "check/effect.h"

struct effect_row {
    const char *head;
    uint8_t effect, flags;
};

enum {
    PURE = EFFECT_PURE,
    NORES = EFFECT_NO_RESULT,
    ALL = EFFECT_ALL_RESULTS,
    FORMS = 1 << 7, /* modifiers decide: see forms below; not shown to callers */
};

/* strcmp order. */
static const struct effect_row rows[] = {
    {"abs", EFFECT_NEUTRAL, PURE},
    {"activemask", EFFECT_BOTH_MEMORY, 0},
    {"add", EFFECT_NEUTRAL, PURE},
    {"addc", EFFECT_NEUTRAL, PURE},
    {"alloca", EFFECT_NEUTRAL, 0},
    {"and", EFFECT_NEUTRAL, PURE},
    {"applypriority", EFFECT_NEUTRAL, NORES},
    {"atom", EFFECT_BOTH_MEMORY, 0},
    {"bar", EFFECT_BOTH_MEMORY, FORMS},
    {"barrier", EFFECT_BOTH_MEMORY, FORMS},
    {"bfe", EFFECT_NEUTRAL, PURE},
    {"bfi", EFFECT_NEUTRAL, PURE},
    {"bfind", EFFECT_NEUTRAL, PURE},
    {"bmsk", EFFECT_NEUTRAL, PURE},
    {"bra", EFFECT_BRANCH, PURE | NORES},
    {"brev", EFFECT_NEUTRAL, PURE},
    {"brkpt", EFFECT_BOTH_MEMORY, NORES},
    {"brx", EFFECT_INDEXED, PURE | NORES},
    {"call", EFFECT_CALL, ALL},
    {"clusterlaunchcontrol", EFFECT_BOTH_MEMORY, ALL},
    {"clz", EFFECT_NEUTRAL, PURE},
    {"cnot", EFFECT_NEUTRAL, PURE},
    {"copysign", EFFECT_NEUTRAL, PURE},
    {"cos", EFFECT_NEUTRAL, PURE},
    {"cp", EFFECT_BOTH_MEMORY, NORES | FORMS},
    {"createpolicy", EFFECT_NEUTRAL, PURE},
    {"cvt", EFFECT_NEUTRAL, PURE},
    {"cvta", EFFECT_NEUTRAL, PURE},
    {"discard", EFFECT_NEUTRAL, NORES},
    {"div", EFFECT_NEUTRAL, PURE},
    {"dp2a", EFFECT_NEUTRAL, PURE},
    {"dp4a", EFFECT_NEUTRAL, PURE},
    {"elect", EFFECT_BOTH_MEMORY, 0},
    {"ex2", EFFECT_NEUTRAL, PURE},
    {"exit", EFFECT_EXIT, NORES},
    {"fence", EFFECT_BOTH_MEMORY, NORES},
    {"fma", EFFECT_NEUTRAL, PURE},
    {"fns", EFFECT_NEUTRAL, PURE},
    {"getctarank", EFFECT_NEUTRAL, PURE},
    {"griddepcontrol", EFFECT_BOTH_MEMORY, NORES | FORMS},
    {"isspacep", EFFECT_NEUTRAL, PURE},
    {"istypep", EFFECT_NEUTRAL, PURE},
    {"ld", EFFECT_NEUTRAL, 0},
    {"ldmatrix", EFFECT_MEET, 0},
    {"ldu", EFFECT_NEUTRAL, 0},
    {"lg2", EFFECT_NEUTRAL, PURE},
    {"lop3", EFFECT_NEUTRAL, PURE},
    {"mad", EFFECT_NEUTRAL, PURE},
    {"mad24", EFFECT_NEUTRAL, PURE},
    {"madc", EFFECT_NEUTRAL, PURE},
    {"mapa", EFFECT_NEUTRAL, PURE},
    {"match", EFFECT_BOTH_MEMORY, 0},
    {"max", EFFECT_NEUTRAL, PURE},
    {"mbarrier", EFFECT_BOTH_MEMORY, FORMS},
    {"membar", EFFECT_BOTH_MEMORY, NORES},
    {"min", EFFECT_NEUTRAL, PURE},
    {"mma", EFFECT_MEET, 0},
    {"mov", EFFECT_NEUTRAL, PURE},
    {"movmatrix", EFFECT_BOTH_MEMORY, 0},
    {"mul", EFFECT_NEUTRAL, PURE},
    {"mul24", EFFECT_NEUTRAL, PURE},
    {"multimem", EFFECT_BOTH_MEMORY, ALL | FORMS},
    {"nanosleep", EFFECT_BOTH_MEMORY, NORES},
    {"neg", EFFECT_NEUTRAL, PURE},
    {"not", EFFECT_NEUTRAL, PURE},
    {"or", EFFECT_NEUTRAL, PURE},
    {"pmevent", EFFECT_BOTH_MEMORY, NORES},
    {"popc", EFFECT_NEUTRAL, PURE},
    {"prefetch", EFFECT_NEUTRAL, NORES},
    {"prefetchu", EFFECT_NEUTRAL, NORES},
    {"prmt", EFFECT_NEUTRAL, PURE},
    {"rcp", EFFECT_NEUTRAL, PURE},
    {"red", EFFECT_RELEASE_MEMORY, NORES},
    {"redux", EFFECT_BOTH_MEMORY, 0},
    {"rem", EFFECT_NEUTRAL, PURE},
    {"ret", EFFECT_RET, NORES},
    {"rsqrt", EFFECT_NEUTRAL, PURE},
    {"sad", EFFECT_NEUTRAL, PURE},
    {"selp", EFFECT_NEUTRAL, PURE},
    {"set", EFFECT_NEUTRAL, PURE},
    {"setmaxnreg", EFFECT_BOTH_MEMORY, NORES},
    {"setp", EFFECT_NEUTRAL, PURE},
    {"shf", EFFECT_NEUTRAL, PURE},
    {"shfl", EFFECT_BOTH_MEMORY, 0},
    {"shl", EFFECT_NEUTRAL, PURE},
    {"shr", EFFECT_NEUTRAL, PURE},
    {"sin", EFFECT_NEUTRAL, PURE},
    {"slct", EFFECT_NEUTRAL, PURE},
    {"sqrt", EFFECT_NEUTRAL, PURE},
    {"st", EFFECT_NEUTRAL, NORES | FORMS},
    {"stackrestore", EFFECT_NEUTRAL, NORES},
    {"stacksave", EFFECT_NEUTRAL, 0},
    {"stmatrix", EFFECT_MEET, NORES},
    {"sub", EFFECT_NEUTRAL, PURE},
    {"subc", EFFECT_NEUTRAL, PURE},
    {"suld", EFFECT_NEUTRAL, 0},
    {"suq", EFFECT_NEUTRAL, 0},
    {"sured", EFFECT_BOTH_MEMORY, NORES},
    {"sust", EFFECT_BOTH_MEMORY, NORES},
    {"szext", EFFECT_NEUTRAL, PURE},
    {"tanh", EFFECT_NEUTRAL, PURE},
    {"tcgen05", EFFECT_STRANGE, ALL | FORMS},
    {"tensormap", EFFECT_BOTH_MEMORY, NORES},
    {"testp", EFFECT_NEUTRAL, PURE},
    {"tex", EFFECT_NEUTRAL, 0},
    {"tld4", EFFECT_NEUTRAL, 0},
    {"trap", EFFECT_EXIT, NORES},
    {"txq", EFFECT_NEUTRAL, 0},
    {"vabsdiff", EFFECT_NEUTRAL, PURE},
    {"vabsdiff2", EFFECT_NEUTRAL, PURE},
    {"vabsdiff4", EFFECT_NEUTRAL, PURE},
    {"vadd", EFFECT_NEUTRAL, PURE},
    {"vadd2", EFFECT_NEUTRAL, PURE},
    {"vadd4", EFFECT_NEUTRAL, PURE},
    {"vavrg2", EFFECT_NEUTRAL, PURE},
    {"vavrg4", EFFECT_NEUTRAL, PURE},
    {"vmad", EFFECT_NEUTRAL, PURE},
    {"vmax", EFFECT_NEUTRAL, PURE},
    {"vmax2", EFFECT_NEUTRAL, PURE},
    {"vmax4", EFFECT_NEUTRAL, PURE},
    {"vmin", EFFECT_NEUTRAL, PURE},
    {"vmin2", EFFECT_NEUTRAL, PURE},
    {"vmin4", EFFECT_NEUTRAL, PURE},
    {"vote", EFFECT_BOTH_MEMORY, 0},
    {"vset", EFFECT_NEUTRAL, PURE},
    {"vset2", EFFECT_NEUTRAL, PURE},
    {"vset4", EFFECT_NEUTRAL, PURE},
    {"vshl", EFFECT_NEUTRAL, PURE},
    {"vshr", EFFECT_NEUTRAL, PURE},
    {"vsub", EFFECT_NEUTRAL, PURE},
    {"vsub2", EFFECT_NEUTRAL, PURE},
    {"vsub4", EFFECT_NEUTRAL, PURE},
    {"wgmma", EFFECT_BOTH_MEMORY, ALL},
    {"wmma", EFFECT_BOTH_MEMORY, ALL},
    {"xor", EFFECT_NEUTRAL, PURE},
};

/* Opcodes that a modifier decides: the first row whose prefix fits wins. */
struct effect_form {
    const char *head, *prefix;
    uint8_t effect, flags;
};

static const struct effect_form forms[] = {
    {"tcgen05", ".ld.red.", EFFECT_LD, EFFECT_TWO_RESULTS},
    {"tcgen05", ".ld.", EFFECT_LD, 0},
    {"tcgen05", ".st.", EFFECT_ST, NORES},
    {"tcgen05", ".mma.", EFFECT_MMA, NORES},
    {"tcgen05", ".cp.", EFFECT_CP, NORES},
    {"tcgen05", ".shift.", EFFECT_SHIFT, NORES},
    {"tcgen05", ".commit.", EFFECT_COMMIT, NORES},
    {"tcgen05", ".alloc.", EFFECT_ALLOC, NORES},
    {"tcgen05", ".dealloc.", EFFECT_ALLOC, NORES},
    {"tcgen05", ".relinquish_alloc_permit.", EFFECT_ALLOC, NORES},
    {"bar", ".arrive.", EFFECT_RELEASE_BARRIER, NORES},
    {"bar", ".cta.arrive.", EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".arrive.", EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".cta.arrive.", EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".cluster.arrive.", EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".cluster.wait.", EFFECT_ACQUIRE_BARRIER, NORES},
    {"bar", ".sync.", EFFECT_BOTH_BARRIER, NORES},
    {"bar", ".cta.sync.", EFFECT_BOTH_BARRIER, NORES},
    {"bar", ".red.", EFFECT_BOTH_BARRIER, 0},
    {"bar", ".cta.red.", EFFECT_BOTH_BARRIER, 0},
    {"bar", ".warp.sync.", EFFECT_BOTH_BARRIER, NORES},
    {"barrier", ".sync.", EFFECT_BOTH_BARRIER, NORES},
    {"barrier", ".cta.sync.", EFFECT_BOTH_BARRIER, NORES},
    {"barrier", ".red.", EFFECT_BOTH_BARRIER, 0},
    {"barrier", ".cta.red.", EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".arrive.", EFFECT_RELEASE_BARRIER, 0},
    {"mbarrier", ".arrive_drop.", EFFECT_RELEASE_BARRIER, 0},
    {"mbarrier", ".test_wait.", EFFECT_ACQUIRE_BARRIER, 0},
    {"mbarrier", ".try_wait.", EFFECT_ACQUIRE_BARRIER, 0},
    {"mbarrier", ".pending_count.", EFFECT_ACQUIRE_BARRIER, 0},
    {"mbarrier", ".init.", EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".inval.", EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".expect_tx.", EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".complete_tx.", EFFECT_BOTH_BARRIER, 0},
    {"griddepcontrol", ".wait.", EFFECT_ACQUIRE_MEMORY, NORES},
    {"multimem", ".red.", EFFECT_RELEASE_MEMORY, ALL},
    {"st", ".async.", EFFECT_RELEASE_MEMORY, NORES},
    {"st", ".bulk.", EFFECT_BOTH_MEMORY, NORES},
    {"cp", ".async.wait_group.", EFFECT_ACQUIRE_MEMORY, NORES},
    {"cp", ".async.wait_all.", EFFECT_ACQUIRE_MEMORY, NORES},
    {"cp", ".async.bulk.wait_group.", EFFECT_ACQUIRE_MEMORY, NORES},
    {"cp", ".async.commit_group.", EFFECT_BOTH_MEMORY, NORES},
    {"cp", ".async.bulk.commit_group.", EFFECT_BOTH_MEMORY, NORES},
    {"cp", ".async.", EFFECT_RELEASE_MEMORY, NORES},
    {"cp", ".reduce.", EFFECT_RELEASE_MEMORY, NORES},
};

bool effect_has(struct str modifiers, const char *word)
{
    size_t n = strlen(word);
    for (size_t at = 0; at + n <= modifiers.n; at++)
        if (!memcmp(modifiers.p + at, word, n) &&
            (at + n == modifiers.n || modifiers.p[at + n] == '.'))
            return true;
    return false;
}

/* prefix ends with a dot; modifiers may end where that dot would be. */
static bool has_prefix(struct str modifiers, const char *prefix)
{
    size_t n = strlen(prefix) - 1;
    return modifiers.n >= n && !memcmp(modifiers.p, prefix, n) &&
           (modifiers.n == n || modifiers.p[n] == '.');
}

static int order(struct str a, const char *b)
{
    size_t n = strlen(b);
    int first = memcmp(a.p, b, a.n < n ? a.n : n);
    return first ? first : (a.n > n) - (a.n < n);
}

static const struct effect_row *row_of(struct str head)
{
    size_t low = 0, high = sizeof rows / sizeof *rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int side = order(head, rows[mid].head);
        if (!side) return &rows[mid];
        if (side < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

bool effect_is_known(struct str head)
{
    return row_of(head) != NULL;
}

/* What a load or store may carry, and what a tcgen05 instruction; "x::" stands for all that begin
 * so. A later ISA's modifier could mean anything. */
static const char *const memory_words[] = {
    "weak",    "volatile", "relaxed", "acquire", "release",  "mmio",  "cta",     "cluster", "gpu",
    "sys",     "global",   "local",   "shared",  "shared::", "param", "param::", "const",   "nc",
    "ca",      "cg",       "cs",      "lu",      "cv",       "wb",    "wt",      "L1::",    "L2::",
    "level::", "v2",       "v4",      "v8",      "unified",  "b8",    "b16",     "b32",     "b64",
    "b128",    "u8",       "u16",     "u32",     "u64",      "s8",    "s16",     "s32",     "s64",
    "f16",     "f16x2",    "bf16",    "bf16x2",  "f32",      "f64",   "pred",    NULL};
static const char *const tcgen05_words[] = {"ld",
                                            "red",
                                            "st",
                                            "mma",
                                            "sp",
                                            "ws",
                                            "cp",
                                            "shift",
                                            "commit",
                                            "alloc",
                                            "dealloc",
                                            "relinquish_alloc_permit",
                                            "sync",
                                            "aligned",
                                            "cta_group::",
                                            "kind::",
                                            "block_scale",
                                            "scale_vec::",
                                            "block16",
                                            "block32",
                                            "ashift",
                                            "collector::",
                                            "down",
                                            "mbarrier::arrive::one",
                                            "shared::cta",
                                            "shared::cluster",
                                            "multicast::cluster",
                                            "b32",
                                            "b64",
                                            "u32",
                                            "s32",
                                            "f32",
                                            "min",
                                            "max",
                                            "abs",
                                            "NaN",
                                            "16x64b",
                                            "16x128b",
                                            "16x256b",
                                            "32x32b",
                                            "16x32bx2",
                                            "x1",
                                            "x2",
                                            "x4",
                                            "x8",
                                            "x16",
                                            "x32",
                                            "x64",
                                            "x128",
                                            "pack::16b",
                                            "unpack::16b",
                                            "128x256b",
                                            "4x256b",
                                            "128x128b",
                                            "64x128b",
                                            "32x128b",
                                            "warpx2::",
                                            "warpx4",
                                            "b8x16",
                                            "b6x16_p32",
                                            "b4x16_p64",
                                            NULL};

static bool is_known(struct str word, const char *const *words)
{
    for (; *words; words++) {
        size_t n = strlen(*words);
        bool stem = n > 2 && (*words)[n - 1] == ':';
        if ((stem ? word.n > n : word.n == n) && !memcmp(word.p, *words, n)) return true;
    }
    return false;
}

/* Are all of the dotted modifiers among words? */
static bool all_known(struct str modifiers, const char *const *words)
{
    for (size_t at = 0; at < modifiers.n;) {
        size_t end = at + 1;
        while (end < modifiers.n && modifiers.p[end] != '.') end++;
        struct str word = {modifiers.p + at + 1, end - at - 1};
        if (!is_known(word, words)) return false;
        at = end;
    }
    return true;
}

/* A load or store that is not weak takes part in synchronisation. */
static uint8_t memory_effect(struct str modifiers, uint8_t strong)
{
    if (!all_known(modifiers, memory_words)) return EFFECT_BOTH_MEMORY;
    bool is_strong = effect_has(modifiers, ".volatile") || effect_has(modifiers, ".relaxed") ||
                     effect_has(modifiers, ".acquire") || effect_has(modifiers, ".release") ||
                     effect_has(modifiers, ".mmio");
    return is_strong ? strong : (uint8_t)EFFECT_NEUTRAL;
}

static struct effect_class tcgen05_sync(struct str modifiers)
{
    struct effect_class made = {EFFECT_STRANGE, ALL};
    bool ld =
        str_is(modifiers, ".wait::ld.sync.aligned") || str_is(modifiers, ".wait::ld.aligned.sync");
    bool st =
        str_is(modifiers, ".wait::st.sync.aligned") || str_is(modifiers, ".wait::st.aligned.sync");
    if (ld)
        made.effect = EFFECT_WAIT_LD;
    else if (st)
        made.effect = EFFECT_WAIT_ST;
    else if (str_is(modifiers, ".fence::before_thread_sync"))
        made.effect = EFFECT_BEFORE;
    else if (str_is(modifiers, ".fence::after_thread_sync"))
        made.effect = EFFECT_AFTER;
    if (made.effect != EFFECT_STRANGE) made.flags = NORES;
    return made;
}

/* The modifiers of an opcode that has forms decide. */
static struct effect_class form_of(struct str head, struct str modifiers, struct effect_class other)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_is(head, forms[i].head) && has_prefix(modifiers, forms[i].prefix))
            return (struct effect_class){forms[i].effect, forms[i].flags};
    return other;
}

struct effect_class effect_of(struct str head, struct str modifiers)
{
    const struct effect_row *row = row_of(head);
    if (!row) return (struct effect_class){EFFECT_BOTH_MEMORY, ALL};
    struct effect_class made = {row->effect, row->flags & (uint8_t)~FORMS};
    if (made.flags & PURE) return made;
    bool tensor = made.effect == EFFECT_STRANGE;
    if (tensor && !all_known(modifiers, tcgen05_words)) return tcgen05_sync(modifiers);
    if (row->flags & FORMS) made = form_of(head, modifiers, made);
    if (made.effect == EFFECT_STRANGE) return tcgen05_sync(modifiers);
    if (made.effect == EFFECT_MEET && !effect_has(modifiers, ".sync"))
        made.effect = EFFECT_BOTH_MEMORY;
    if (made.effect != EFFECT_NEUTRAL) return made;
    if (str_is(head, "ld")) made.effect = memory_effect(modifiers, EFFECT_ACQUIRE_MEMORY);
    if (str_is(head, "st")) made.effect = memory_effect(modifiers, EFFECT_RELEASE_MEMORY);
    if (made.effect == EFFECT_BOTH_MEMORY) made.flags = ALL;
    return made;
}

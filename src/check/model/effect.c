/* The opcodes of PTX ISA chapter 9 (up to 9.4) and their effect classes. See effect.h.
 *
 * Rows are sorted by opcode; an opcode with modifiers that matter has a refinement below the table.
 * Where the ISA is not definite, a row has the stronger effect: BOTH_MEMORY can only refuse. */
#include "check/model/effect.h"

#include "base/word.h"
#include "check/model/causal.h"
#include "check/model/touch.h"
#include "check/model/word.h"

struct effect_row {
    char head[24]; /* with zeros after it */
    uint8_t effect;
    uint16_t flags;
};

enum {
    PURE = CHECK_EFFECT_PURE,
    NORES = CHECK_EFFECT_NO_RESULT,
    ALL = CHECK_EFFECT_ALL_RESULTS,
    FORMS = 1 << 8, /* modifiers decide, see forms below; internal */
};

/* Sorted by strcmp. */
static const struct effect_row rows[] = {
    {"abs", CHECK_EFFECT_NEUTRAL, PURE},
    {"activemask", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"add", CHECK_EFFECT_NEUTRAL, PURE},
    {"addc", CHECK_EFFECT_NEUTRAL, PURE},
    {"alloca", CHECK_EFFECT_NEUTRAL, 0},
    {"and", CHECK_EFFECT_NEUTRAL, PURE},
    {"applypriority", CHECK_EFFECT_NEUTRAL, NORES},
    {"atom", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"bar", CHECK_EFFECT_BOTH_MEMORY, FORMS},
    {"barrier", CHECK_EFFECT_BOTH_MEMORY, FORMS},
    {"bfe", CHECK_EFFECT_NEUTRAL, PURE},
    {"bfi", CHECK_EFFECT_NEUTRAL, PURE},
    {"bfind", CHECK_EFFECT_NEUTRAL, PURE},
    {"bmsk", CHECK_EFFECT_NEUTRAL, PURE},
    {"bra", CHECK_EFFECT_BRANCH, PURE | NORES},
    {"brev", CHECK_EFFECT_NEUTRAL, PURE},
    {"brkpt", CHECK_EFFECT_BOTH_MEMORY, NORES | CHECK_EFFECT_STOPS},
    {"brx", CHECK_EFFECT_INDEXED, PURE | NORES},
    {"call", CHECK_EFFECT_CALL, ALL},
    {"clmad", CHECK_EFFECT_NEUTRAL, PURE},
    {"clusterlaunchcontrol", CHECK_EFFECT_BOTH_MEMORY, ALL},
    {"clz", CHECK_EFFECT_NEUTRAL, PURE},
    {"cnot", CHECK_EFFECT_NEUTRAL, PURE},
    {"copysign", CHECK_EFFECT_NEUTRAL, PURE},
    {"cos", CHECK_EFFECT_NEUTRAL, PURE},
    {"cp", CHECK_EFFECT_BOTH_MEMORY, NORES | FORMS},
    {"createpolicy", CHECK_EFFECT_NEUTRAL, PURE},
    {"cvt", CHECK_EFFECT_NEUTRAL, PURE},
    {"cvta", CHECK_EFFECT_NEUTRAL, PURE},
    {"discard", CHECK_EFFECT_NEUTRAL, NORES},
    {"div", CHECK_EFFECT_NEUTRAL, PURE},
    {"dp2a", CHECK_EFFECT_NEUTRAL, PURE},
    {"dp4a", CHECK_EFFECT_NEUTRAL, PURE},
    {"elect", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"ex2", CHECK_EFFECT_NEUTRAL, PURE},
    {"exit", CHECK_EFFECT_EXIT, NORES},
    {"fence", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"fma", CHECK_EFFECT_NEUTRAL, PURE},
    {"fns", CHECK_EFFECT_NEUTRAL, PURE},
    {"getctarank", CHECK_EFFECT_NEUTRAL, PURE},
    {"griddepcontrol", CHECK_EFFECT_BOTH_MEMORY, NORES | FORMS},
    {"isspacep", CHECK_EFFECT_NEUTRAL, PURE},
    {"istypep", CHECK_EFFECT_NEUTRAL, PURE},
    {"ld", CHECK_EFFECT_NEUTRAL, 0},
    {"ldmatrix", CHECK_EFFECT_MEET, 0},
    {"ldu", CHECK_EFFECT_NEUTRAL, 0},
    {"lg2", CHECK_EFFECT_NEUTRAL, PURE},
    {"lop3", CHECK_EFFECT_NEUTRAL, PURE},
    {"mad", CHECK_EFFECT_NEUTRAL, PURE},
    {"mad24", CHECK_EFFECT_NEUTRAL, PURE},
    {"madc", CHECK_EFFECT_NEUTRAL, PURE},
    {"mapa", CHECK_EFFECT_NEUTRAL, PURE},
    {"match", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"max", CHECK_EFFECT_NEUTRAL, PURE},
    {"mbarrier", CHECK_EFFECT_BOTH_MEMORY, FORMS},
    {"membar", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"min", CHECK_EFFECT_NEUTRAL, PURE},
    {"mma", CHECK_EFFECT_MEET, 0},
    {"mov", CHECK_EFFECT_NEUTRAL, PURE},
    {"movmatrix", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"mul", CHECK_EFFECT_NEUTRAL, PURE},
    {"mul24", CHECK_EFFECT_NEUTRAL, PURE},
    {"multimem", CHECK_EFFECT_BOTH_MEMORY, ALL | FORMS},
    {"nanosleep", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"neg", CHECK_EFFECT_NEUTRAL, PURE},
    {"not", CHECK_EFFECT_NEUTRAL, PURE},
    {"or", CHECK_EFFECT_NEUTRAL, PURE},
    {"pmevent", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"popc", CHECK_EFFECT_NEUTRAL, PURE},
    {"prefetch", CHECK_EFFECT_NEUTRAL, NORES},
    {"prefetchu", CHECK_EFFECT_NEUTRAL, NORES},
    {"prmt", CHECK_EFFECT_NEUTRAL, PURE},
    {"rcp", CHECK_EFFECT_NEUTRAL, PURE},
    {"red", CHECK_EFFECT_RELEASE_MEMORY, NORES},
    {"redux", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"rem", CHECK_EFFECT_NEUTRAL, PURE},
    {"ret", CHECK_EFFECT_RET, NORES},
    {"rsqrt", CHECK_EFFECT_NEUTRAL, PURE},
    {"sad", CHECK_EFFECT_NEUTRAL, PURE},
    {"selp", CHECK_EFFECT_NEUTRAL, PURE},
    {"set", CHECK_EFFECT_NEUTRAL, PURE},
    {"setmaxnreg", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"setp", CHECK_EFFECT_NEUTRAL, PURE},
    {"shf", CHECK_EFFECT_NEUTRAL, PURE},
    {"shfl", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"shl", CHECK_EFFECT_NEUTRAL, PURE},
    {"shr", CHECK_EFFECT_NEUTRAL, PURE},
    {"sin", CHECK_EFFECT_NEUTRAL, PURE},
    {"slct", CHECK_EFFECT_NEUTRAL, PURE},
    {"sqrt", CHECK_EFFECT_NEUTRAL, PURE},
    {"st", CHECK_EFFECT_NEUTRAL, NORES | FORMS},
    {"stackrestore", CHECK_EFFECT_NEUTRAL, NORES},
    {"stacksave", CHECK_EFFECT_NEUTRAL, 0},
    {"stmatrix", CHECK_EFFECT_MEET, NORES},
    {"sub", CHECK_EFFECT_NEUTRAL, PURE},
    {"subc", CHECK_EFFECT_NEUTRAL, PURE},
    {"suld", CHECK_EFFECT_NEUTRAL, 0},
    {"suq", CHECK_EFFECT_NEUTRAL, 0},
    {"sured", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"sust", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"szext", CHECK_EFFECT_NEUTRAL, PURE},
    {"tanh", CHECK_EFFECT_NEUTRAL, PURE},
    {"tcgen05", CHECK_EFFECT_STRANGE, ALL | FORMS},
    {"tensormap", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"testp", CHECK_EFFECT_NEUTRAL, PURE},
    {"tex", CHECK_EFFECT_NEUTRAL, 0},
    {"tld4", CHECK_EFFECT_NEUTRAL, 0},
    {"trap", CHECK_EFFECT_EXIT, NORES},
    {"txq", CHECK_EFFECT_NEUTRAL, 0},
    {"vabsdiff", CHECK_EFFECT_NEUTRAL, PURE},
    {"vabsdiff2", CHECK_EFFECT_NEUTRAL, PURE},
    {"vabsdiff4", CHECK_EFFECT_NEUTRAL, PURE},
    {"vadd", CHECK_EFFECT_NEUTRAL, PURE},
    {"vadd2", CHECK_EFFECT_NEUTRAL, PURE},
    {"vadd4", CHECK_EFFECT_NEUTRAL, PURE},
    {"vavrg2", CHECK_EFFECT_NEUTRAL, PURE},
    {"vavrg4", CHECK_EFFECT_NEUTRAL, PURE},
    {"vmad", CHECK_EFFECT_NEUTRAL, PURE},
    {"vmax", CHECK_EFFECT_NEUTRAL, PURE},
    {"vmax2", CHECK_EFFECT_NEUTRAL, PURE},
    {"vmax4", CHECK_EFFECT_NEUTRAL, PURE},
    {"vmin", CHECK_EFFECT_NEUTRAL, PURE},
    {"vmin2", CHECK_EFFECT_NEUTRAL, PURE},
    {"vmin4", CHECK_EFFECT_NEUTRAL, PURE},
    {"vote", CHECK_EFFECT_BOTH_MEMORY, 0},
    {"vset", CHECK_EFFECT_NEUTRAL, PURE},
    {"vset2", CHECK_EFFECT_NEUTRAL, PURE},
    {"vset4", CHECK_EFFECT_NEUTRAL, PURE},
    {"vshl", CHECK_EFFECT_NEUTRAL, PURE},
    {"vshr", CHECK_EFFECT_NEUTRAL, PURE},
    {"vsub", CHECK_EFFECT_NEUTRAL, PURE},
    {"vsub2", CHECK_EFFECT_NEUTRAL, PURE},
    {"vsub4", CHECK_EFFECT_NEUTRAL, PURE},
    {"wgmma", CHECK_EFFECT_BOTH_MEMORY, ALL},
    {"wmma", CHECK_EFFECT_BOTH_MEMORY, ALL},
    {"xor", CHECK_EFFECT_NEUTRAL, PURE},
};

/* Opcodes whose effect depends on a modifier: the first row whose prefix matches counts. */
struct effect_form {
    char head[15], prefix[26];
    uint8_t effect, flags;
};

static const struct effect_form forms[] = {
    {"tcgen05", ".ld.red.", CHECK_EFFECT_LD, CHECK_EFFECT_TWO_RESULTS},
    {"tcgen05", ".ld.", CHECK_EFFECT_LD, 0},
    {"tcgen05", ".st.", CHECK_EFFECT_ST, NORES},
    {"tcgen05", ".mma.", CHECK_EFFECT_MMA, NORES},
    {"tcgen05", ".cp.", CHECK_EFFECT_CP, NORES},
    {"tcgen05", ".shift.", CHECK_EFFECT_SHIFT, NORES},
    {"tcgen05", ".commit.", CHECK_EFFECT_COMMIT, NORES},
    {"tcgen05", ".alloc.", CHECK_EFFECT_ALLOC, NORES},
    {"tcgen05", ".dealloc.", CHECK_EFFECT_ALLOC, NORES},
    {"tcgen05", ".relinquish_alloc_permit.", CHECK_EFFECT_ALLOC, NORES},
    {"bar", ".arrive.", CHECK_EFFECT_RELEASE_BARRIER, NORES},
    {"bar", ".cta.arrive.", CHECK_EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".arrive.", CHECK_EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".cta.arrive.", CHECK_EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".cluster.arrive.", CHECK_EFFECT_RELEASE_BARRIER, NORES},
    {"barrier", ".cluster.wait.", CHECK_EFFECT_ACQUIRE_BARRIER, NORES},
    {"bar", ".sync.", CHECK_EFFECT_BOTH_BARRIER, NORES},
    {"bar", ".cta.sync.", CHECK_EFFECT_BOTH_BARRIER, NORES},
    {"bar", ".red.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"bar", ".cta.red.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"bar", ".warp.sync.", CHECK_EFFECT_BOTH_BARRIER, NORES},
    {"barrier", ".sync.", CHECK_EFFECT_BOTH_BARRIER, NORES},
    {"barrier", ".cta.sync.", CHECK_EFFECT_BOTH_BARRIER, NORES},
    {"barrier", ".red.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"barrier", ".cta.red.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".arrive.", CHECK_EFFECT_RELEASE_BARRIER, 0},
    {"mbarrier", ".arrive_drop.", CHECK_EFFECT_RELEASE_BARRIER, 0},
    {"mbarrier", ".test_wait.", CHECK_EFFECT_ACQUIRE_BARRIER, 0},
    {"mbarrier", ".try_wait.", CHECK_EFFECT_ACQUIRE_BARRIER, 0},
    {"mbarrier", ".pending_count.", CHECK_EFFECT_ACQUIRE_BARRIER, PURE},
    {"mbarrier", ".init.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".inval.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".expect_tx.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"mbarrier", ".complete_tx.", CHECK_EFFECT_BOTH_BARRIER, 0},
    {"griddepcontrol", ".wait.", CHECK_EFFECT_ACQUIRE_MEMORY, NORES},
    {"multimem", ".red.", CHECK_EFFECT_RELEASE_MEMORY, ALL},
    {"st", ".async.", CHECK_EFFECT_RELEASE_MEMORY, NORES},
    {"st", ".bulk.", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"cp", ".async.wait_group.", CHECK_EFFECT_ACQUIRE_MEMORY, NORES},
    {"cp", ".async.wait_all.", CHECK_EFFECT_ACQUIRE_MEMORY, NORES},
    {"cp", ".async.bulk.wait_group.", CHECK_EFFECT_ACQUIRE_MEMORY, NORES},
    {"cp", ".async.commit_group.", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"cp", ".async.bulk.commit_group.", CHECK_EFFECT_BOTH_MEMORY, NORES},
    {"cp", ".async.", CHECK_EFFECT_RELEASE_MEMORY, NORES},
    {"cp", ".reduce.", CHECK_EFFECT_RELEASE_MEMORY, NORES},
};

/* Returns the first eight bytes as a number that is ordered as by strcmp. n: length. */
static uint64_t opcode_key(const char *p, size_t n)
{
    return __builtin_bswap64(word_load(p, n < sizeof(uint64_t) ? n : sizeof(uint64_t)));
}

static int compare_opcode(struct str head, uint64_t key, const struct effect_row *row)
{
    uint64_t other = opcode_key(row->head, sizeof row->head);
    if (key != other) return key < other ? -1 : 1;
    size_t n = word_common(head, row->head);
    return (n < head.n ? (unsigned char)head.p[n] : 0) - (unsigned char)row->head[n];
}

static const struct effect_row *row_of(struct str head)
{
    size_t low = 0, high = sizeof rows / sizeof *rows;
    uint64_t key = opcode_key(head.p, head.n);
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int side = compare_opcode(head, key, &rows[mid]);
        if (!side) return &rows[mid];
        if (side < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

/* The known modifiers of loads and stores, and of tcgen05 instructions, each after a blank; "x::"
 * matches all that begin with it. An unknown modifier of a later ISA could mean anything. */
static const char memory_words[] =
    " weak volatile relaxed acquire release mmio cta cluster gpu sys global local shared"
    " shared:: param param:: const nc ca cg cs lu cv wb wt L1:: L2:: level:: v2 v4 v8 unified"
    " b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 pred";
static const char strong_words[] = " volatile relaxed acquire release mmio";
static const char tcgen05_words[] =
    " sync aligned cta_group:: kind:: ld st mma commit cp 32x32b b32 b64 x16 x32 x64 x128 x8"
    " x4 x2 x1 mbarrier::arrive::one shared::cluster shared::cta multicast::cluster"
    " block_scale scale_vec:: block16 block32 collector:: alloc dealloc"
    " relinquish_alloc_permit shift down red sp ws ashift u32 s32 f32 min max abs NaN 16x64b"
    " 16x128b 16x256b 16x32bx2 pack::16b unpack::16b 128x256b 4x256b 128x128b 64x128b 32x128b"
    " warpx2:: warpx4 b8x16 b6x16_p32 b4x16_p64";

/* Looks where the first letters of word occur after a blank. */
static bool is_known_word(struct str word, const char *words)
{
    char begin[] = {' ', word.n ? word.p[0] : ' ', word.n > 1 ? word.p[1] : '\0', '\0'};
    while ((words = strstr(words, begin))) {
        size_t n = word_common(word, ++words);
        bool stem = n > 2 && words[n - 1] == ':', ends = !words[n] || words[n] == ' ';
        if (ends && (stem ? word.n > n : word.n == n)) return true;
    }
    return false;
}

/* Returns the modifier at *at without its dot, and moves *at after it. */
static struct str next_modifier(struct str modifiers, size_t *at)
{
    size_t start = *at + 1, end = start;
    while (end < modifiers.n && modifiers.p[end] != '.') end++;
    *at = end;
    return (struct str){modifiers.p + start, end - start};
}

/* Whether all modifiers are in words. */
static bool all_known(struct str modifiers, const char *words)
{
    bool all = true;
    for (size_t at = 0; all && at < modifiers.n;)
        all = is_known_word(next_modifier(modifiers, &at), words);
    return all;
}

/* Whether any modifier is in words. */
static bool any_known(struct str modifiers, const char *words)
{
    bool any = false;
    for (size_t at = 0; !any && at < modifiers.n;)
        any = is_known_word(next_modifier(modifiers, &at), words);
    return any;
}

/* Returns the effect of a load or store: one that is not weak takes part in synchronisation. */
static uint8_t memory_effect(struct str modifiers, uint8_t strong)
{
    if (!all_known(modifiers, memory_words)) return CHECK_EFFECT_BOTH_MEMORY;
    return any_known(modifiers, strong_words) ? strong : (uint8_t)CHECK_EFFECT_NEUTRAL;
}

static struct check_effect_class tcgen05_sync(struct str modifiers)
{
    struct check_effect_class made = {CHECK_EFFECT_STRANGE, ALL, 0};
    bool ld =
        str_is(modifiers, ".wait::ld.sync.aligned") || str_is(modifiers, ".wait::ld.aligned.sync");
    bool st =
        str_is(modifiers, ".wait::st.sync.aligned") || str_is(modifiers, ".wait::st.aligned.sync");
    if (ld)
        made.effect = CHECK_EFFECT_WAIT_LD;
    else if (st)
        made.effect = CHECK_EFFECT_WAIT_ST;
    else if (str_is(modifiers, ".fence::before_thread_sync"))
        made.effect = CHECK_EFFECT_BEFORE;
    else if (str_is(modifiers, ".fence::after_thread_sync"))
        made.effect = CHECK_EFFECT_AFTER;
    if (made.effect != CHECK_EFFECT_STRANGE) made.flags = NORES;
    return made;
}

/* Returns the class of an opcode whose modifiers decide. */
static struct check_effect_class effect_form_of(struct str head, struct str modifiers,
                                                struct check_effect_class other)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (*head.p == *forms[i].head && word_begins(modifiers, forms[i].prefix) &&
            str_is(head, forms[i].head))
            return (struct check_effect_class){forms[i].effect, forms[i].flags, 0};
    return other;
}

static struct check_effect_class effect_class_of(struct str head, struct str modifiers)
{
    const struct effect_row *row = row_of(head);
    if (!row)
        return (struct check_effect_class){CHECK_EFFECT_BOTH_MEMORY, ALL | CHECK_EFFECT_UNKNOWN, 0};
    struct check_effect_class made = {row->effect, (uint8_t)(row->flags & ~FORMS), 0};
    if (made.flags & PURE) return made;
    bool tensor = made.effect == CHECK_EFFECT_STRANGE;
    if (tensor && !all_known(modifiers, tcgen05_words)) return tcgen05_sync(modifiers);
    if (row->flags & FORMS) made = effect_form_of(head, modifiers, made);
    if (made.effect == CHECK_EFFECT_STRANGE) return tcgen05_sync(modifiers);
    if (made.effect == CHECK_EFFECT_MEET && !word_has(modifiers, ".sync"))
        made.effect = CHECK_EFFECT_BOTH_MEMORY;
    if (made.effect != CHECK_EFFECT_NEUTRAL) return made;
    if (str_is(head, "ld")) made.effect = memory_effect(modifiers, CHECK_EFFECT_ACQUIRE_MEMORY);
    if (str_is(head, "st")) made.effect = memory_effect(modifiers, CHECK_EFFECT_RELEASE_MEMORY);
    if (made.effect == CHECK_EFFECT_BOTH_MEMORY) made.flags = ALL;
    return made;
}

static uint16_t tcgen05_word(struct str modifier)
{
    if (str_is(modifier, "cta_group::1")) return CHECK_EFFECT_GROUP_1;
    if (str_is(modifier, "cta_group::2")) return CHECK_EFFECT_GROUP_2;
    if (str_is(modifier, "sp")) return CHECK_EFFECT_SPARSE;
    if (str_is(modifier, "4x256b")) return CHECK_EFFECT_4X256B;
    return str_is(modifier, "ws") ? CHECK_EFFECT_UNPAIRED : 0;
}

/* Returns the words of tcgen05 and brx opcodes, and of accesses to memory. */
static uint16_t own_words(struct str head, struct str modifiers)
{
    if (*head.p == 's' && touch_stores(head, modifiers)) return CHECK_EFFECT_STORES;
    if (touch_loads(head, modifiers)) return CHECK_EFFECT_LOADS;
    if (str_is(head, "brx")) return word_has(modifiers, ".idx") ? CHECK_EFFECT_BY_INDEX : 0;
    if (!str_is(head, "tcgen05")) return 0;
    unsigned words = word_begins(modifiers, ".st.") ? CHECK_EFFECT_STORES : 0;
    for (size_t at = 0; at < modifiers.n;) words |= tcgen05_word(next_modifier(modifiers, &at));
    return (uint16_t)words;
}

/* Whether it ends or awaits a group of copies, loads and reduces, writes to a surface, or is
 * a proxy fence that may be for global memory. */
static bool is_early(struct str head, struct str modifiers)
{
    if (str_is(head, "fence"))
        return str_starts(modifiers, ".proxy.async.") && !word_has(modifiers, ".shared::cta") &&
               !word_has(modifiers, ".shared::cluster");
    if (str_is(head, "multimem")) return str_starts(modifiers, ".ld_reduce");
    if (str_is(head, "sust") || str_is(head, "sured")) return true;
    if (!str_is(head, "cp")) return false;
    return word_has(modifiers, ".commit_group") || word_has(modifiers, ".wait_group") ||
           word_has(modifiers, ".wait_all");
}

/* Most opcodes have no words. */
static uint16_t words_of(struct str head, struct str modifiers, const struct check_effect_class *of)
{
    return own_words(head, modifiers) | causal_words(head, modifiers, of->effect);
}

struct check_effect_class check_effect_of(struct str head, struct str modifiers)
{
    struct check_effect_class made = effect_class_of(head, modifiers);
    made.flags |= touch_spared(head, modifiers, made.effect);
    made.words = words_of(head, modifiers, &made);
    bool any = made.flags & CHECK_EFFECT_UNKNOWN || made.effect == CHECK_EFFECT_CALL;
    if (any || is_early(head, modifiers)) made.words |= CHECK_EFFECT_EARLY;
    return made;
}

/* Whole kernels: in each function, the asynchronous and ordering words before and after may differ
 * only in the removed ones. No load or store may be in flight at one of these words at which it was
 * complete before, nor at an end if it was complete at every end before. Two exceptions are allowed
 * at another load or store: if a removal relies on isa-9.4-pairs, since these keep their order; and
 * if a wait was removed and the machine code shows that the two touch no common column (columns.h).
 * Loads may move among the other words.
 *
 * All other differences must be in explained.tsv (file, function, what, why), where the file is the
 * end of its path. Prints a line for each file: `same` (the optimizer changes nothing), `kept`,
 * `explained`, `differs`, `foreign` (ptxas refuses the text before, too) or `refused` (it refuses
 * only the text after), and the name of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble.h"
#include "columns.h"
#include "differential.h"
#include "explained.h"
#include "real.h"

/* Opcodes below 0x100 are computations, except these: PMTRIG, VOTE, PREEXIT, ACQBULK, ELECT,
 * UVIRTCOUNT and VOTEU. */
static const uint16_t ordering_low[] = {0x001, 0x006, 0x02d, 0x02e, 0x02f, 0x04c, 0x086};

/* From there on all opcodes order, except conversions, counts, constants, local memory, NOP and
 * control flow. */
static const uint16_t silent_high[] = {0x104, 0x105, 0x106, 0x107, 0x108, 0x109, 0x110, 0x111,
                                       0x112, 0x118, 0x11b, 0x141, 0x142, 0x143, 0x144, 0x145,
                                       0x146, 0x147, 0x149, 0x14a, 0x14d, 0x150, 0x152, 0x153,
                                       0x15c, 0x182, 0x183, 0x187, 0x1ac};

static bool is_in(const uint16_t *list, size_t count, uint32_t opcode)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == opcode) return true;
    return false;
}

/* The last nine bits of an opcode are the operation, the first three the kind of its registers. */
static bool is_ordering(struct word word)
{
    uint32_t does = word_opcode(word) & 0x1ff, modifiers = word_modifiers(word);
    switch (does) {
    case 0x005: /* CS2R, S2R, S2UR: the clocks */
    case 0x119:
    case 0x1c3: return (modifiers & 0xfc00) == 0x5000;
    case 0x006: /* VOTE, VOTEU: not those that only make a predicate uniform */
    case 0x086: return (modifiers & 0xe0000) == 0xe0000;
    case 0x17e: /* LDG, STG of 256 bits, LD, LDG, ST, STG: the strong ones */
    case 0x17f:
    case 0x180:
    case 0x181:
    case 0x185:
    case 0x186: return modifiers & 0x1e000 && (modifiers & 0x1e000) != 0x8000; /* CONSTANT */
    case 0x184: /* LDS, STS: one word for weak and strong */
    case 0x188: return false;
    default:
        return does < 0x100 ? is_in(ordering_low, sizeof ordering_low / sizeof *ordering_low, does)
                            : !is_in(silent_high, sizeof silent_high / sizeof *silent_high, does);
    }
}

static const char *name_of(struct word word)
{
    static const struct {
        uint32_t does;
        const char *name;
    } names[] = {
        {0x006, "VOTE"},   {0x17e, "LDG"},        {0x17f, "STG"},        {0x181, "LDG"},
        {0x186, "STG"},    {0x02f, "ELECT"},      {0x11a, "DEPBAR"},     {0x11d, "BAR"},
        {0x189, "SHFL"},   {0x18c, "ATOMS"},      {0x18e, "RED"},        {0x18f, "CCTL"},
        {0x192, "MEMBAR"}, {0x1a7, "SYNCS"},      {0x1a8, "ATOMG"},      {0x1ab, "ERRBAR"},
        {0x1b2, "SYNCS"},  {0x1c6, "FENCE.VIEW"}, {0x1e3, "UTCATOMSWS"}, {0x1e6, "UTCSHIFT"},
        {0x1e7, "UTCCP"},  {0x1e9, "UTCBAR"},     {0x1ea, "UTCMMA"},     {0x1ed, "STTM"},
        {0x1ee, "LDTM"}};
    static char other[16];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].does == (word_opcode(word) & 0x1ff)) return names[i].name;
    snprintf(other, sizeof other, "%03x", word_opcode(word));
    return other;
}

/* ---- one function ---- */

struct sequence {
    struct flow flow;
    uint32_t *at; /* the words that count */
    uint32_t count;
};

static void take_sequence(struct sequence *sequence, const struct code *code)
{
    flow_build(&sequence->flow, code);
    sequence->at = must(calloc(code->count + 1, sizeof *sequence->at));
    sequence->count = 0;
    for (uint32_t i = 0; i < code->count; i++)
        if (is_ordering(code->words[i])) sequence->at[sequence->count++] = i;
}

static void drop_sequence(struct sequence *sequence)
{
    flow_free(&sequence->flow);
    free(sequence->at);
}

static struct word word_at(const struct sequence *sequence, uint32_t i)
{
    return sequence->flow.code->words[sequence->at[i]];
}

static bool may_go(struct word word, struct deleted deleted)
{
    bool fence = word_opcode(word) == OPCODE_FENCE_VIEW;
    if (fence && word_is_wait_st(word)) return deleted.wait_st;
    if (word_opcode(word) == OPCODE_WARPSYNC) return deleted.wait || deleted.end;
    return deleted.proxy_fence && (fence || (word_opcode(word) & 0x1ff) == 0x192);
}

static bool same_word(struct word a, struct word b)
{
    uint32_t view = word_opcode(a) == OPCODE_FENCE_VIEW ? 0x300 : 0;
    return (word_opcode(a) & 0x1ff) == (word_opcode(b) & 0x1ff) &&
           (word_modifiers(a) & view) == (word_modifiers(b) & view);
}

/* Differences go to a list of findings, "MEMBAR where SYNCS was" and the like, one a line. */
static void add_difference(struct buf *what, const char *is, const char *how, const char *was)
{
    buf_printf(what, "%s %s %s\n", is, how, was);
}

static void drop(struct sequence *sequence, uint32_t at)
{
    memmove(sequence->at + at, sequence->at + at + 1,
            (--sequence->count - at) * sizeof *sequence->at);
}

/* After code that is reached through other branches, ptxas lets a warp meet, or fences a view, once
 * more: that orders no less. */
static bool may_come(struct word word)
{
    return word_opcode(word) == OPCODE_WARPSYNC || word_opcode(word) == OPCODE_FENCE_VIEW;
}

/* Drops the removed words from `before`, and the new ones from `after`; false with a difference if
 * the rest does not match. */
static bool line_up(struct sequence *before, struct sequence *after, struct deleted deleted,
                    struct buf *what)
{
    uint32_t kept = 0, a = 0;
    for (uint32_t b = 0; b < before->count; b++) {
        struct word word = word_at(before, b);
        while (a < after->count && !same_word(word, word_at(after, a)) &&
               may_come(word_at(after, a)))
            drop(after, a);
        if (a < after->count && same_word(word, word_at(after, a))) {
            before->at[kept++] = before->at[b];
            a++;
        } else if (!may_go(word, deleted)) {
            char was[16];
            snprintf(was, sizeof was, "%s", name_of(word));
            add_difference(what, a < after->count ? name_of(word_at(after, a)) : "nothing", "where",
                           was);
            return false;
        }
    }
    before->count = kept;
    while (a < after->count && may_come(word_at(after, a))) drop(after, a);
    if (a == after->count) return true;
    add_difference(what, name_of(word_at(after, a)), "where", "nothing");
    return false;
}

/* The operation of x is in flight at y and was complete there before. NULL if this is not
 * observable: for two loads, at the wait for stores that completes it, in a pair, or for columns
 * that are apart. */
static const char *how_under_way(const struct sequence *after, uint32_t x, uint32_t y,
                                 struct deleted deleted, const uint8_t *under_way)
{
    struct word began = word_at(after, x), other = word_at(after, y);
    if (word_is_load(began) && word_is_load(other)) return NULL;
    if (!word_is_load(began) && word_is_wait_st(other)) return NULL;
    if (!word_is_access(other)) return "under way at";
    if (deleted.pairs) return NULL;
    enum columns columns = columns_compare(&after->flow, after->at[x], after->at[y], under_way);
    if (!deleted.wait || columns == COLUMNS_SHARED) return "under way at";
    return columns == COLUMNS_APART ? NULL : "under way, if of another base, at";
}

/* Whether a thread ends while the operation of `began` is in flight. A store counts only without a
 * FENCE.VIEW after it: ptxas lets no EXIT wait for the FENCE.VIEW, so no more of a wait is visible.
 */
static bool ends_under_way(const struct flow *flow, struct word began, const uint8_t *under_way)
{
    uint8_t asked = word_is_load(began) ? OUTSTANDING | OUTSTANDING_AROUND : UNFENCED;
    for (uint32_t i = 0; i < flow->code->count; i++)
        if (word_opcode(flow->code->words[i]) == OPCODE_EXIT && under_way[i] & asked) return true;
    return false;
}

static void compare_outstanding(const struct sequence *before, const struct sequence *after,
                                struct deleted deleted, struct buf *what)
{
    uint8_t *was = must(calloc(before->flow.code->count + 1, 1));
    uint8_t *is = must(calloc(after->flow.code->count + 1, 1));
    for (uint32_t x = 0; x < after->count; x++) {
        struct word began = word_at(after, x);
        if (!word_is_access(began)) continue;
        flow_outstanding(&before->flow, before->at[x], was);
        flow_outstanding(&after->flow, after->at[x], is);
        /* ptxas may end the paths of one text in other places than those of the other. */
        if (ends_under_way(&after->flow, began, is) && !ends_under_way(&before->flow, began, was))
            add_difference(what, word_is_load(began) ? "LDTM" : "STTM", "under way at", "EXIT");
        for (uint32_t y = 0; y < after->count; y++) {
            uint8_t more = is[after->at[y]] & ~was[before->at[y]];
            if (!(more & (OUTSTANDING | OUTSTANDING_AROUND))) continue;
            const char *how = how_under_way(after, x, y, deleted, is);
            if (how)
                add_difference(what, word_is_load(began) ? "LDTM" : "STTM", how,
                               name_of(word_at(after, y)));
        }
    }
    free(was);
    free(is);
}

void real_compare(const struct code *before, const struct code *after, struct deleted deleted,
                  struct buf *what)
{
    struct sequence was, is;
    take_sequence(&was, before);
    take_sequence(&is, after);
    if (!was.flow.whole || !is.flow.whole) {
        /* A jump through a table: only the order of the words can be compared. */
        line_up(&was, &is, deleted, what);
    } else if (line_up(&was, &is, deleted, what)) {
        compare_outstanding(&was, &is, deleted, what);
    }
    drop_sequence(&was);
    drop_sequence(&is);
}

/* ---- one file ---- */

/* Prints each kind of difference once; true when all are explained. */
static bool explain(const char *path, const char *function, const char *what)
{
    bool all = true;
    for (const char *line = what; *line; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, "\n");
        const char *first = what;
        while (first < line && strncmp(first, line, length + 1) != 0)
            first += strcspn(first, "\n") + 1;
        if (first < line) continue;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, line);
        bool one = is_explained(path, function, name);
        printf("# %s: %s: %s%s\n", path, function, name, one ? " (explained)" : "");
        all &= one;
    }
    return all;
}

static struct deleted deleted_of(const struct ptxopt_result *result, const char *function)
{
    struct deleted deleted = {.wait = false};
    const struct ptxopt_finding *edit = NULL;
    while ((edit = ptxopt_result_next(result, PTXOPT_DELETED, edit))) {
        if (strcmp(edit->function, function) != 0) continue;
        deleted.wait |= strstr(edit->text, "tcgen05.wait::") != NULL;
        deleted.end |= strstr(edit->message, "the thread ends at") != NULL;
        deleted.wait_st |= strstr(edit->text, "wait::st") != NULL;
        deleted.proxy_fence |= strstr(edit->text, "fence.proxy") != NULL;
        deleted.pairs |= strstr(edit->assumptions, "isa-9.4-pairs") != NULL;
    }
    return deleted;
}

static const char *compare_files(const char *path, const struct ptxopt_result *result,
                                 const struct cubin *before, const struct cubin *after)
{
    bool fine = before->functions.count == after->functions.count, any = false;
    for (uint32_t i = 0; i < before->functions.count; i++) {
        const struct code *was = &before->functions.at[i], *is = cubin_find(after, was->name);
        struct buf what = {0};
        if (is) real_compare(was, is, deleted_of(result, was->name), &what);
        fine &= is != NULL;
        any |= what.len > 0;
        char *text = buf_take(&what);
        fine &= explain(path, was->name, text);
        mem_free(text);
    }
    return !fine ? "differs" : any ? "explained" : "kept";
}

static const char *judge_texts(const char *path, struct bytes text,
                               const struct ptxopt_result *result)
{
    struct cubin before, after;
    size_t length;
    const char *less = ptxopt_result_text(result, &length);
    if (!assemble(text.data, text.len, &before)) return "foreign";
    if (!assemble(less, length, &after)) {
        cubin_free(&before);
        return "refused";
    }
    const char *verdict = compare_files(path, result, &before, &after);
    cubin_free(&before);
    cubin_free(&after);
    return verdict;
}

static void judge_file(const char *path)
{
    struct bytes text = file_read(path);
    struct ptxopt_options *options = text.data ? options_of(text) : NULL;
    const char *verdict = "refused";
    if (options) {
        struct ptxopt_result *result = ptxopt_run(options, path, text.data, text.len);
        verdict = ptxopt_result_changed(result) ? judge_texts(path, text, result) : "same";
        ptxopt_result_free(result);
        ptxopt_options_free(options);
    }
    printf("%s %s\n", verdict, path);
    fflush(stdout);
    free(text.data);
}

int run_real(char *const *paths)
{
    static char out[1 << 20];
    setvbuf(stdout, out, _IOFBF, sizeof out); /* the lines of a file stay together */
    for (; *paths; paths++) judge_file(*paths);
    return EXIT_SUCCESS;
}

/* What the machine code says of hazards. The words of an instruction are found by the line table of
 * -lineinfo, which names lines of the PTX text. It is trusted only where it gives each LDTM and
 * STTM of the function to a line that holds a tcgen05.ld or st. A tcgen05.ld sets a scoreboard that
 * is free when the registers are there; a tcgen05.wait::st is FENCE.VIEW.ASYNC.T. Fields are as
 * ptxas 13.0 writes them for sm_100a. */
#include "report/witness.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "report/cubin.h"
#include "report/measure.h"
#include "text/source.h"

enum sass_opcode {
    SASS_FENCE_VIEW = 0x3c6,
    SASS_BRA_U = 0x547,
    SASS_DEPBAR = 0x91a,
    SASS_CALL = 0x944,
    SASS_BRA = 0x947,
    SASS_WARPSYNC = 0x948,
    SASS_BRX = 0x949,
    SASS_EXIT = 0x94d,
    SASS_RET = 0x950,
    SASS_STTM = 0x9ed,
    SASS_LDTM = 0x9ee,
    SASS_BAR = 0xb1d,
    SASS_SYNCS = 0x9a7, /* mbarrier.arrive */
    NO_SCOREBOARD = 7
};

struct word {
    uint64_t low, high;
};

/* The code of one function, and which line each word is of. */
struct code {
    struct word *words;
    uint32_t *lines;
    uint32_t count;
    bool is_exact; /* the lines are right as far as can be seen */
};

struct build {
    struct source source;
    struct arena arena;
    struct VEC(struct code) functions;
};

static unsigned opcode_of(struct word word)
{
    return word.low & SASS_OPCODE;
}

/* Bits 64 to 95: what an instruction's modifiers are among. */
static uint32_t modifiers_of(struct word word)
{
    return (uint32_t)word.high;
}

/* ---- which words are an instruction's? ---- */

static bool line_has(const struct build *build, uint32_t line, const char *text)
{
    if (!line) return false; /* the table has none for the word */
    uint32_t start = source_line_start(&build->source, line);
    uint32_t end = source_line_start(&build->source, line + 1);
    return memmem(build->source.text.p + start, end - start, text, strlen(text));
}

static bool is_exact(const struct build *build, const struct code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        unsigned opcode = opcode_of(code->words[i]);
        if ((opcode == SASS_LDTM && !line_has(build, code->lines[i], "tcgen05.ld.")) ||
            (opcode == SASS_STTM && !line_has(build, code->lines[i], "tcgen05.st.")))
            return false;
    }
    return true;
}

static void set_lines(struct code *code, const struct cubin_rows *rows, uint32_t section)
{
    for (uint32_t r = 0; r + 1 < rows->count; r++) {
        const struct cubin_row *row = &rows->at[r];
        if (row->section != section || !row->line || row[1].section != section) continue;
        for (uint64_t at = row->address; at < row[1].address && at / SASS_BYTES < code->count;
             at += SASS_BYTES)
            code->lines[at / SASS_BYTES] = row->line;
    }
}

static void read_build(struct build *build, const struct cubin *cubin,
                       const struct cubin_rows *rows)
{
    for (uint32_t i = 0; i < cubin->count; i++) {
        const struct cubin_section *section = &cubin->at[i];
        struct code code = {.count = (uint32_t)(section->len / SASS_BYTES)};
        if (!cubin_function(section)) continue;
        code.words = arena_alloc(&build->arena, code.count + 1, sizeof *code.words);
        code.lines = arena_alloc(&build->arena, code.count + 1, sizeof *code.lines);
        memset(code.lines, 0, code.count * sizeof *code.lines);
        memcpy(code.words, section->bytes, code.count * sizeof *code.words);
        set_lines(&code, rows, i);
        code.is_exact = is_exact(build, &code);
        vec_push(&build->functions, code);
    }
}

/* A word that an arrive or a barrier becomes; what goes with it, fences and addresses, publishes
 * nothing. */
static bool is_release(struct word word)
{
    return opcode_of(word) == SASS_SYNCS || opcode_of(word) == SASS_BAR;
}

/* ---- which ways are there? ---- */

/* The word is waited for: its scoreboard by the mask of those waited for, or a DEPBAR that lets
 * none be left. */
static bool waits_for(struct word word, struct word operation)
{
    unsigned scoreboard = operation.high >> 46 & 7;
    if (opcode_of(operation) == SASS_STTM)
        return opcode_of(word) == SASS_FENCE_VIEW && (modifiers_of(word) & 0x300) == 0x200;
    bool drains = opcode_of(word) == SASS_DEPBAR && !(word.low >> 38 & 0x3f) &&
                  (word.low >> 44 & 7) == scoreboard;
    return drains || word.high >> 52 >> scoreboard & 1;
}

/* In words from the next one, in steps of four bytes: bits 16 to 23, 34 to 63 and 64 to 81. */
static uint32_t branch_target(const struct code *code, uint32_t at)
{
    struct word word = code->words[at];
    uint64_t steps = (word.low >> 16 & 0xff) | (word.low >> 34) << 8 | (word.high & 0x3ffff) << 38;
    uint64_t top = steps >> 2 & UINT64_C(1) << 53; /* the sign of 56 bits, as words */
    uint64_t words = ((steps >> 2) ^ top) - top;
    uint64_t target = (uint64_t)at + 1 + words;
    return target < code->count ? (uint32_t)target : code->count;
}

/* It may go on behind the word: that is guarded, or no branch that is always taken. */
static bool falls_through(struct word word)
{
    if ((word.low >> 12 & 0xf) != 7) return true;
    switch (opcode_of(word)) {
    case SASS_BRA: return (modifiers_of(word) >> 23 & 0xf) != 7;
    case SASS_EXIT:
    case SASS_RET: return false;
    default: return true;
    }
}

/* Nothing can be told of where it goes, or of what is done there. */
static bool is_opaque(struct word word)
{
    unsigned opcode = opcode_of(word);
    return opcode == SASS_BRX || opcode == SASS_CALL || opcode == SASS_RET ||
           opcode == SASS_WARPSYNC;
}

struct search {
    const struct code *code;
    bool *seen;
    uint32_t *todo, count, line;
    bool is_lost; /* somewhere it goes on as nobody knows */
};

static void go_to(struct search *search, uint32_t word)
{
    if (word >= search->code->count)
        search->is_lost = true;
    else if (!search->seen[word]) {
        search->seen[word] = true;
        search->todo[search->count++] = word;
    }
}

/* A release of that line that is issued with the operation at word i under way; count when there is
 * none. */
static uint32_t reached(struct search *search, uint32_t i)
{
    const struct code *code = search->code;
    memset(search->seen, 0, code->count * sizeof *search->seen);
    search->count = 0;
    go_to(search, i + 1);
    while (search->count) {
        uint32_t at = search->todo[--search->count];
        struct word word = code->words[at];
        if (waits_for(word, code->words[i])) continue;
        if (code->lines[at] == search->line && is_release(word)) return at;
        search->is_lost |= is_opaque(word);
        if (opcode_of(word) == SASS_BRA || opcode_of(word) == SASS_BRA_U)
            go_to(search, branch_target(code, at));
        if (falls_through(word)) go_to(search, at + 1);
    }
    return code->count;
}

static uint32_t first_release(const struct code *code, uint32_t line)
{
    uint32_t i = 0;
    while (i < code->count && (code->lines[i] != line || !is_release(code->words[i]))) i++;
    return i;
}

/* Asks the words of that opcode that are of the line, or of any other: true when there are some. */
static bool ask_words(struct search *search, uint32_t line, bool others, unsigned opcode,
                      struct witness *witness)
{
    const struct code *code = search->code;
    bool asked = false;
    for (uint32_t i = 0; i < code->count && witness->state != WITNESS_LIVE; i++) {
        if (opcode_of(code->words[i]) != opcode || (code->lines[i] == line) == others) continue;
        uint32_t release = reached(search, i);
        if (!asked && !others)
            *witness = (struct witness){WITNESS_SLEEPING, i * SASS_BYTES, line, 0};
        if (release < code->count)
            *witness = (struct witness){WITNESS_LIVE, i * SASS_BYTES, code->lines[i],
                                        release * SASS_BYTES};
        asked = true;
    }
    return asked;
}

/* What the function says; false when it says nothing. A finding names one operation of those that
 * the release publishes: another may be the one under way. */
static bool ask(const struct code *code, const struct ptxopt_finding *finding,
                struct witness *witness)
{
    uint32_t release = first_release(code, finding->line);
    if (!code->is_exact || release == code->count) return false;
    struct arena arena = {0};
    struct search search = {.code = code,
                            .seen = arena_alloc(&arena, code->count, sizeof *search.seen),
                            .todo = arena_alloc(&arena, code->count, sizeof *search.todo),
                            .line = finding->line};
    unsigned opcode = SASS_LDTM;
    bool asked = ask_words(&search, finding->witness_line, false, opcode, witness);
    if (!asked)
        asked = ask_words(&search, finding->witness_line, false, opcode = SASS_STTM, witness);
    if (asked && search.is_lost && witness->state != WITNESS_LIVE) witness->state = WITNESS_UNKNOWN;
    if (asked) (void)ask_words(&search, finding->witness_line, true, opcode, witness);
    if (witness->state == WITNESS_SLEEPING) witness->release = release * SASS_BYTES;
    arena_free(&arena);
    return asked;
}

static bool is_asked(const struct ptxopt_finding *finding)
{
    return finding->kind == PTXOPT_HAZARD && finding->witness_line &&
           strcmp(finding->code, "published-incomplete") == 0;
}

static void ask_all(struct witnesses *witnesses, const struct build *build,
                    const struct ptxopt_finding *findings)
{
    for (size_t i = 0; i < witnesses->count; i++) {
        if (!is_asked(&findings[i])) continue;
        witnesses->at[i].state = WITNESS_UNKNOWN;
        for (uint32_t f = 0; f < build->functions.count; f++)
            if (ask(&build->functions.at[f], &findings[i], &witnesses->at[i])) break;
    }
}

/* Reads what ptxas makes of the text; build stays empty when that is nothing. */
static char *make_build(struct build *build, const char *text, size_t len)
{
    struct buf image = {0}, log = {0};
    struct cubin cubin = {0};
    struct cubin_rows rows = {0};
    char *problem = measure_assemble(&image, &log, true, text, len);
    if (!problem && cubin_read(&cubin, image.data, image.len) && cubin_read_rows(&cubin, &rows))
        read_build(build, &cubin, &rows);
    vec_free(&rows);
    vec_free(&cubin);
    buf_free(&image);
    buf_free(&log);
    return problem;
}

void witnesses_find(struct witnesses *witnesses, const char *text, size_t len,
                    const struct ptxopt_result *result)
{
    struct build build = {.arena = {0}};
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &witnesses->count);
    bool any = false;
    witnesses->at = mem_zalloc(witnesses->count + 1, sizeof *witnesses->at);
    for (size_t i = 0; i < witnesses->count; i++) any |= is_asked(&findings[i]);
    if (!any) return;
    source_init(&build.source, &build.arena, "", (struct str){text, len});
    witnesses->problem = make_build(&build, text, len);
    ask_all(witnesses, &build, findings);
    vec_free(&build.functions);
    arena_free(&build.arena);
}

void witnesses_free(struct witnesses *witnesses)
{
    mem_free(witnesses->problem);
    mem_free(witnesses->at);
    *witnesses = (struct witnesses){0};
}

const char *witness_word(enum witness_state state)
{
    return state == WITNESS_LIVE ? "live" : state == WITNESS_SLEEPING ? "sleeping" : "unknown";
}

void witness_sentence(struct buf *out, const struct witness *witness)
{
    if (witness->state == WITNESS_UNKNOWN)
        buf_puts(out, "unknown: what ptxas makes of it does not show for sure");
    else if (witness->state == WITNESS_LIVE)
        buf_printf(out,
                   "live: the release at 0x%" PRIx32 " may be issued with the operation of line "
                   "%" PRIu32 ", at 0x%" PRIx32 ", under way",
                   witness->release, witness->line, witness->operation);
    else if (witness->state == WITNESS_SLEEPING)
        buf_printf(out,
                   "sleeping: on each way from the operation of line %" PRIu32 ", at 0x%" PRIx32
                   ", to the release at 0x%" PRIx32 " something waits for it",
                   witness->line, witness->operation, witness->release);
}

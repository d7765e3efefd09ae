/* Compares hazards with the machine code, for functions whose table of lines is right as far as can
 * be checked. See witness.h. */
#include "report/witness.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "report/machine.h"

/* The word is an arrive or a barrier. Other words on the line of a release, such as fences and
 * address computations, release nothing. */
static bool is_release_word(struct machine_word word)
{
    return machine_opcode(word) == SASS_SYNCS || machine_opcode(word) == SASS_BAR;
}

/* ---- paths through the machine code ---- */

/* The branch offset is in bits 16 to 23, 34 to 63 and 64 to 81, in steps of four bytes relative to
 * the next word. */
static uint32_t branch_target(const struct machine_code *code, uint32_t at)
{
    struct machine_word word = code->words[at];
    uint64_t steps = (word.low >> 16 & 0xff) | (word.low >> 34) << 8 | (word.high & 0x3ffff) << 38;
    uint64_t top = steps >> 2 & UINT64_C(1) << 53; /* the sign bit, in units of words */
    uint64_t words = ((steps >> 2) ^ top) - top;
    uint64_t target = (uint64_t)at + 1 + words;
    return target < code->count ? (uint32_t)target : code->count;
}

/* Control may continue at the next word: the word is guarded, or not a branch that is always
 * taken. */
static bool word_falls_through(struct machine_word word)
{
    if ((word.low >> 12 & 0xf) != 7) return true;
    switch (machine_opcode(word)) {
    case SASS_BRA: return (machine_modifiers(word) >> 23 & 0xf) != 7;
    case SASS_EXIT:
    case SASS_RET: return false;
    default: return true;
    }
}

/* Its successors or effects are not known. */
static bool is_opaque_word(struct machine_word word)
{
    unsigned opcode = machine_opcode(word);
    return opcode == SASS_BRX || opcode == SASS_CALL || opcode == SASS_RET ||
           opcode == SASS_WARPSYNC;
}

struct search {
    const struct machine_code *code;
    bool *seen;
    uint32_t *todo, count, line;
    bool is_lost; /* a word was reached whose successors are not known */
};

static void search_go_to(struct search *search, uint32_t word)
{
    if (word >= search->code->count)
        search->is_lost = true;
    else if (!search->seen[word]) {
        search->seen[word] = true;
        search->todo[search->count++] = word;
    }
}

/* A release on the line search->line that can be issued while the operation at word i is in flight;
 * code->count: none. */
static uint32_t find_reached_release(struct search *search, uint32_t i)
{
    const struct machine_code *code = search->code;
    memset(search->seen, 0, code->count * sizeof *search->seen);
    search->count = 0;
    search_go_to(search, i + 1);
    while (search->count) {
        uint32_t at = search->todo[--search->count];
        struct machine_word word = code->words[at];
        if (machine_waits_for(word, code->words[i])) continue;
        if (code->lines[at] == search->line && is_release_word(word)) return at;
        search->is_lost |= is_opaque_word(word);
        if (machine_opcode(word) == SASS_BRA || machine_opcode(word) == SASS_BRA_U)
            search_go_to(search, branch_target(code, at));
        if (word_falls_through(word)) search_go_to(search, at + 1);
    }
    return code->count;
}

static uint32_t first_release(const struct machine_code *code, uint32_t line)
{
    uint32_t i = 0;
    while (i < code->count && (code->lines[i] != line || !is_release_word(code->words[i]))) i++;
    return i;
}

/* Examines the words with that opcode that are on the line or, with others, on any other line. True
 * if there are any. */
static bool ask_words(struct search *search, uint32_t line, bool others, unsigned opcode,
                      struct witness *witness)
{
    const struct machine_code *code = search->code;
    bool asked = false;
    for (uint32_t i = 0; i < code->count && witness->state != WITNESS_LIVE; i++) {
        if (machine_opcode(code->words[i]) != opcode || (code->lines[i] == line) == others)
            continue;
        if (!asked && !others)
            *witness = (struct witness){WITNESS_SLEEPING, i * SASS_BYTES, line, 0};
        asked = true;
        search->is_lost |= !machine_tells_end(code->words[i]);
        if (!machine_tells_end(code->words[i])) continue;
        uint32_t release = find_reached_release(search, i);
        if (release < code->count)
            *witness = (struct witness){WITNESS_LIVE, i * SASS_BYTES, code->lines[i],
                                        release * SASS_BYTES};
    }
    return asked;
}

/* Fills *witness from the machine code of the function; false if that shows nothing. A finding
 * names one of the operations that the release publishes; another one may be the one in flight. */
static bool witness_of_function(const struct machine_code *code,
                                const struct ptxopt_finding *finding, struct witness *witness)
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

static bool is_published_incomplete(const struct ptxopt_finding *finding)
{
    return finding->kind == PTXOPT_HAZARD && finding->witness_line &&
           strcmp(finding->code, "published-incomplete") == 0;
}

static void ask_all(struct witnesses *witnesses, const struct machine *machine,
                    const struct ptxopt_finding *findings)
{
    for (size_t i = 0; i < witnesses->count; i++) {
        if (!is_published_incomplete(&findings[i])) continue;
        witnesses->at[i].state = WITNESS_UNKNOWN;
        for (uint32_t f = 0; f < machine->functions.count; f++)
            if (witness_of_function(&machine->functions.at[f], &findings[i], &witnesses->at[i]))
                break;
    }
}

void witnesses_find(struct witnesses *witnesses, struct compiled *compiled,
                    const struct ptxopt_result *result)
{
    struct machine machine = {.arena = {0}};
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &witnesses->count);
    bool any = false;
    witnesses->at = mem_zalloc(witnesses->count + 1, sizeof *witnesses->at);
    for (size_t i = 0; i < witnesses->count; i++) any |= is_published_incomplete(&findings[i]);
    if (!any) return;
    compiled_make(compiled);
    witnesses->problem = compiled->problem;
    (void)machine_read(&machine, compiled);
    ask_all(witnesses, &machine, findings);
    machine_free(&machine);
}

void witnesses_free(struct witnesses *witnesses)
{
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
        buf_puts(out, "unknown: the machine code does not show it for sure");
    else if (witness->state == WITNESS_LIVE)
        buf_printf(out,
                   "live: the release at 0x%" PRIx32 " may be issued while the operation of PTX "
                   "line %" PRIu32 ", at 0x%" PRIx32 ", is in flight",
                   witness->release, witness->line, witness->operation);
    else if (witness->state == WITNESS_SLEEPING)
        buf_printf(out,
                   "sleeping: on each path from the operation of PTX line %" PRIu32
                   ", at 0x%" PRIx32 ", to the release at 0x%" PRIx32
                   " an instruction waits for it",
                   witness->line, witness->operation, witness->release);
}

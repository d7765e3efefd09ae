/* Maps instructions of the PTX text to machine code, and finds which word waits for which. The
 * table of -lineinfo gives the PTX line of each word. A tcgen05.ld sets a scoreboard, which is
 * released when the registers are loaded. */
#include "report/machine.h"

#include <string.h>

#include "text/source.h"

enum { NO_SCOREBOARD = 7 };

unsigned machine_opcode(struct machine_word word)
{
    return word.low & SASS_OPCODE;
}

uint32_t machine_modifiers(struct machine_word word)
{
    return (uint32_t)word.high;
}

bool machine_is_landmark(struct machine_word word)
{
    switch (machine_opcode(word)) {
    case SASS_LDTM:
    case SASS_STTM:
    case SASS_FENCE_VIEW:
    case SASS_UTCBAR:
    case SASS_UTCMMA:
    case SASS_UTCCP:
    case SASS_SYNCS:
    case SASS_BAR: return true;
    default: return false;
    }
}

/* ---- reading ---- */

static bool line_has(const struct source *source, uint32_t line, const char *text)
{
    if (!line) return false; /* the table has no line for the word */
    uint32_t start = source_line_start(source, line), end = source_line_start(source, line + 1);
    return memmem(source->text.p + start, end - start, text, strlen(text));
}

static bool is_exact(const struct source *source, const struct machine_code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        unsigned opcode = machine_opcode(code->words[i]);
        if ((opcode == SASS_LDTM && !line_has(source, code->lines[i], "tcgen05.ld.")) ||
            (opcode == SASS_STTM && !line_has(source, code->lines[i], "tcgen05.st.")))
            return false;
    }
    return true;
}

static void set_lines(struct machine_code *code, const struct cubin_rows *rows, uint32_t section)
{
    for (uint32_t r = 0; r + 1 < rows->count; r++) {
        const struct cubin_row *row = &rows->at[r];
        if (row->section != section || !row->line || row[1].section != section) continue;
        for (uint64_t at = row->address; at < row[1].address && at / SASS_BYTES < code->count;
             at += SASS_BYTES)
            code->lines[at / SASS_BYTES] = row->line;
    }
}

static void read_functions(struct machine *machine, const struct source *source,
                           const struct cubin *cubin, const struct cubin_rows *rows)
{
    for (uint32_t i = 0; i < cubin->count; i++) {
        const struct cubin_section *section = &cubin->at[i];
        const char *name = cubin_function(section);
        struct machine_code code = {.count = (uint32_t)(section->len / SASS_BYTES)};
        if (!name) continue;
        code.name = arena_copy(&machine->arena, name, strlen(name));
        code.words = arena_alloc(&machine->arena, code.count + 1, sizeof *code.words);
        code.lines = arena_alloc(&machine->arena, code.count + 1, sizeof *code.lines);
        code.texts = arena_alloc(&machine->arena, code.count + 1, sizeof *code.texts);
        memcpy(code.words, section->bytes, code.count * sizeof *code.words);
        set_lines(&code, rows, i);
        code.is_exact = is_exact(source, &code);
        vec_push(&machine->functions, code);
    }
}

bool machine_read(struct machine *machine, const struct compiled *compiled)
{
    struct cubin cubin = {0};
    struct cubin_rows rows = {0};
    struct arena arena = {0};
    struct source source;
    bool good = !compiled->problem &&
                cubin_read(&cubin, compiled->cubin.data, compiled->cubin.len) &&
                cubin_read_rows(&cubin, &rows);
    if (good) {
        source_init(&source, &arena, "", compiled->text);
        read_functions(machine, &source, &cubin, &rows);
    }
    arena_free(&arena);
    vec_free(&rows);
    vec_free(&cubin);
    return good;
}

void machine_free(struct machine *machine)
{
    vec_free(&machine->functions);
    arena_free(&machine->arena);
}

/* ---- waiting ---- */

static unsigned scoreboard_of(struct machine_word operation)
{
    return operation.high >> 46 & 7;
}

bool machine_tells_end(struct machine_word operation)
{
    return machine_opcode(operation) == SASS_STTM || scoreboard_of(operation) != NO_SCOREBOARD;
}

bool machine_waits_for(struct machine_word word, struct machine_word operation)
{
    unsigned scoreboard = scoreboard_of(operation);
    if (machine_opcode(operation) == SASS_STTM)
        return machine_opcode(word) == SASS_FENCE_VIEW &&
               (machine_modifiers(word) & 0x300) == 0x200;
    if (scoreboard == NO_SCOREBOARD) return false;
    bool drains = machine_opcode(word) == SASS_DEPBAR && !(word.low >> 38 & 0x3f) &&
                  (word.low >> 44 & 7) == scoreboard;
    return drains || word.high >> 52 >> scoreboard & 1;
}

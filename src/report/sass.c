/* Reads the text of machine code from nvdisasm. nvdisasm -c prints a line ".text.NAME:" for a
 * function and, for each word, its offset in comment marks and its text up to a semicolon, in all
 * versions that support sm_100a. cuobjdump is no alternative, because it runs nvdisasm itself. */
#include "report/sass.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "report/clean.h"
#include "report/tool.h"

/* ---- the disassembler ---- */

/* Finds nvdisasm on PATH, otherwise next to the ptxas that made the code (program; NULL: ptxas on
 * PATH). */
static bool find_nvdisasm(char path[PATH_MAX], const char *program)
{
    static const char name[] = "nvdisasm";
    char ptxas[PATH_MAX];
    if (child_find(path, name, NULL)) return true;
    if (!program) program = "ptxas";
    bool named = strchr(program, '/');
    if (!named && !child_find(ptxas, program, NULL)) return false;
    if (!realpath(named ? program : ptxas, path)) return false;
    char *base = strrchr(path, '/') + 1;
    if ((size_t)(base - path) + sizeof name > PATH_MAX) return false;
    memcpy(base, name, sizeof name);
    return child_is_program(path);
}

/* ---- its output ---- */

/* The function whose code begins with that line; NULL: none. */
static struct machine_code *sass_function_of(struct machine *machine, struct str line)
{
    static const char prefix[] = ".text.";
    size_t n = sizeof prefix - 1;
    if (!str_starts(line, prefix) || line.p[line.n - 1] != ':') return NULL;
    struct str name = {line.p + n, line.n - n - 1};
    for (uint32_t i = 0; i < machine->functions.count; i++)
        if (str_is(name, machine->functions.at[i].name)) return &machine->functions.at[i];
    return NULL;
}

/* Stores the text of a word. Other lines are skipped. */
static void sass_read_word(struct arena *arena, struct machine_code *code, struct str line)
{
    char copy[32], *end;
    const char *mark = memmem(line.p, line.n, "/*", 2);
    const char *close = mark ? memmem(mark, line.n - (size_t)(mark - line.p), "*/", 2) : NULL;
    if (!close || (size_t)(close - mark) >= sizeof copy) return;
    snprintf(copy, sizeof copy, "%.*s", (int)(close - mark - 2), mark + 2);
    uint64_t offset = strtoull(copy, &end, 16);
    if (end == copy || *end || offset / SASS_BYTES >= code->count) return;
    const char *text = close + 2;
    code->texts[offset / SASS_BYTES] =
        clean_instruction(arena, (struct str){text, line.n - (size_t)(text - line.p)});
}

static void read_text(struct machine *machine, struct str text)
{
    struct machine_code *code = NULL;
    while (text.n) {
        struct str line = str_first_line(text);
        size_t taken = line.n + (line.n < text.n);
        struct machine_code *begun = sass_function_of(machine, line);
        if (begun)
            code = begun;
        else if (code)
            sass_read_word(&machine->arena, code, line);
        text.p += taken;
        text.n -= taken;
    }
}

/* The number of words for which nvdisasm has printed no text. */
static uint32_t count_missing(const struct machine *machine)
{
    uint32_t missing = 0;
    for (uint32_t f = 0; f < machine->functions.count; f++)
        for (uint32_t i = 0; i < machine->functions.at[f].count; i++)
            missing += !machine->functions.at[f].texts[i];
    return missing;
}

char *sass_read(struct machine *machine, const struct compiled *compiled)
{
    struct buf text = {0}, messages = {0}, problem = {0};
    char path[PATH_MAX], code[] = "-c", input[] = TOOL_INPUT;
    char *argv[] = {path, code, input, NULL};
    if (!find_nvdisasm(path, compiled->ptxas)) {
        buf_puts(&problem, "nvdisasm is neither on PATH nor beside ptxas: put the one of a CUDA "
                           "toolkit on PATH");
        return buf_take(&problem);
    }
    char *failure =
        tool_run(argv, TOOL_PRINTS, (struct str){compiled->cubin.data, compiled->cubin.len}, NULL,
                 &text, &messages);
    if (!failure) read_text(machine, (struct str){text.data, text.len});
    uint32_t missing = failure ? 0 : count_missing(machine);
    if (missing)
        buf_printf(&problem,
                   "%s left %" PRIu32 " instructions out: expected one of CUDA 12.8 or later", path,
                   missing);
    buf_free(&text);
    buf_free(&messages);
    return missing ? buf_take(&problem) : failure;
}

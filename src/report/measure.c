/* Measures the size and the registers of compiled code. Registers and spills are from the output of
 * ptxas -v; the size is the length of each .text section of the cubin, without the NOPs with which
 * sections are padded. */
#include "report/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "report/heads.h"
#include "report/machine.h"
#include "report/occupancy.h"

/* ---- the cubin ---- */

static unsigned opcode_at(const char *code, size_t i)
{
    struct machine_word word;
    memcpy(&word, code + i * SASS_BYTES, sizeof word);
    return machine_opcode(word);
}

static char *measure_copy_text(const char *text, size_t len)
{
    struct buf copy = {0};
    buf_add(&copy, text, len);
    return buf_take(&copy);
}

static void measure_add_section(struct measure *measure, const char *name, const char *code,
                                size_t len)
{
    size_t words = len / SASS_BYTES;
    while (words && opcode_at(code, words - 1) == SASS_NOP) words--;
    struct measure_kernel kernel = {.instructions = (uint32_t)words};
    for (size_t i = 0; i < words; i++) {
        kernel.nops += opcode_at(code, i) == SASS_NOP;
        kernel.membars += opcode_at(code, i) == SASS_MEMBAR;
    }
    kernel.name = measure_copy_text(name, strlen(name));
    vec_push(measure, kernel);
}

static bool read_cubin(struct measure *measure, const char *image, size_t len)
{
    struct cubin cubin = {0};
    bool fine = cubin_read(&cubin, image, len);
    for (uint32_t i = 0; fine && i < cubin.count; i++) {
        const char *function = cubin_function(&cubin.at[i]);
        if (function) measure_add_section(measure, function, cubin.at[i].bytes, cubin.at[i].len);
    }
    vec_free(&cubin);
    return fine;
}

/* ---- the output of ptxas -v ---- */

static struct measure_kernel *measure_find_row(const struct measure *measure, struct str name)
{
    for (uint32_t i = 0; i < measure->count; i++)
        if (str_is(name, measure->at[i].name)) return &measure->at[i];
    return NULL;
}

/* The text after mark in the line; NULL: the line does not contain mark. */
static const char *text_after_mark(const char *line, const char *mark)
{
    size_t len = strcspn(line, "\n"), wanted = strlen(mark);
    const char *hit = memmem(line, len, mark, wanted);
    return hit ? hit + wanted : NULL;
}

static void read_log(struct measure *measure, const char *log)
{
    struct measure_kernel *entry = NULL, *spiller = NULL;
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *rest;
        unsigned stack, stores, loads, registers;
        if ((rest = text_after_mark(line, "Compiling entry function '"))) {
            entry = measure_find_row(measure, (struct str){rest, strcspn(rest, "'\n")});
            if (entry) entry->is_entry = true;
        } else if ((rest = text_after_mark(line, "Function properties for "))) {
            spiller = measure_find_row(measure, (struct str){rest, strcspn(rest, "\n")});
        } else if (spiller && sscanf(line, " %9u bytes stack frame, %9u bytes spill stores, %9u",
                                     &stack, &stores, &loads) == 3) {
            spiller->spill_stores = stores;
            spiller->spill_loads = loads;
            spiller = NULL;
        } else if (entry && (rest = text_after_mark(line, ": Used ")) &&
                   sscanf(rest, "%9u registers", &registers) == 1) {
            entry->registers = registers;
            entry = NULL;
        }
    }
}

/* ---- directives of the text ---- */

static void read_heads(struct measure *measure, const struct compiled *compiled)
{
    size_t at = 0;
    for (struct head head = {0}; heads_next(compiled->text, &at, &head);) {
        struct measure_kernel *kernel = measure_find_row(measure, head.name);
        if (!kernel || !kernel->is_entry) continue;
        kernel->threads = head.threads;
        kernel->warps = occupancy_warps(compiled->arch, kernel->registers, head.threads);
    }
}

/* ---- interface ---- */

char *measure_read(struct measure *measure, struct compiled *compiled)
{
    static const char unread[] = "ptxas wrote no cubin that can be read";
    compiled_make(compiled);
    if (compiled->problem) return measure_copy_text(compiled->problem, strlen(compiled->problem));
    if (!read_cubin(measure, compiled->cubin.data, compiled->cubin.len))
        return measure_copy_text(unread, strlen(unread));
    read_log(measure, compiled->messages);
    read_heads(measure, compiled);
    return NULL;
}

static void copy_kernels(struct measure *measure, const struct measure *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        struct measure_kernel kernel = from->at[i];
        kernel.name = measure_copy_text(kernel.name, strlen(kernel.name));
        vec_push(measure, kernel);
    }
}

void measure_pair_read(struct measure_pair *pair, struct compiled *before, struct compiled *after)
{
    pair->problem = measure_read(&pair->before, before);
    if (!after)
        copy_kernels(&pair->after, &pair->before);
    else if (!pair->problem)
        pair->problem = measure_read(&pair->after, after);
}

bool measure_is_worse(const struct measure_kernel *before, const struct measure_kernel *after)
{
    if (!before->is_entry || !after->is_entry) return false;
    return after->registers > before->registers || after->spill_stores > before->spill_stores ||
           after->spill_loads > before->spill_loads || after->warps < before->warps;
}

static void add_worse_figure(struct buf *out, size_t start, const char *what, uint32_t before,
                             uint32_t after)
{
    buf_printf(out, "%s%s %" PRIu32 " -> %" PRIu32, out->len > start ? ", " : "", what, before,
               after);
}

void measure_add_worse(struct buf *out, const struct measure_kernel *before,
                       const struct measure_kernel *after)
{
    size_t start = out->len;
    if (after->registers > before->registers)
        add_worse_figure(out, start, "registers", before->registers, after->registers);
    if (after->spill_stores > before->spill_stores)
        add_worse_figure(out, start, "spill store bytes", before->spill_stores,
                         after->spill_stores);
    if (after->spill_loads > before->spill_loads)
        add_worse_figure(out, start, "spill load bytes", before->spill_loads, after->spill_loads);
    if (after->warps < before->warps)
        add_worse_figure(out, start, "warps on an SM", before->warps, after->warps);
}

const struct measure_kernel *measure_find(const struct measure *measure, const char *name)
{
    return measure_find_row(measure, str_from(name));
}

void measure_free(struct measure *measure)
{
    for (uint32_t i = 0; i < measure->count; i++) mem_free(measure->at[i].name);
    vec_free(measure);
}

void measure_pair_free(struct measure_pair *pair)
{
    measure_free(&pair->before);
    measure_free(&pair->after);
    mem_free(pair->problem);
    pair->problem = NULL;
}

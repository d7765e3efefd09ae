/* Writes and reads a kernel with one statement in each line. See body.h. */
#include "body.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void draft_add(struct draft *draft, const char *line)
{
    if (draft->count == MOST_LINES) return;
    draft->deleted[draft->count] = false;
    snprintf(draft->line[draft->count++], LINE, "%s", line);
}

/* ---- writing ---- */

void print_head(struct buf *text)
{
    buf_puts(text, ".version 8.8\n.target sm_100a\n.address_size 64\n"
                   ".extern .shared .align 1024 .b8 smem[];\n"
                   ".func store(.reg .b32 %t, .reg .b32 %u)\n{\n"
                   "tcgen05.st.sync.aligned.32x32b.x4.b32 [%t+8], {%u, %u, %u, %u};\nret;\n}\n");
}

const char last_line_of_head[] = "mov.u32 %sa, smem;";

/* %g and the generic %ge are another address in each thread; %gu and %sa are the same in all. The
 * value of %p is unknown. */
static const char head[] =
    ".reg .b16 %h;\n.reg .b32 %v<99>, %z<99>, %u<2>, %acc, %n, %t, %t2, %t3, %i, %w, %sa, %x, "
    "%o<2>;\n"
    ".reg .b64 %l<99>, %g, %gu, %ge, %d<2>;\n.reg .pred %q<99>, %p<3>, %pe, %pl, %pz;\n"
    "ld.param.u64 %gu, [pg];\nld.param.u64 %d0, [pd0];\nld.param.u64 %d1, [pd1];\n"
    "ld.param.u32 %t, [pt];\nld.param.u32 %t2, [pt2];\nadd.u32 %t3, %t2, 4;\n"
    "ld.param.u32 %i, [pi];\nld.param.u32 %u0, [pu];\nadd.u32 %u1, %u0, 1;\n"
    "ld.param.u32 %n, [pn];\nmov.b16 %h, 3;\nmov.u32 %acc, 0;\n"
    "ld.param.u32 %x, [pp];\nsetp.eq.u32 %p0, %x, 1;\nsetp.eq.u32 %p1, %x, 2;\n"
    "setp.eq.u32 %p2, %x, 3;\nsetp.eq.u32 %pz, %x, 4;\n"
    "mov.u32 %w, %tid.x;\nmul.wide.u32 %g, %w, 4096;\nld.param.u64 %ge, [pge];\n"
    "add.u64 %ge, %ge, %g;\nadd.u64 %g, %g, %gu;\n";

/* Each register of a name is read once into %acc. */
static void print_reads(struct buf *text, const struct draft *draft, const char *name,
                        const char *how)
{
    bool seen[99] = {false};
    for (uint32_t i = 0; i < draft->count; i++)
        for (const char *at = draft->line[i]; (at = strstr(at, name)); at++) {
            unsigned long n = strtoul(at + strlen(name), NULL, 10);
            if (!isdigit((unsigned char)at[strlen(name)]) || n >= 99 || seen[n]) continue;
            seen[n] = true;
            for (const char *c = how; *c; c++) {
                if (*c == '$')
                    buf_printf(text, "%lu", n);
                else
                    buf_putc(text, *c);
            }
        }
}

/* setmaxnreg needs .maxnreg, which changes how everything else is scheduled. */
static const char *registers_of(const struct draft *draft)
{
    for (uint32_t i = 0; i < draft->count; i++)
        if (!strncmp(draft->line[i], "setmaxnreg", 10)) return ".maxnreg 128\n";
    return "";
}

void print_kernel(struct buf *text, const char *name, const struct draft *draft, bool before)
{
    buf_printf(text,
               ".visible .entry %s(.param .u64 pg, .param .u64 pd0, .param .u64 pd1, "
               ".param .u32 pt, .param .u32 pt2, .param .u32 pi, .param .u32 pu, "
               ".param .u32 pn, .param .u32 pp, .param .u64 pge)\n",
               name);
    buf_printf(text, ".explicitcluster\n.reqnctapercluster 2\n%s{\n%s%s\n", registers_of(draft),
               head, last_line_of_head);
    for (uint32_t i = 0; i < draft->count; i++)
        if (before || !draft->deleted[i]) buf_printf(text, "%s\n", draft->line[i]);
    buf_puts(text, "@%pz bra END;\n");
    print_reads(text, draft, "%v", "xor.b32 %acc, %acc, %v$;\n");
    print_reads(text, draft, "%z", "xor.b32 %acc, %acc, %z$;\n");
    print_reads(text, draft, "%l", "cvt.u32.u64 %x, %l$;\nxor.b32 %acc, %acc, %x;\n");
    print_reads(text, draft, "%q", "selp.b32 %x, 1, 2, %q$;\nxor.b32 %acc, %acc, %x;\n");
    buf_puts(text, "st.global.u32 [%g], %acc;\nEND:\nret;\n}\n");
}

/* ---- reading ---- */

/* Names, in the order of their first use. */
struct names {
    const char *at[MOST_LINES];
    size_t length[MOST_LINES];
    int statement[MOST_LINES];
    uint32_t count;
};

static int number_of(struct names *names, const char *name, size_t length)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->length[i] == length && !memcmp(names->at[i], name, length)) return (int)i;
    names->at[names->count] = name;
    names->length[names->count] = length;
    names->statement[names->count] = NO_TARGET;
    return (int)names->count++;
}

/* %pl and the result of a try_wait are new in each iteration of a loop; the others keep their
 * value. */
static bool is_free(const char *name, size_t length)
{
    return !strncmp(name, "%q", 2) || (length == 3 && !strncmp(name, "%pl", 3));
}

static const char *read_guard(struct statement *statement, const char *line,
                              struct names *predicates)
{
    statement->guard = NO_PREDICATE;
    if (*line != '@') return line;
    statement->negated = line[1] == '!';
    const char *name = line + 1 + statement->negated;
    size_t length = strcspn(name, " ");
    bool free = is_free(name, length);
    statement->guard = free ? FREE_PREDICATE : number_of(predicates, name, length);
    return name + length + strspn(name + length, " ");
}

bool body_parse(struct body *body, const struct draft *draft)
{
    struct names labels = {.count = 0}, predicates = {.count = 0};
    body->count = draft->count;
    for (uint32_t i = 0; i < draft->count; i++) {
        struct statement *statement = &body->at[i];
        *statement = (struct statement){.deleted = draft->deleted[i], .target = NO_TARGET};
        const char *at = read_guard(statement, draft->line[i], &predicates);
        statement->op = vocabulary_find(at, &statement->number);
        statement->branches = !strncmp(at, "bra ", 4);
        if (statement->branches)
            statement->target = number_of(&labels, at + 4, strcspn(at + 4, ";"));
        size_t length = strlen(at);
        if (length && at[length - 1] == ':')
            labels.statement[number_of(&labels, at, length - 1)] = (int)i;
    }
    body->predicates = predicates.count;
    for (uint32_t i = 0; i < body->count; i++) {
        struct statement *statement = &body->at[i];
        if (!statement->branches) continue;
        statement->target = labels.statement[statement->target];
        if (statement->target == NO_TARGET) return false;
    }
    return true;
}

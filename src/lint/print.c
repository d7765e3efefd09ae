/* How are values and conditions spelled? */
#include "lint/print.h"

#include <inttypes.h>

#include "lint/barriers.h"
#include "lint/expr.h"
#include "lint/tmem.h"

static void print_arguments(const struct lint *lint, const struct expr *e, struct buf *out)
{
    buf_putc(out, '(');
    for (int i = 0; i < 3; i++) {
        if (i && !e->a[i].base && !e->a[i].offset) continue;
        if (i) buf_puts(out, ", ");
        print_value(lint, e->a[i], out);
    }
    buf_putc(out, ')');
}

static void print_infix(const struct lint *lint, const struct expr *e, const char *between,
                        struct buf *out)
{
    buf_putc(out, '(');
    print_value(lint, e->a[0], out);
    buf_printf(out, " %s ", between);
    print_value(lint, e->a[1], out);
    buf_putc(out, ')');
}

static uint32_t line_of(const struct lint *lint, uint32_t instr)
{
    return source_place(lint->view->source, lint->function->instrs[instr].span.start).line;
}

static void print_base(const struct lint *lint, uint32_t base, struct buf *out)
{
    static const char *const words[] = {[EXPR_PARAMETER] = "parameter",
                                        [EXPR_ALLOCATED] = "allocated",
                                        [EXPR_SELECT] = "select",
                                        [EXPR_ELECTED] = "elected"};
    static const char *const signs[] = {
        [EXPR_SUM] = "+",   [EXPR_PRODUCT] = "*", [EXPR_EQ] = "==", [EXPR_LT_S] = "<",
        [EXPR_LT_U] = "<u", [EXPR_AND] = "&&",    [EXPR_OR] = "||"};
    const struct expr e = *value_expr(lint, (struct value){base, 0});
    struct str name = value_name(lint, e.reg);
    if (e.kind < sizeof signs / sizeof *signs && signs[e.kind]) {
        print_infix(lint, &e, signs[e.kind], out);
    } else if (e.kind < sizeof words / sizeof *words && words[e.kind]) {
        buf_puts(out, words[e.kind]);
        print_arguments(lint, &e, out);
    } else if (e.kind == EXPR_NAME) {
        buf_add(out, name.p, name.n);
    } else if (e.kind == EXPR_LOADED) {
        buf_printf(out, "loaded@%" PRIu32, line_of(lint, e.instr));
    } else if (e.kind == EXPR_REG) {
        buf_printf(out, "register#%" PRIu32, e.reg);
    } else if (e.spelling == SPELLING_SHIFT_RIGHT) {
        print_infix(lint, &e, ">>", out);
    } else if (e.spelling == SPELLING_AND) {
        print_infix(lint, &e, "&", out);
    } else {
        buf_puts(out, "op");
        print_arguments(lint, &e, out);
    }
}

void print_value(const struct lint *lint, struct value v, struct buf *out)
{
    if (value_is_none(v)) {
        buf_puts(out, "?");
    } else if (!v.base) {
        buf_printf(out, "%" PRId64, v.offset);
    } else {
        print_base(lint, v.base, out);
        if (v.offset) buf_printf(out, "%+" PRId64, v.offset);
    }
}

static void print_conditions(const struct lint *lint, const struct condition_set *set,
                             struct buf *out)
{
    for (uint32_t i = 0; i < set->count; i++) {
        buf_puts(out, i ? ", " : " ");
        if (!set->at[i].holds) buf_puts(out, "not ");
        print_value(lint, (struct value){set->at[i].base, 0}, out);
    }
}

static void print_barriers(const struct lint *lint, const struct block *block, struct buf *out)
{
    static const char *const words[] = {[BARRIER_INIT] = "init",
                                        [BARRIER_INVAL] = "inval",
                                        [BARRIER_EXPECT] = "expect",
                                        [BARRIER_ARRIVE] = "arrive",
                                        [BARRIER_ARRIVE_EXPECT] = "arrive.expect",
                                        [BARRIER_COMMIT] = "commit",
                                        [BARRIER_COPY] = "copy",
                                        [BARRIER_ASYNC_ARRIVE] = "async.arrive",
                                        [BARRIER_WAIT] = "wait"};
    for (uint32_t i = 0; i < lint->barriers->count; i++) {
        const struct barrier_use *use = &lint->barriers->uses[i];
        if (use->instr < block->first || use->instr >= block->end) continue;
        buf_printf(out, "    line %" PRIu32 ": %s ", line_of(lint, use->instr), words[use->kind]);
        print_value(lint, use->object, out);
        buf_puts(out, use->indexed ? " + index\n" : "\n");
    }
}

static void print_ranges(const struct lint *lint, const struct block *block, struct buf *out)
{
    struct tmem_range ranges[TMEM_RANGES_MAX];
    for (uint32_t i = block->first; i < block->end; i++) {
        uint32_t count = tmem_ranges(lint, i, ranges);
        for (uint32_t r = 0; r < count; r++) {
            buf_printf(out, "    line %" PRIu32 ": %s ", line_of(lint, i),
                       ranges[r].access == TMEM_READS ? "reads" : "writes");
            print_value(lint, ranges[r].address, out);
            if (ranges[r].count) buf_printf(out, ", %" PRIu32 " columns", ranges[r].count);
            buf_putc(out, '\n');
        }
    }
}

void print_roles(const struct lint *lint, struct buf *out)
{
    const struct function *f = lint->function;
    buf_printf(out, "%.*s\n", (int)f->name.n, f->name.p);
    for (uint32_t b = 0; b < lint->cfg->count; b++) {
        const struct block *block = &lint->cfg->blocks[b];
        if (block->first == block->end) continue;
        buf_printf(out, "  lines %" PRIu32 "-%" PRIu32 ":", line_of(lint, block->first),
                   line_of(lint, block->end - 1));
        if (!conditions_reach(lint, b)) buf_puts(out, " never");
        print_conditions(lint, conditions_at(lint, b), out);
        buf_putc(out, '\n');
        print_barriers(lint, block, out);
        print_ranges(lint, block, out);
    }
}

/* Prints values, conditions, mbarriers and columns. See print.h. */
#include "value/print.h"

#include <inttypes.h>

#include "value/barriers.h"
#include "value/conditions.h"
#include "value/expr.h"
#include "value/tmem.h"

static void print_value(const struct subject *subject, struct value v, struct buf *out);

static void print_arguments(const struct subject *subject, const struct expr *e, struct buf *out)
{
    buf_putc(out, '(');
    for (int i = 0; i < 3; i++) {
        if (i && !e->a[i].base && !e->a[i].offset) continue;
        if (i) buf_puts(out, ", ");
        print_value(subject, e->a[i], out);
    }
    buf_putc(out, ')');
}

static void print_infix(const struct subject *subject, const struct expr *e, const char *between,
                        struct buf *out)
{
    buf_putc(out, '(');
    print_value(subject, e->a[0], out);
    buf_printf(out, " %s ", between);
    print_value(subject, e->a[1], out);
    buf_putc(out, ')');
}

static uint32_t print_line_of(const struct subject *subject, uint32_t instr)
{
    return source_place(subject->view->source, subject->function->instrs[instr].span.start).line;
}

static void print_base(const struct subject *subject, uint32_t base, struct buf *out)
{
    static const char *const words[] = {[EXPR_PARAMETER] = "parameter",
                                        [EXPR_ALLOCATED] = "allocated",
                                        [EXPR_SELECT] = "select",
                                        [EXPR_ELECTED] = "elected"};
    static const char *const signs[] = {
        [EXPR_SUM] = "+",   [EXPR_PRODUCT] = "*", [EXPR_EQ] = "==", [EXPR_LT_S] = "<",
        [EXPR_LT_U] = "<u", [EXPR_AND] = "&&",    [EXPR_OR] = "||"};
    const struct expr e = *value_expr(subject, (struct value){base, 0});
    struct str name = value_name(subject, e.web);
    if (e.kind < sizeof signs / sizeof *signs && signs[e.kind]) {
        print_infix(subject, &e, signs[e.kind], out);
    } else if (e.kind < sizeof words / sizeof *words && words[e.kind]) {
        buf_puts(out, words[e.kind]);
        print_arguments(subject, &e, out);
    } else if (e.kind == EXPR_NAME) {
        buf_add(out, name.p, name.n);
    } else if (e.kind == EXPR_LOADED) {
        buf_printf(out, "loaded@%" PRIu32, print_line_of(subject, e.instr));
    } else if (e.kind == EXPR_REG) {
        buf_printf(out, "register#%" PRIu32, e.web);
    } else if (e.spelling == SPELLING_SHIFT_RIGHT) {
        print_infix(subject, &e, ">>", out);
    } else if (e.spelling == SPELLING_AND) {
        print_infix(subject, &e, "&", out);
    } else {
        buf_puts(out, "op");
        print_arguments(subject, &e, out);
    }
}

static void print_value(const struct subject *subject, struct value v, struct buf *out)
{
    if (value_is_none(v)) {
        buf_puts(out, "?");
    } else if (!v.base) {
        buf_printf(out, "%" PRId64, v.offset);
    } else {
        print_base(subject, v.base, out);
        if (v.offset) buf_printf(out, "%+" PRId64, v.offset);
    }
}

static void print_conditions(const struct subject *subject, const struct condition_set *set,
                             struct buf *out)
{
    for (uint32_t i = 0; i < set->count; i++) {
        buf_puts(out, i ? ", " : " ");
        if (!set->at[i].holds) buf_puts(out, "not ");
        print_value(subject, (struct value){set->at[i].base, 0}, out);
    }
}

static void print_barriers(const struct subject *subject, const struct block *block,
                           struct buf *out)
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
    for (uint32_t i = 0; i < subject->barriers->count; i++) {
        const struct barrier_use *use = &subject->barriers->uses[i];
        if (use->instr < block->first || use->instr >= block->end) continue;
        buf_printf(out, "    line %" PRIu32 ": %s ", print_line_of(subject, use->instr),
                   words[use->kind]);
        print_value(subject, use->object, out);
        buf_puts(out, use->indexed ? " + index\n" : "\n");
    }
}

static void print_ranges(const struct subject *subject, const struct block *block, struct buf *out)
{
    struct tmem_range ranges[TMEM_RANGES_MAX];
    for (uint32_t i = block->first; i < block->end; i++) {
        uint32_t count = tmem_ranges(subject, i, ranges);
        for (uint32_t r = 0; r < count; r++) {
            buf_printf(out, "    line %" PRIu32 ": %s ", print_line_of(subject, i),
                       ranges[r].access == TMEM_READS ? "reads" : "writes");
            print_value(subject, ranges[r].address, out);
            if (ranges[r].count) buf_printf(out, ", %" PRIu32 " columns", ranges[r].count);
            buf_putc(out, '\n');
        }
    }
}

void print_roles(const struct subject *subject, struct buf *out)
{
    const struct function *f = subject->function;
    buf_printf(out, "%.*s\n", (int)f->name.n, f->name.p);
    for (uint32_t b = 0; b < subject->cfg->count; b++) {
        const struct block *block = &subject->cfg->blocks[b];
        if (block->first == block->end) continue;
        buf_printf(out, "  lines %" PRIu32 "-%" PRIu32 ":", print_line_of(subject, block->first),
                   print_line_of(subject, block->end - 1));
        if (!conditions_reach(subject, b)) buf_puts(out, " never");
        print_conditions(subject, conditions_at(subject, b), out);
        buf_putc(out, '\n');
        print_barriers(subject, block, out);
        print_ranges(subject, block, out);
    }
}

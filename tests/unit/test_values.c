/* Checks the values of registers: whether the two at the end of a body are surely equal; and for
 * accesses to shared memory the bytes between which they are. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "syntax/cst.h"
#include "value/condition_pairs.h"
#include "value/conditions.h"
#include "value/smem.h"
#include "value/values.h"

static const struct {
    const char *why, *body;
    bool same;
} PAIRS[] = {
    {"a copy", "ld.global.u32 a, [g]; mov.b32 b, a;", true},
    {"a register that was written again", "ld.global.u32 a, [g]; mov.b32 b, a; mov.b32 a, 0;",
     false},
    {"a sum in another order",
     "mov.u32 c, %tid.x; mov.u32 d, %ctaid.x; add.u32 a, c, d; add.u32 e, d, 4; add.u32 b, e, c; "
     "sub.u32 b, b, 4;",
     true},
    {"a conversion to more bits", "mov.u32 a, %tid.x; cvt.u64.u32 b, a;", true},
    {"a conversion to a float", "mov.u32 a, %tid.x; cvt.rn.f32.u32 b, a;", false},
    {"a conversion to a bfloat", "mov.u32 a, %tid.x; cvt.rn.bf16.u32 b, a;", false},
    {"a sum that saturates", "mov.u32 c, %tid.x; add.s32 a, c, 1; add.sat.s32 b, c, 1;", false},
    {"a sum of halves", "mov.u32 c, %tid.x; add.u32 a, c, 1; add.u16x2 b, c, 1;", false},
    {"a sum with a carry",
     "mov.u32 c, %tid.x; addc.u32 a, c, 1; add.cc.u32 d, c, -1; addc.u32 b, c, 1;", false},
    {"a special register", "mov.u32 a, %tid.x; mov.u32 b, %tid.x;", true},
    {"a special register that may change", "mov.u32 a, %smid; mov.u32 b, %smid;", false},
    {"what one address holds", "ld.global.u32 a, [g]; ld.global.u32 b, [g];", false},
    {"a part of a vector of parameters", "ld.param.v2.u32 {c, a}, [s]; ld.param.u32 b, [s+4];",
     true},
    {"another part", "ld.param.v2.u32 {a, c}, [s]; ld.param.u32 b, [s+4];", false},
    {"a part of a vector of longer ones", "ld.param.v2.u64 {c, a}, [s]; ld.param.u32 b, [s+4];",
     false},
    {"a part of a vector of global memory", "ld.global.v2.u32 {c, a}, [g]; ld.global.u32 b, [g+4];",
     false},
    {"one bit pattern, spelled otherwise",
     "mov.u32 c, %ctaid.x; setp.eq.u32 p, c, 0xffffffff; setp.eq.s32 q, c, -1; selp.u32 a, 1, 0, "
     "p; selp.u32 b, 1, 0, q;",
     true},
    {"an order without signs",
     "mov.u32 c, %ctaid.x; setp.lt.u32 p, c, 0xffffffff; setp.lt.s32 q, c, -1; selp.u32 a, 1, 0, "
     "p; selp.u32 b, 1, 0, q;",
     false},
    {"an order of floats",
     "mov.u32 c, %ctaid.x; setp.lt.bf16 p, c, 5; setp.lt.u32 q, c, 5; selp.u32 a, 1, 0, p; "
     "selp.u32 b, 1, 0, q;",
     false},
    {"bits that do not meet",
     "mov.u32 c, %tid.x; shl.b32 d, c, 4; or.b32 a, d, 3; add.u32 b, d, 3;", true},
    {"bits that may meet", "mov.u32 c, %tid.x; shl.b32 d, c, 1; or.b32 a, d, 3; add.u32 b, d, 3;",
     false},
};

static const struct {
    const char *why, *body, *ranges;
} ACCESSES[] = {
    {"constants", "st.shared.b32 [s+8], a; st.shared.v4.b32 [s], {a, a, a, a};", "[8,12) [0,16)"},
    {"all threads of a CTA",
     "mov.u32 a, %tid.x; shl.b32 b, a, 4; add.u32 b, b, s; "
     "st.shared.v4.b32 [b+32], {a, a, a, a};",
     "[32,16416)"},
    {"threads that come there",
     "mov.u32 a, %tid.x; setp.ge.u32 p, a, 64; @p bra L; shl.b32 b, a, 2; add.u32 b, b, s; "
     "st.shared.b32 [b], a; L:",
     "[0,256)"},
    {"lanes", "mov.u32 a, %tid.x; and.b32 b, a, 31; mad.lo.u32 b, b, 8, s; ld.shared.b64 c, [b];",
     "[0,256)"},
    {"a warp's place",
     "mov.u32 a, %tid.x; shr.u32 b, a, 5; shl.b32 b, b, 7; add.u32 b, b, s; "
     "ld.shared.b32 c, [b];",
     "[0,3972)"},
    {"one of two stages",
     "ld.global.u32 a, [g]; setp.eq.u32 p, a, 0; selp.u32 b, 0, 1024, p; add.u32 b, b, s; "
     "ld.shared.b32 c, [b];",
     "[0,1028)"},
    {"any number", "ld.global.u32 a, [g]; add.u32 b, a, s; ld.shared.b32 c, [b];", "?"},
    {"what a loop counts",
     "mov.u32 a, s; L: ld.shared.b32 c, [a]; add.u32 a, a, 16; setp.lt.u32 p, c, 9; @p bra L;",
     "?"},
    {"matrices, of which the size is not known here",
     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {a}, [s+64];", "[64,…)"},
    {"a product that 32 bits do not hold",
     "mov.u32 a, %tid.x; mul.lo.u32 b, a, 4194304; add.u32 b, b, s; ld.shared.b32 c, [b];", "?"},
    {"other memory", "ld.global.b32 a, [g]; ld.param.b32 a, [s];", ""},
};

/* The number of edges that control never takes. */
static const struct {
    const char *why, *body;
    uint32_t dead;
} BRANCHES[] = {
    {"a loop that runs once", "mov.u32 a, 0; L: add.u32 a, a, 1; setp.lt.u32 p, a, 1; @p bra L;",
     1},
    {"a loop that runs twice", "mov.u32 a, 0; L: add.u32 a, a, 1; setp.lt.u32 p, a, 2; @p bra L;",
     0},
    {"a flag that two ways set alike",
     "mov.u32 a, 0; @q bra M; mov.u32 a, 0; M: setp.ne.u32 p, a, 0; @p bra L; trap; L:", 1},
    {"a flag that two ways set otherwise",
     "mov.u32 a, 0; @q bra M; mov.u32 a, 1; M: setp.ne.u32 p, a, 0; @p bra L; trap; L:", 0},
    {"a flag that one way does not set",
     "@q bra M; @r bra N; mov.u32 a, 0; bra M; N: mov.u32 a, 0; M: setp.ne.u32 p, a, 0; @p bra L; "
     "trap; L:",
     0},
    {"a flag that may be set under a guard",
     "mov.u32 a, 0; @q mov.u32 a, 1; setp.ne.u32 p, a, 0; @p bra L; trap; L:", 0},
    {"a flag that is loaded",
     "mov.u32 a, 0; @q bra M; ld.global.u32 a, [g]; M: setp.ne.u32 p, a, 0; @p bra L; trap; L:", 0},
    {"a predicate of what has changed since",
     "mov.u32 a, 0; L: setp.lt.u32 p, a, 1; mov.u32 a, 5; @p bra L;", 0},
    {"the opposite of a predicate",
     "mov.u32 a, 0; L: add.u32 a, a, 1; setp.lt.u32 p|q, a, 1; @!q bra L;", 1},
    {"what only a dead way sets",
     "mov.u32 b, 0; mov.u32 a, 0; L: add.u32 a, a, 1; setp.lt.u32 p, a, 1; @!p bra M; "
     "mov.u32 b, 1; bra L; M: setp.ne.u32 q, b, 0; @q bra L; ",
     2},
    {"a call that writes it",
     "mov.u32 a, 0; @q bra M; call (a), f; M: setp.ne.u32 p, a, 0; @p bra L; trap; L:", 0},
};

struct text {
    struct arena arena;
    struct source source;
    struct diag_list diags;
    struct cst *cst;
    struct view view;
    struct cfg cfg;
    struct subject subject;
};

static void read_body(struct text *text, const char *body, const char *end)
{
    uint32_t at;
    char *all = arena_printf(&text->arena,
                             ".version 8.8\n.target sm_100a\n.address_size 64\n"
                             ".extern .shared .align 1024 .b8 s[];\n"
                             ".visible .entry k() {\n%s\n%s tcgen05.wait::ld.sync.aligned; }\n",
                             body, end);
    source_init(&text->source, &text->arena, "k.ptx", str_from(all));
    text->cst = cst_parse(&text->source, &text->arena, &text->diags);
    assert_non_null(text->cst);
    struct reader *reader = reader_of_tree(text->cst);
    assert_true(view_build(&text->view, reader, &text->source, true, &text->arena));
    reader_free(reader);
    assert_null(cfg_build(&text->cfg, text->view.functions, &text->source, &text->arena, &at));
    text->subject = (struct subject){.view = &text->view,
                                     .function = text->view.functions,
                                     .cfg = &text->cfg,
                                     .arena = &text->arena};
    subject_begin(&text->subject);
    values_build(&text->subject);
    conditions_build(&text->subject);
    condition_pairs_build(&text->subject);
}

static void release(struct text *text)
{
    condition_pairs_free(text->subject.condition_pairs);
    conditions_free(text->subject.conditions);
    values_free(text->subject.values);
    vec_free(&text->diags);
    cst_free(text->cst);
    arena_free(&text->arena);
}

static void what_is_the_same_is_one_value(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof PAIRS / sizeof *PAIRS; c++) {
        struct text text = {0};
        read_body(&text, PAIRS[c].body, "st.global.b32 [x], a; st.global.b32 [x], b;");
        uint32_t last = text.subject.function->count - 3; /* the wait and the end are after it */
        struct value a = value_of_operand(&text.subject, last - 1, 1);
        struct value b = value_of_operand(&text.subject, last, 1);
        bool same = value_same(a, b) && value_is_fixed(&text.subject, a);
        if (same != PAIRS[c].same) fail_msg("%s", PAIRS[c].why);
        release(&text);
    }
}

static void accesses_are_within_their_bounds(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof ACCESSES / sizeof *ACCESSES; c++) {
        struct text text = {0};
        struct buf got = {0};
        read_body(&text, ACCESSES[c].body, "");
        const struct smem_accesses *accesses = smem_accesses_find(&text.subject);
        for (uint32_t i = 0; i < accesses->count; i++) {
            struct smem_range range = smem_range_of(&text.subject, &accesses->at[i]);
            if (i) buf_putc(&got, ' ');
            if (!range.known)
                buf_putc(&got, '?');
            else if (range.end == INT64_MAX)
                buf_printf(&got, "[%lld,…)", (long long)range.first);
            else
                buf_printf(&got, "[%lld,%lld)", (long long)range.first, (long long)range.end);
        }
        buf_putc(&got, '\0');
        if (strcmp(got.data, ACCESSES[c].ranges))
            fail_msg("%s: %s, not %s", ACCESSES[c].why, got.data, ACCESSES[c].ranges);
        buf_free(&got);
        release(&text);
    }
}

static void dead_edges_are_never_taken(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof BRANCHES / sizeof *BRANCHES; c++) {
        struct text text = {0};
        uint32_t count = 0;
        read_body(&text, BRANCHES[c].body, "");
        for (uint32_t b = 0; b < text.cfg.count; b++) {
            const struct block *block = &text.cfg.blocks[b];
            for (uint32_t n = 0; block->reachable && n < block->succ_count; n++)
                count += !conditions_take(&text.subject, b, text.cfg.succs[block->first_succ + n]);
        }
        if (count != BRANCHES[c].dead) fail_msg("%s: %u", BRANCHES[c].why, count);
        release(&text);
    }
}

static void ranges_are_apart_only_for_sure(void **state)
{
    const struct smem_range a = {true, 1, 0, 16}, b = {true, 1, 16, 32}, other = {true, 2, 16, 32};
    const struct smem_range open = {true, 1, 4, INT64_MAX}, unknown = {.known = false};
    (void)state;
    assert_true(smem_ranges_apart(&a, &b) && smem_ranges_apart(&b, &a));
    assert_false(smem_ranges_apart(&a, &a) || smem_ranges_apart(&a, &other));
    assert_false(smem_ranges_apart(&a, &open) || smem_ranges_apart(&open, &b));
    assert_false(smem_ranges_apart(&a, &unknown) || smem_ranges_apart(&unknown, &b));
}

/* The guard is the conjunction of t < 128 and of t != i for each i below count: nested by the first
 * operand of each and.pred, or by the second one. Returns whether it excludes t == number. */
static bool conjunction_excludes(uint32_t count, bool by_second, uint32_t number)
{
    struct text text = {0};
    struct buf body = {0}, end = {0};
    buf_printf(&body, "mov.u32 t, %%tid.x; setp.lt.u32 r0, t, 128;");
    for (uint32_t i = 0; i < count; i++) {
        buf_printf(&body, "setp.ne.u32 q%u, t, %u;", i, i);
        if (by_second)
            buf_printf(&body, "and.pred r%u, q%u, r%u;", i + 1, i, i);
        else
            buf_printf(&body, "and.pred r%u, r%u, q%u;", i + 1, i, i);
    }
    buf_printf(&body, "setp.eq.u32 p, t, %u;", number);
    buf_printf(&end, "@r%u st.global.b32 [x], 1; @p st.global.b32 [x], 2;", count);
    buf_putc(&body, '\0');
    buf_putc(&end, '\0');
    read_body(&text, body.data, end.data);
    uint32_t last = text.subject.function->count - 3; /* the wait and the end are after it */
    bool excludes = condition_pairs_exclude(&text.subject, last - 1, last);
    buf_free(&body);
    buf_free(&end);
    release(&text);
    return excludes;
}

/* Of a long conjunction only a part is known, but what is known is true. */
static void conjunctions_exclude_only_for_sure(void **state)
{
    (void)state;
    for (int by_second = 0; by_second < 2; by_second++) {
        for (uint32_t number = 0; number < 8; number++)
            assert_true(conjunction_excludes(8, by_second, number));
        assert_true(conjunction_excludes(8, by_second, 200));
        assert_false(conjunction_excludes(8, by_second, 100));
        assert_false(conjunction_excludes(40, by_second, 100));
        assert_false(conjunction_excludes(100, by_second, 110));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_the_same_is_one_value),
        cmocka_unit_test(accesses_are_within_their_bounds),
        cmocka_unit_test(dead_edges_are_never_taken),
        cmocka_unit_test(ranges_are_apart_only_for_sure),
        cmocka_unit_test(conjunctions_exclude_only_for_sure),
    };
    return RUN_TESTS(tests);
}

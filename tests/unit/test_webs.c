/* Checks which definitions and uses are joined. Each case is a body, and a letter for each
 * register and symbol that it names, in the order of the text: the same letter for the same web.
 * Then random bodies, where each definition is followed separately to all uses that it reaches. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "flow/webs.h"
#include "syntax/cst.h"

#define SIXTEEN(text)                                                                              \
    text text text text text text text text text text text text text text text text
/* More blocks than the search visits before it asks the tree of dominators. */
#define LONG(text) SIXTEEN(text) SIXTEEN(text) SIXTEEN(text) SIXTEEN(text) text

static const struct {
    const char *why, *body, *webs;
} CASES[] = {
    {"a register that is written again", "mov.b32 a, 1; mov.b32 b, a; mov.b32 a, 2; mov.b32 c, a;",
     "abacdc"},
    {"what is computed of itself", "mov.b32 a, 1; add.u32 a, a, 1; mov.b32 b, a;", "abacb"},
    {"two writes that come to one use",
     "@p bra L; mov.b32 a, 1; bra M; L: mov.b32 a, 2; M: mov.b32 b, a; mov.b32 a, 3; mov.b32 c, a;",
     "abbcbded"},
    {"a loop", "mov.b32 a, 1; L: add.u32 a, a, 1; @p bra L; mov.b32 b, a; mov.b32 a, 5;",
     "aaabcad"},
    {"a loop that sets it anew each time", "mov.b32 a, 1; L: mov.b32 a, 2; mov.b32 b, a; @p bra L;",
     "abcbd"},
    {"a guarded write leaves what was there",
     "mov.b32 a, 1; @p mov.b32 a, 2; mov.b32 b, a; mov.b32 a, 3; mov.b32 c, a;", "abacaded"},
    {"guarded writes one after the other", "@p mov.b32 a, 1; @!p mov.b32 a, 2; mov.b32 b, a;",
     "ababcb"},
    {"read before the only write", "mov.b32 b, a; mov.b32 a, 1; mov.b32 c, a;", "abbcb"},
    {"read before the first of two writes",
     "mov.b32 b, a; mov.b32 a, 1; mov.b32 c, a; mov.b32 a, 2;", "abcdce"},
    {"read where not all paths have written",
     "@p bra L; mov.b32 a, 1; L: mov.b32 c, a; mov.b32 a, 2; mov.b32 d, a;", "abcbded"},
    {"names of blocks",
     "{ .reg .b32 x; mov.b32 x, 1; mov.b32 a, x; } { .reg .b32 x; mov.b32 x, 2; mov.b32 b, x; }",
     "abacdc"},
    {"a block that is entered again",
     "L: { .reg .b32 x; @p mov.b32 x, 1; mov.b32 a, x; mov.b32 x, 2; } @p bra L;", "abcbba"},
    {"vectors",
     "ld.shared.v2.b32 {a, b}, [s]; st.shared.v2.b32 [s], {a, b}; ld.shared.v2.b32 {b, a}, [s];",
     "abccabdec"},
    {"one register twice in a vector", "mov.b32 a, 1; ld.shared.v2.b32 {a, a}, [s]; mov.b32 b, a;",
     "abbcdb"},
    {"a predicate and its opposite",
     "setp.eq.u32 p|q, a, 1; @p mov.b32 b, 1; setp.eq.u32 q|p, a, 2; @q mov.b32 b, 3;",
     "abcadefced"},
    {"what is thrown away", "elect.sync _|p, -1; @p mov.b32 a, 1; elect.sync _|p, -1; @p trap;",
     "aabcc"},
    {"calls", "call (a), f, (b); mov.b32 c, a; call (a), f, (c); mov.b32 b, a;", "abcdaebdce"},
    {"an instruction that is not known",
     "mov.b32 a, 1; new.b32 a, b; mov.b32 c, a; mov.b32 a, 3; mov.b32 d, a;", "aabcaded"},
    {"an accumulator of wgmma",
     "mov.f32 f, 0f00000000; wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {f, g}, s, t, 1, "
     "1, 1; mov.f32 h, f; mov.f32 f, 0f00000000; mov.f32 g, f;",
     "aabcdeafgf"},
    {"special registers and symbols",
     "mov.u32 a, %tid.x; mov.u32 a, %tid.x; mov.u32 b, slot; mov.u32 b, slot;", "abcbdefe"},
    {"what nothing comes to",
     "mov.b32 a, 1; bra L; mov.b32 b, a; mov.b32 a, 2; L: mov.b32 c, a; mov.b32 a, 4;", "abcdeaf"},
    {"the ways of a table",
     "T: .branchtargets L, M; mov.b32 a, 1; brx.idx i, T; L: mov.b32 a, 2; M: mov.b32 b, a; "
     "mov.b32 a, 3;",
     "abcadae"},
    {"a write beside the one of a long loop",
     "mov.b32 a, 1; L: " LONG("@p bra N; ") "@q bra M; mov.b32 a, 2; M: add.u32 a, a, 1; @p bra L; "
                                            "N: mov.b32 b, a;",
     "a" LONG("b") "caaabda"},
    {"a write in a long loop around one that counts",
     "L: mov.b32 a, 1; M: " LONG(
         "@p bra N; ") "add.u32 a, a, 1; @p bra M; @q bra L; N: mov.b32 b, a;",
     "a" LONG("b") "aabcda"},
    {"a long loop that sets it anew",
     "mov.b32 a, 1; L: @q bra M; M: mov.b32 b, a; " LONG("@p bra N; ") "mov.b32 a, 2; @p bra L; "
                                                                       "N: mov.b32 b, 3;",
     "abca" LONG("d") "ade"},
    {"a long loop that reads before it sets anew",
     "mov.b32 a, 1; L: " LONG(
         "@p bra N; ") "mov.b32 b, a; mov.b32 c, 1; @q bra M; M: mov.b32 a, 2; @p bra L; "
                       "N: mov.b32 b, 3;",
     "a" LONG("b") "cadeabf"},
    {"a long loop in a loop that sets it anew",
     "L: mov.b32 a, 1; M: " LONG(
         "@p bra N; ") "mov.b32 b, a; @q bra O; O: mov.b32 a, 2; @p bra M; @q bra L; "
                       "N: mov.b32 b, 3;",
     "a" LONG("b") "cadabde"},
    {"a write on another long path, in front",
     "mov.b32 a, 1; @q bra L; mov.b32 a, 2; mov.b32 b, a; bra N; L: " LONG(
         "@p bra N; ") "mov.b32 b, a; N: mov.b32 b, 3;",
     "abcdc" LONG("e") "fag"},
    {"a write on another long path, behind",
     "mov.b32 a, 1; @q bra L; " LONG(
         "@p bra N; ") "mov.b32 b, a; bra N; L: mov.b32 a, 2; mov.b32 c, a; N: mov.b32 b, 3;",
     "ab" LONG("c") "daefeg"},
};

struct text {
    struct arena arena;
    struct source source;
    struct diag_list diags;
    struct cst *cst;
    struct view view;
    struct cfg cfg;
    const struct function *renamed;
};

static void read_body(struct text *text, const char *body)
{
    struct loops loops;
    uint32_t at;
    char *all = arena_printf(&text->arena,
                             ".version 8.8\n.target sm_100a\n.address_size 64\n"
                             ".visible .entry k() {\n%s\ntcgen05.wait::ld.sync.aligned; }\n",
                             body);
    source_init(&text->source, &text->arena, "k.ptx", str_from(all));
    text->cst = cst_parse(&text->source, &text->arena, &text->diags);
    assert_non_null(text->cst);
    struct reader *reader = reader_of_tree(text->cst);
    assert_true(view_build(&text->view, reader, &text->source, true, &text->arena));
    reader_free(reader);
    assert_int_equal(text->view.count, 1);
    assert_null(cfg_build(&text->cfg, text->view.functions, &text->source, &text->arena, &at));
    loops_find_components(&text->cfg, &text->arena, &loops);
    text->renamed = webs_rename(&text->cfg, &loops, &text->arena, NULL);
}

static void release(struct text *text)
{
    vec_free(&text->diags);
    cst_free(text->cst);
    arena_free(&text->arena);
}

static uint32_t count_uses(const struct function *f)
{
    const struct instr *last = &f->instrs[f->count - 2];
    return last->first_use + last->use_count;
}

/* Adds a letter for each use: the letters are in the order in which the webs first appear. */
static void print_webs(const struct text *text, struct buf *out)
{
    const struct function *f = text->renamed;
    char *letters = test_calloc(f->reg_count, sizeof *letters), next = 'a';
    for (uint32_t u = 0; u < count_uses(f); u++) {
        char *letter = &letters[f->uses[u].reg];
        if (!*letter) *letter = next++;
        buf_putc(out, *letter);
    }
    buf_putc(out, '\0');
    test_free(letters);
}

static void uses_that_belong_together_are_one_web(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        struct text text = {0};
        struct buf got = {0};
        read_body(&text, CASES[c].body);
        print_webs(&text, &got);
        if (strcmp(got.data, CASES[c].webs))
            fail_msg("%s: %s, not %s", CASES[c].why, got.data, CASES[c].webs);
        buf_free(&got);
        release(&text);
    }
}

/* ---- random bodies ---- */

/* Short bodies with many writes, and long ones, in most of which a definition is followed through
 * many blocks. */
static const struct shape {
    uint32_t registers, labels, statements, programs;
    uint32_t writes; /* one in so many statements computes */
} SHAPES[] = {{4, 5, 24, 3000, 1}, {6, 30, 60, 25, 6}, {3, 30, 60, 25, 12}};

static char *random_body(uint32_t *seed, const struct shape *shape)
{
    struct buf body = {0};
    uint32_t labels = 0;
    for (uint32_t n = 0; n < shape->statements; n++) {
        char to = (char)('a' + random_below(seed, shape->registers));
        char from = (char)('a' + random_below(seed, shape->registers));
        uint32_t target = random_below(seed, shape->labels);
        if (labels < shape->labels && random_below(seed, shape->statements / shape->labels) == 0)
            buf_printf(&body, "L%u: ", labels++);
        switch (random_below(seed, 8)) {
        case 0: buf_printf(&body, "@p bra L%u;\n", target); break;
        case 1: buf_printf(&body, "@%c mov.b32 %c, 1;\n", from, to); break;
        case 2: buf_printf(&body, "ld.shared.v2.b32 {%c, %c}, [s];\n", to, from); break;
        case 3:
            buf_printf(&body, "bra L%u;\n", random_below(seed, 4) ? shape->labels : target);
            break;
        case 4: buf_printf(&body, "st.shared.v2.b32 [s], {%c, %c};\n", to, from); break;
        default: buf_printf(&body, "add.u32 %c, %c, %c;\n", to, from, to); break;
        }
        for (uint32_t i = random_below(seed, shape->writes); i > 0; i--) {
            uint32_t ahead = labels + random_below(seed, 3);
            buf_printf(&body, "@p bra L%u;\n", ahead < shape->labels ? ahead : shape->labels);
        }
    }
    while (labels <= shape->labels) buf_printf(&body, "L%u: ", labels++);
    return buf_take(&body);
}

/* By use, another use of its web; and by instruction, whether the current definition has reached
 * it. */
struct chains {
    const struct cfg *cfg;
    uint32_t *web;
    uint32_t use_count;
    bool *come;
};

static void unite(struct chains *c, uint32_t a, uint32_t b)
{
    uint32_t from = c->web[a], to = c->web[b];
    if (from == to) return;
    for (uint32_t u = 0; u < c->use_count; u++)
        if (c->web[u] == from) c->web[u] = to;
}

/* Control is about to run instr while the register has the value of the definition `of`; of is a
 * use, or one that the entry's own value reached. */
static void follow(struct chains *c, uint32_t instr, reg_id reg, uint32_t *of)
{
    const struct function *f = c->cfg->function;
    const struct instr *at = &f->instrs[instr];
    bool ends = false;
    if (c->come[instr]) return;
    c->come[instr] = true;
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++) {
        if (f->uses[u].reg != reg) continue;
        bool replaced = f->uses[u].write && at->guard == REG_NONE;
        ends |= replaced;
        if (replaced) continue;
        if (*of == UINT32_MAX) *of = u;
        unite(c, *of, u);
    }
    const struct block *block = &c->cfg->blocks[c->cfg->block_of[instr]];
    if (ends) return;
    if (instr + 1 < block->end) {
        follow(c, instr + 1, reg, of);
        return;
    }
    for (uint32_t s = 0; s < block->succ_count; s++)
        follow(c, c->cfg->blocks[c->cfg->succs[block->first_succ + s]].first, reg, of);
}

static void follow_definition(struct chains *c, uint32_t instr, uint32_t use)
{
    const struct function *f = c->cfg->function;
    const struct block *block = &c->cfg->blocks[c->cfg->block_of[instr]];
    const struct instr *at = &f->instrs[instr];
    memset(c->come, 0, f->count);
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++)
        if (f->uses[u].write && f->uses[u].reg == f->uses[use].reg) unite(c, u, use);
    if (instr + 1 < block->end) follow(c, instr + 1, f->uses[use].reg, &use);
    for (uint32_t s = 0; instr + 1 == block->end && s < block->succ_count; s++)
        follow(c, c->cfg->blocks[c->cfg->succs[block->first_succ + s]].first, f->uses[use].reg,
               &use);
}

static void follow_all(struct chains *c)
{
    const struct function *f = c->cfg->function;
    uint32_t *writes = test_calloc(f->reg_count, sizeof *writes);
    for (uint32_t u = 0; u < c->use_count; u++) c->web[u] = u;
    for (uint32_t u = 0; u < c->use_count; u++) writes[f->uses[u].reg] += f->uses[u].write;
    for (uint32_t r = 0; r < f->reg_count; r++) {
        uint32_t entry = UINT32_MAX;
        memset(c->come, 0, f->count);
        follow(c, 0, r, &entry);
    }
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t n = 0; n < f->instrs[i].use_count; n++)
            if (f->uses[f->instrs[i].first_use + n].write &&
                c->cfg->blocks[c->cfg->block_of[i]].reachable)
                follow_definition(c, i, f->instrs[i].first_use + n);
    for (uint32_t u = 0; u < c->use_count; u++)
        for (uint32_t v = 0; v < u; v++)
            if (f->uses[u].reg == f->uses[v].reg && writes[f->uses[u].reg] < 2) unite(c, u, v);
    test_free(writes);
}

/* A use that no path reaches reads an undefined value: the two results need not agree. */
static bool is_reached(const struct cfg *cfg, uint32_t use)
{
    uint32_t i = 0;
    while (cfg->function->instrs[i].first_use + cfg->function->instrs[i].use_count <= use) i++;
    return cfg->blocks[cfg->block_of[i]].reachable;
}

/* Returns the number of pairs of uses of one register that are in different webs. */
static uint32_t compare_one(const char *body)
{
    struct text text = {0};
    uint32_t split = 0;
    read_body(&text, body);
    struct chains c = {.cfg = &text.cfg, .use_count = count_uses(text.view.functions)};
    c.web = test_calloc(c.use_count, sizeof *c.web);
    c.come = test_calloc(text.view.functions->count, sizeof *c.come);
    follow_all(&c);
    for (uint32_t u = 0; u < c.use_count; u++)
        for (uint32_t v = 0; v < u; v++) {
            bool together = text.renamed->uses[u].reg == text.renamed->uses[v].reg;
            if (!is_reached(&text.cfg, u) || !is_reached(&text.cfg, v)) continue;
            split +=
                !together && text.view.functions->uses[u].reg == text.view.functions->uses[v].reg;
            if (together != (c.web[u] == c.web[v])) fail_msg("uses %u and %u of\n%s", v, u, body);
        }
    test_free(c.web);
    test_free(c.come);
    release(&text);
    return split;
}

static void they_are_those_that_definitions_reach(void **state)
{
    uint32_t seed = 1;
    (void)state;
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        uint32_t split = 0;
        for (uint32_t n = 0; n < SHAPES[s].programs; n++) {
            char *body = random_body(&seed, &SHAPES[s]);
            split += compare_one(body);
            mem_free(body);
        }
        assert_true(split > SHAPES[s].programs);
    }
}

static void a_renamed_function_names_webs(void **state)
{
    struct text text = {0};
    (void)state;
    read_body(&text, "setp.eq.u32 p, a, 1; @p mov.b32 a, 2; setp.eq.u32 p, a, 2; @!p trap;");
    const struct function *f = text.view.functions, *renamed = text.renamed;
    assert_int_equal(renamed->reg_count, f->reg_count + 1);
    assert_int_equal(renamed->instrs[0].guard, REG_NONE);
    assert_int_equal(renamed->instrs[1].guard, f->instrs[1].guard);
    assert_int_equal(renamed->instrs[1].guard, renamed->uses[renamed->instrs[0].first_use].reg);
    assert_int_equal(renamed->instrs[3].guard, renamed->uses[renamed->instrs[2].first_use].reg);
    assert_true(renamed->instrs[3].guard_negated);
    assert_int_not_equal(renamed->instrs[1].guard, renamed->instrs[3].guard);
    for (uint32_t u = 0; u < count_uses(f); u++) {
        assert_int_equal(renamed->uses[u].write, f->uses[u].write);
        assert_true(renamed->uses[u].reg == f->uses[u].reg || renamed->uses[u].reg >= f->reg_count);
    }
    release(&text);
}

static void a_function_without_such_registers_stays(void **state)
{
    struct text text = {0};
    (void)state;
    read_body(&text, "mov.b32 a, 1; L: add.u32 a, a, 1; @p bra L; mov.b32 b, a;");
    assert_ptr_equal(text.renamed, text.view.functions);
    release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses_that_belong_together_are_one_web),
        cmocka_unit_test(they_are_those_that_definitions_reach),
        cmocka_unit_test(a_renamed_function_names_webs),
        cmocka_unit_test(a_function_without_such_registers_stays),
    };
    return RUN_TESTS(tests);
}

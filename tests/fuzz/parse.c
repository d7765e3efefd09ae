/* fuzz_parse: bytes -> scan -> tree -> view -> control flow. Every span is in the text, children
 * are in their parent and in order; an accepted text has no diagnostic, a refused one at least one.
 */
#include "flow/cfg.h"
#include "syntax/accept.h"
#include "syntax/scan.h"
#include "syntax/tree.h"

#include "fuzz.h"
#include "routes/same_view.h"

enum { DEPTH = 1 << 16 };

/* Walks the tree without recursion: the scan allows thousands of brackets. */
static void check_spans(const struct cst *cst, size_t len)
{
    static struct span parent[DEPTH];
    static uint32_t end_of_last[DEPTH];
    struct cst_cursor *cursor = cst_cursor_new(cst);
    uint32_t depth = 0;
    parent[0] = (struct span){0, (uint32_t)len};
    end_of_last[0] = 0;
    for (;;) {
        struct span span = cst_span(cursor);
        fuzz_holds(span.start <= span.end && span.end <= len, "a span lies in the text");
        fuzz_holds(span.start >= parent[depth].start && span.end <= parent[depth].end,
                   "a span lies in its parent's");
        fuzz_holds(span.start >= end_of_last[depth], "siblings are in order");
        end_of_last[depth] = span.end;
        if (depth + 1 < DEPTH && cst_down(cursor)) {
            depth++;
            parent[depth] = span;
            end_of_last[depth] = span.start;
            continue;
        }
        while (depth && !cst_next(cursor)) {
            cst_up(cursor);
            depth--;
        }
        if (!depth) break;
    }
    cst_cursor_free(cursor);
}

static void check_function(const struct view *view, const struct function *function,
                           struct arena *arena)
{
    size_t len = view->source->text.n;
    fuzz_holds(function->count > 0, "a function has an end");
    for (uint32_t i = 0; i < function->count; i++) {
        const struct instr *instr = &function->instrs[i];
        fuzz_holds(instr->span.start < instr->span.end && instr->span.end <= len,
                   "an instruction lies in the text");
        fuzz_holds(!i || instr[-1].span.end <= instr->span.start, "instructions are in order");
        for (uint32_t n = 0; n < instr->operand_count; n++) {
            struct span span = function->operands[instr->first_operand + n].span;
            fuzz_holds(span.start >= instr->span.start && span.end <= instr->span.end,
                       "an operand lies in its instruction");
        }
        for (uint32_t n = 0; n < instr->use_count; n++)
            fuzz_holds(function->uses[instr->first_use + n].reg < function->reg_count,
                       "a register has a number");
    }
    struct cfg cfg;
    uint32_t at = 0;
    if (function->unsupported || cfg_build(&cfg, function, view->source, arena, &at)) {
        fuzz_holds(at < function->count, "what cannot be followed is an instruction");
        return;
    }
    uint32_t b = 0, covered = 0;
    for (; b < cfg.count && covered < function->count; covered = cfg.blocks[b++].end)
        fuzz_holds(cfg.blocks[b].first == covered && cfg.blocks[b].end > covered,
                   "blocks hold instructions, one after the other");
    fuzz_holds(covered == function->count, "blocks cover the function");
    for (; b < cfg.count; b++)
        fuzz_holds(cfg.blocks[b].first == cfg.blocks[b].end, "after them are those of tables");
}

/* Our automaton and libtree-sitter agree. Only for a short text, as the latter's recovery is
 * neither fast nor safe. */
static void check_acceptance(const struct source *source, struct arena *arena)
{
    enum { SHORT = 4096 };
    struct diag_list diags = {0};
    char *text = source->text.n <= SHORT ? scan_text(source, arena, &diags) : NULL;
    if (text) {
        uint32_t at;
        struct str all = {text, source->text.n};
        TSTree *tree = tree_parse(all);
        enum acceptance acceptance = accept_text(all, &at);
        bool wrong = tree_is_wrong(ts_tree_root_node(tree));
        fuzz_holds(!wrong || acceptance != ACCEPTED,
                   "libtree-sitter accepts what the automaton accepts");
        fuzz_holds(wrong || acceptance != ACCEPT_UNEXPECTED,
                   "the automaton accepts what libtree-sitter accepts");
        fuzz_holds(at <= all.n, "a refusal is of a place of the text");
        ts_tree_delete(tree);
        mem_free(text);
    }
    vec_free(&diags);
}

void fuzz_parse(const uint8_t *data, size_t size)
{
    fuzz_holds(same_view("fuzz.ptx", (struct str){(const char *)data, size}) != SAME_WRONG,
               "shapes and the tree of the whole tell the same");
    struct arena arena = {0};
    struct diag_list diags = {0};
    struct source source;
    source_init(&source, &arena, "fuzz.ptx", (struct str){(const char *)data, size});
    check_acceptance(&source, &arena);
    struct cst *cst = cst_parse(&source, &arena, &diags);
    fuzz_holds((cst == NULL) == (diags.count > 0),
               "refused texts, and they alone, have diagnostics");
    for (uint32_t i = 0; i < diags.count; i++)
        fuzz_holds(diags.at[i].place.line >= 1 &&
                       diags.at[i].place.line <= source_line_count(&source) &&
                       diags.at[i].place.column >= 1,
                   "a diagnostic names a place of the text");
    if (cst) {
        struct view view;
        check_spans(cst, size);
        struct reader *reader = reader_of_tree(cst);
        view_build(&view, reader, &source, false, &arena);
        reader_free(reader);
        for (uint32_t f = 0; f < view.count; f++) check_function(&view, &view.functions[f], &arena);
        cst_free(cst);
    }
    vec_free(&diags);
    arena_free(&arena);
}

/* Both views, field by field. See same_view.h. */
#include "same_view.h"

#include <stdio.h>

#include "ptx/view.h"

static bool same_span(struct span a, struct span b)
{
    return a.start == b.start && a.end == b.end;
}

static bool same_instr(const struct instr *a, const struct instr *b)
{
    return same_span(a->span, b->span) && a->opcode == b->opcode &&
           a->first_operand == b->first_operand && a->operand_count == b->operand_count &&
           a->first_use == b->first_use && a->use_count == b->use_count && a->guard == b->guard &&
           a->guard_negated == b->guard_negated && a->proxy == b->proxy && a->shape == b->shape &&
           a->spelling == b->spelling && a->scope == b->scope;
}

static bool same_operand(const struct operand *a, const struct operand *b)
{
    return same_span(a->span, b->span) && a->kind == b->kind && a->first_use == b->first_use &&
           a->use_count == b->use_count;
}

static bool same_use(const struct use *a, const struct use *b)
{
    return a->reg == b->reg && a->write == b->write;
}

static bool same_label(const struct label *a, const struct label *b)
{
    return a->scope == b->scope && a->target == b->target && str_eq(a->name, b->name);
}

static bool same_place(const struct loc_place *a, const struct loc_place *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

static bool same_loc(const struct loc *a, const struct loc *b)
{
    return a->first == b->first && same_place(&a->at, &b->at) &&
           same_place(&a->inlined_at, &b->inlined_at);
}

static bool same_list(const struct target_list *a, const struct target_list *b)
{
    return a->scope == b->scope && a->first == b->first && a->count == b->count &&
           str_eq(a->name, b->name);
}

static bool same_file(const struct source_file *a, const struct source_file *b)
{
    return a->number == b->number && str_eq(a->name, b->name);
}

static bool same_number(const uint32_t *a, const uint32_t *b)
{
    return *a == *b;
}

static bool same_name(const struct str *a, const struct str *b)
{
    return str_eq(*a, *b);
}

/* Leaves the function, with the word for an item in which two arrays differ. */
#define FIRST_OTHER(a, b, count, same)                                                             \
    do {                                                                                           \
        for (uint32_t i = 0; i < (count); i++)                                                     \
            if (!same(&(a)[i], &(b)[i])) return #same;                                             \
    } while (0)

static const char *other_function(const struct function *a, const struct function *b)
{
    if (!same_span(a->span, b->span) || !str_eq(a->name, b->name) || a->is_entry != b->is_entry)
        return "a function's head";
    if (a->unsupported != b->unsupported || a->unsupported_why != b->unsupported_why ||
        a->unsupported_at != b->unsupported_at)
        return "what is not supported";
    if (a->count != b->count || a->scope_count != b->scope_count ||
        a->label_count != b->label_count || a->target_list_count != b->target_list_count ||
        a->loc_count != b->loc_count || a->reg_count != b->reg_count)
        return "a count";
    const struct instr *last = &a->instrs[a->count - 1];
    uint32_t operands = last->first_operand, uses = last->first_use;
    for (uint32_t i = 0; i + 1 < a->count; i++) {
        operands = a->instrs[i].first_operand + a->instrs[i].operand_count;
        uses = a->instrs[i].first_use + a->instrs[i].use_count;
    }
    FIRST_OTHER(a->instrs, b->instrs, a->count, same_instr);
    FIRST_OTHER(a->operands, b->operands, operands, same_operand);
    FIRST_OTHER(a->uses, b->uses, uses, same_use);
    FIRST_OTHER(a->scope_parent, b->scope_parent, a->scope_count, same_number);
    FIRST_OTHER(a->labels, b->labels, a->label_count, same_label);
    FIRST_OTHER(a->target_lists, b->target_lists, a->target_list_count, same_list);
    for (uint32_t t = 0; t < a->target_list_count; t++)
        FIRST_OTHER(a->targets + a->target_lists[t].first, b->targets + b->target_lists[t].first,
                    a->target_lists[t].count, same_name);
    FIRST_OTHER(a->locs, b->locs, a->loc_count, same_loc);
    return NULL;
}

static const char *other_view(const struct view *a, const struct view *b)
{
    if (a->count != b->count || a->function_count != b->function_count ||
        a->isa_major != b->isa_major || a->isa_minor != b->isa_minor ||
        a->file_count != b->file_count)
        return "the module";
    FIRST_OTHER(a->files, b->files, a->file_count, same_file);
    const char *other = NULL;
    for (uint32_t f = 0; f < a->count && !other; f++)
        other = other_function(&a->functions[f], &b->functions[f]);
    return other;
}

static bool build(struct view *view, struct reader *reader, const struct source *source,
                  struct arena *arena)
{
    bool told = view_build(view, reader, source, false, arena);
    reader_free(reader);
    return told;
}

static enum same_view compare(const struct source *source, struct arena *arena,
                              const struct view *by_shapes)
{
    struct view by_tree;
    struct diag_list diags = {0};
    struct cst *cst = cst_parse(source, arena, &diags);
    const char *other = "the text, which is refused as a whole";
    if (cst) {
        build(&by_tree, reader_of_tree(cst), source, arena);
        other = other_view(by_shapes, &by_tree);
    }
    cst_free(cst);
    vec_free(&diags);
    if (other) fprintf(stderr, "%s: the two ways to read differ in %s\n", source->name, other);
    return other ? SAME_WRONG : SAME_VIEW;
}

enum same_view same_view(const char *name, struct str text)
{
    struct arena arena = {0};
    struct source source;
    struct view by_shapes;
    source_init(&source, &arena, name, text);
    enum same_view same = SAME_UNTOLD;
    if (build(&by_shapes, reader_of_text(text, 0), &source, &arena))
        same = compare(&source, &arena, &by_shapes);
    arena_free(&arena);
    return same;
}

/* Applies the rules of strict.h in a walk over a syntax tree. The rules are in strict_operand,
 * strict_declaration and strict_module. A rule is for one kind of node, and gets the children of
 * the node in order. */
#include "syntax/strict.h"

#include "syntax/strict_rule.h"

/* ---- words that cannot be a name, or not in this place ---- */

static bool names_something(const struct strict_frame *frame, const struct strict_child *child)
{
    switch (child->field) {
    case CST_FIELD_CALLEE:
    case CST_FIELD_LABEL:
    case CST_FIELD_NAME:
    case CST_FIELD_OBJECT:
    case CST_FIELD_REGISTER:
    case CST_FIELD_TARGET: return true;
    case CST_FIELD_BASE: return frame->kind == CST_SUBSCRIPT;
    default: return child->kind == CST_OPCODE;
    }
}

static void check_name(struct strict *strict, const struct strict_frame *frame,
                       const struct strict_child *child)
{
    if (child->kind != CST_IDENTIFIER && child->kind != CST_OPCODE) return;
    bool reserved = str_is(child->text, "function_name") || str_is(child->text, "inlined_at") ||
                    (str_is(child->text, "WARP_SZ") && names_something(frame, child));
    if (reserved)
        strict_complain(strict, child->at,
                        arena_printf(strict->arena, "'%.*s' is a word of PTX; expected a name",
                                     (int)child->text.n, child->text.p));
}

/* Only strings are checked: in comments, ptxas 13.1 accepts any byte. */
static void check_string(struct strict *strict, const struct strict_child *child)
{
    for (size_t i = 0; child->kind == CST_STRING && i < child->text.n; i++) {
        if ((unsigned char)child->text.p[i] < 0x80) continue;
        strict_complain(strict, child->at + (uint32_t)i, "expected ASCII in a string");
        return;
    }
}

/* 0f needs 8 digits, 0d needs 16. */
static void check_float(struct strict *strict, const struct strict_child *child)
{
    enum { SINGLE = 10, DOUBLE = 18 };
    if (child->kind != CST_FLOAT || child->text.n < 2) return;
    char form = (char)(child->text.p[1] | 32);
    bool wrong = (form == 'f' && child->text.n != SINGLE) ||
                 (form == 'd' && child->text.p[0] == '0' && child->text.n != DOUBLE);
    if (wrong)
        strict_complain(strict, child->at, "expected 8 hexadecimal digits after 0f, 16 after 0d");
}

/* ---- the walk ---- */

static void apply_strict_rule(strict_rule *rule, struct strict *strict,
                              const struct strict_child *child)
{
    if (rule) rule(strict, &strict->frames.at[strict->frames.count - 1], child);
}

static void strict_visit(struct strict *strict, const struct cst_cursor *cursor)
{
    const struct strict_frame *frame = &strict->frames.at[strict->frames.count - 1];
    struct span span = cst_span(cursor);
    struct strict_child child = {cst_kind(cursor), cst_field(cursor),
                                 source_slice(strict->source, span), span.start};
    check_name(strict, frame, &child);
    check_float(strict, &child);
    check_string(strict, &child);
    enum cst_kind kind = frame->kind;
    apply_strict_rule(strict_operand_rule(kind), strict, &child);
    apply_strict_rule(strict_declaration_rule(kind), strict, &child);
    apply_strict_rule(strict_module_rule(kind), strict, &child);
}

static void strict_leave(struct strict *strict)
{
    struct strict_frame *frame = &strict->frames.at[strict->frames.count - 1];
    strict_end *ends[] = {strict_operand_end(frame->kind), strict_declaration_end(frame->kind),
                          strict_module_end(frame->kind)};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i]) ends[i](strict, frame);
    strict->frames.count--;
}

static void strict_enter(struct strict *strict, const struct cst_cursor *cursor)
{
    vec_push(&strict->frames,
             (struct strict_frame){.kind = cst_kind(cursor), .start = cst_span(cursor).start});
}

static void strict_walk(struct strict *strict, struct cst_cursor *cursor)
{
    strict_enter(strict, cursor);
    for (bool more = cst_down(cursor); more && strict->found < STRICT_COMPLAINTS;) {
        strict_visit(strict, cursor);
        strict_enter(strict, cursor);
        if (cst_down(cursor)) continue;
        strict->frames.count--;
        while (!(more = cst_next(cursor)) && strict->frames.count) {
            strict_leave(strict);
            if (!cst_up(cursor)) return;
        }
    }
}

bool strict_check(const struct source *source, const struct cst *cst, struct arena *arena,
                  struct diag_list *diags)
{
    struct strict strict = {.source = source, .arena = arena, .diags = diags};
    struct cst_cursor *cursor = cst_cursor_new(cst);
    if (str_starts(source->text, "\xef\xbb\xbf"))
        strict_complain(&strict, 0, "a byte order mark; expected '.version'");
    strict_walk(&strict, cursor);
    cst_cursor_free(cursor);
    vec_free(&strict.frames);
    return !strict.found;
}

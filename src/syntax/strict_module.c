/* Refuses statements, functions and debug data that the grammar accepts and ptxas does not. */
#include "syntax/strict_rule.h"
#include "syntax/strict_word.h"
#include "syntax/version.h"

/* The parts of a module, in their order. `.target` may be repeated. */
enum { RANK_VERSION = 1, RANK_TARGET, RANK_SIZE, RANK_BODY };

static const char STRAY[] = "a ';' that ends nothing; ptxas has no empty statement";

static uint8_t module_rank(enum cst_kind kind)
{
    switch (kind) {
    case CST_VERSION_DIRECTIVE: return RANK_VERSION;
    case CST_TARGET_DIRECTIVE: return RANK_TARGET;
    case CST_ADDRESS_SIZE_DIRECTIVE: return RANK_SIZE;
    default: return RANK_BODY;
    }
}

static bool is_statement(enum cst_kind kind)
{
    switch (kind) {
    case CST_BLOCK:
    case CST_BRANCH_TARGETS:
    case CST_CALL_INSTRUCTION:
    case CST_CALL_TARGETS:
    case CST_INSTRUCTION:
    case CST_LABEL:
    case CST_LOC_DIRECTIVE:
    case CST_PROTOTYPE_DECLARATION: return true;
    default: return false;
    }
}

/* `.b32;` declares nothing, but ptxas accepts it. */
static bool is_type_alone(struct str text)
{
    if (!text.n || text.p[text.n - 1] != ';') return false;
    do text.n--;
    while (text.n && strchr(" \t\r\n\f", text.p[text.n - 1]));
    return strict_is_type(text);
}

static void in_module(struct strict *strict, struct strict_frame *frame,
                      const struct strict_child *child)
{
    uint8_t rank = module_rank(child->kind);
    bool again = rank == RANK_BODY || (rank == RANK_TARGET && frame->rank == RANK_TARGET);
    if (rank < frame->rank || (rank == frame->rank && !again))
        strict_complain(
            strict, child->at,
            "expected one '.version', '.target' and '.address_size', in front of all else");
    if (rank > frame->rank) frame->rank = rank;
    if (is_statement(child->kind))
        strict_complain(strict, child->at, "a statement outside of any function");
    else if (child->kind == CST_OTHER && str_is(child->text, ";"))
        strict_complain(strict, child->at, STRAY);
    else if (str_starts(child->text, "@@") && !str_starts(child->text, "@@DWARF\t") &&
             !str_starts(child->text, "@@DWARF "))
        strict_complain(strict, child->at, "expected '@@DWARF'");
    else if (child->kind == CST_UNKNOWN_DIRECTIVE && !strict->is_newer &&
             !is_type_alone(child->text))
        strict_complain(strict, child->at, "a directive that PTX up to 9.4 does not have");
}

static void in_module_block(struct strict *strict, struct strict_frame *frame,
                            const struct strict_child *child)
{
    (void)frame;
    if (child->kind == CST_OTHER && str_is(child->text, ";"))
        strict_complain(strict, child->at, STRAY);
}

/* version: such as `8.10`. */
static bool is_newer(struct str version)
{
    unsigned parts[2] = {0, 0};
    for (size_t i = 0, part = 0; i < version.n && part < 2; i++) {
        if (version.p[i] == '.')
            part++;
        else if (parts[part] < 1000)
            parts[part] = parts[part] * 10 + (unsigned)(version.p[i] - '0');
    }
    return version_is_newer(parts[0], parts[1]);
}

static void in_version(struct strict *strict, struct strict_frame *frame,
                       const struct strict_child *child)
{
    (void)frame;
    if (child->kind == CST_VERSION_NUMBER) strict->is_newer = is_newer(child->text);
}

/* ---- functions ---- */

static uint8_t function_place(const struct strict_frame *frame)
{
    if (frame->kind == CST_PROTOTYPE_DECLARATION) return STRICT_PROTOTYPE;
    return str_is(frame->word, ".entry") ? STRICT_ENTRY : STRICT_FUNC;
}

/* frame->count: the number of directives; frame->last: the kind of the last child. */
static void in_function(struct strict *strict, struct strict_frame *frame,
                        const struct strict_child *child)
{
    if (child->kind == CST_LINKAGE && str_is(child->text, ".common"))
        strict_complain(strict, child->at, "expected '.extern', '.visible' or '.weak'");
    if (child->field == CST_FIELD_KIND) frame->word = child->text;
    if (child->kind == CST_IDENTIFIER && frame->kind == CST_PROTOTYPE_DECLARATION &&
        child->field == CST_FIELD_NAME)
        strict_complain(strict, child->at, "expected '_' for the name of a prototype");
    frame->count += child->kind == CST_FUNCTION_DIRECTIVE;
    if (child->kind == CST_BLOCK && frame->flag && function_place(frame) == STRICT_FUNC)
        strict_complain(strict, child->at, "expected no body after '.pragma'");
    if (child->kind != CST_OTHER) frame->last = child->kind;
}

static void end_function(struct strict *strict, struct strict_frame *frame)
{
    if (frame->last == CST_FUNCTION_DIRECTIVE &&
        (function_place(frame) == STRICT_ENTRY || frame->rank))
        strict_complain(strict, frame->start, "expected a body after these directives");
}

static void check_directive(struct strict *strict, struct strict_frame *frame,
                            const struct strict_child *child)
{
    struct strict_frame *function = strict_above(frame);
    const struct strict_directive *directive = strict_find_directive(child->text);
    uint8_t place = function_place(function);
    bool first = !str_is(child->text, ".noreturn") || function->count == 1;
    bool behind = function->rank && place == STRICT_FUNC;
    frame->word = child->text;
    if ((!directive || !(directive->places & place)) && !strict->is_newer)
        strict_complain(strict, child->at,
                        arena_printf(strict->arena,
                                     "'%.*s' is not a directive that is allowed here",
                                     (int)child->text.n, child->text.p));
    else if (!first)
        strict_complain(strict, child->at, "expected '.noreturn' in front of other directives");
    else if (behind)
        strict_complain(strict, child->at, "expected a body");
    function->flag |= str_is(child->text, ".pragma");
    function->rank |= str_is(child->text, ".local_maxnreg") || str_is(child->text, ".language");
}

static void in_directive(struct strict *strict, struct strict_frame *frame,
                         const struct strict_child *child)
{
    if (child->field == CST_FIELD_NAME) check_directive(strict, frame, child);
    if (child->field != CST_FIELD_ARGUMENT) return;
    const struct strict_directive *directive = strict_find_directive(frame->word);
    frame->count++;
    bool string = child->kind == CST_STRING;
    if ((string && directive && !directive->strings) || (!string && !strict_is_constant(child)))
        strict_complain(strict, child->at, "expected an integer");
}

static void end_directive(struct strict *strict, struct strict_frame *frame)
{
    const struct strict_directive *directive = strict_find_directive(frame->word);
    if (!directive || (directive->least <= frame->count && frame->count <= directive->most)) return;
    strict_complain(strict, frame->start,
                    arena_printf(strict->arena, "'%s' takes %u to %u numbers", directive->name,
                                 directive->least, directive->most));
}

/* ---- lines and debug data ---- */

/* `, function_name f, inlined_at 1 2 3`: both must be there, or none. */
static void in_loc(struct strict *strict, struct strict_frame *frame,
                   const struct strict_child *child)
{
    bool name = child->field == CST_FIELD_FUNCTION_NAME,
         at = child->field == CST_FIELD_INLINED_FILE;
    bool fits = name ? str_is(frame->word, "function_name") && frame->rank == 0
                     : str_is(frame->word, "inlined_at") && frame->rank == 1;
    if ((name || at) && !fits)
        strict_complain(strict, child->at, "expected 'function_name', then 'inlined_at'");
    if (name || at) frame->rank++;
    if (child->kind == CST_OTHER) frame->word = child->text;
}

static void end_loc(struct strict *strict, struct strict_frame *frame)
{
    if (frame->rank == 1)
        strict_complain(strict, frame->start, "expected 'inlined_at' after 'function_name'");
}

static void in_section(struct strict *strict, struct strict_frame *frame,
                       const struct strict_child *child)
{
    (void)frame;
    if (child->kind == CST_SECTION_NAME &&
        (strict_is_type(child->text) || strict_is_reserved(child->text) ||
         str_is(child->text, ".global")))
        strict_complain(strict, child->at, "expected the name of a section as '.debug_info'");
}

/* The values are any number of integers, or one value of another kind. */
static void in_debug_data(struct strict *strict, struct strict_frame *frame,
                          const struct strict_child *child)
{
    if (child->kind == CST_TYPE && !strict_is_type(child->text))
        strict_complain(strict, child->at, "expected '.b8', '.b16', '.b32' or '.b64'");
    if (child->field != CST_FIELD_VALUE) return;
    bool integers =
        child->kind == CST_INTEGER_LIST && (!frame->count || frame->last == CST_INTEGER_LIST);
    if (frame->count++ && !integers)
        strict_complain(strict, child->at, "expected integers only, or one label or section");
    frame->last = child->kind;
}

strict_rule *strict_module_rule(enum cst_kind kind)
{
    switch (kind) {
    case CST_BLOCK: return in_module_block;
    case CST_DEBUG_DATA: return in_debug_data;
    case CST_FUNCTION_DEFINITION:
    case CST_PROTOTYPE_DECLARATION: return in_function;
    case CST_FUNCTION_DIRECTIVE: return in_directive;
    case CST_LOC_DIRECTIVE: return in_loc;
    case CST_SECTION: return in_section;
    case CST_SOURCE_FILE: return in_module;
    case CST_VERSION_DIRECTIVE: return in_version;
    default: return NULL;
    }
}

strict_end *strict_module_end(enum cst_kind kind)
{
    switch (kind) {
    case CST_FUNCTION_DEFINITION: return end_function;
    case CST_FUNCTION_DIRECTIVE: return end_directive;
    case CST_LOC_DIRECTIVE: return end_loc;
    default: return NULL;
    }
}

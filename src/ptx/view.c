/* What functions, instructions and operands does this tree hold? One walk over the tree. */
#include "ptx/view.h"

#include "ptx/digits.h"
#include "ptx/names.h"

struct build {
    const struct source *source;
    struct arena *arena;
    struct cst_cursor *cursor;
    struct function *function;
    struct names names;
    struct VEC(struct instr) instrs;
    struct VEC(struct operand) operands;
    struct VEC(struct use) uses;
    struct VEC(struct label) labels;
    struct VEC(struct target_list) lists;
    struct VEC(struct str) targets;
    uint32_t ranged_targets;
    struct VEC(struct loc) locs;
    struct intern spellings; /* opcode texts seen: numbered as rows, proxies and shapes */
    struct VEC(const struct opcode *) rows;
    struct VEC(uint8_t) proxies;
    struct VEC(uint8_t) shapes;
    int cta_group;    /* 0 none yet, 1, 2 */
    bool names_clock; /* the instruction that is being read does */
};

static struct str text_here(const struct build *build)
{
    return source_slice(build->source, cst_span(build->cursor));
}

static void unsupported(struct build *build, uint32_t at, const char *reason, const char *why)
{
    struct function *function = build->function;
    if (function->unsupported) return;
    function->unsupported = reason;
    function->unsupported_why = why;
    function->unsupported_at = at;
}

/* ---- operands ---- */

static void add_use(struct build *build, struct str name, bool write)
{
    vec_push(&build->uses, (struct use){names_resolve(&build->names, name), write});
}

/* Every identifier at or below the cursor. */
static void add_uses_below(struct build *build, bool write)
{
    uint32_t depth = 0;
    for (;;) {
        if (cst_kind(build->cursor) == CST_IDENTIFIER) {
            add_use(build, text_here(build), write);
            build->names_clock |= opcode_is_clock(text_here(build));
        }
        if (cst_down(build->cursor)) {
            depth++;
            continue;
        }
        while (depth && !cst_next(build->cursor)) {
            cst_up(build->cursor);
            depth--;
        }
        if (!depth) return;
    }
}

static enum operand_kind operand_kind(enum cst_kind kind)
{
    switch (kind) {
    case CST_IDENTIFIER: return OPERAND_NAME;
    case CST_ADDRESS: return OPERAND_ADDRESS;
    case CST_VECTOR: return OPERAND_VECTOR;
    default: return OPERAND_OTHER;
    }
}

static void add_operand(struct build *build, bool write)
{
    struct operand operand = {cst_span(build->cursor), operand_kind(cst_kind(build->cursor)),
                              build->uses.count, 0};
    add_uses_below(build, write && operand.kind != OPERAND_ADDRESS);
    operand.use_count = build->uses.count - operand.first_use;
    vec_push(&build->operands, operand);
}

/* ---- opcodes ---- */

/* "All tcgen05 instructions within a kernel must specify the same value" (ISA 9.7.16.12.1). */
static void check_cta_group(struct build *build, const struct mnemonic *m, uint32_t at)
{
    int group = mnemonic_has(m, ".cta_group::1") ? 1 : mnemonic_has(m, ".cta_group::2") ? 2 : 0;
    if (group && build->cta_group && group != build->cta_group)
        unsupported(build, at, "unsupported", "it mixes .cta_group::1 and .cta_group::2");
    if (group) build->cta_group = group;
}

/* The cursor stands on the opcode; afterwards on the last modifier or still on the opcode. Returns
 * the mnemonic's number in spellings. */
static uint32_t read_opcode(struct build *build, bool *more)
{
    struct mnemonic m = {.base = text_here(build)};
    struct span span = cst_span(build->cursor);
    bool too_many = false;
    while ((*more = cst_next(build->cursor))) {
        if (cst_kind(build->cursor) != CST_MODIFIER) break;
        span.end = cst_span(build->cursor).end;
        if (m.count < OPCODE_MODIFIERS_MAX)
            m.modifiers[m.count++] = text_here(build);
        else
            too_many = true;
    }
    uint32_t id = intern_add(&build->spellings, 0, source_slice(build->source, span));
    if (id == build->rows.count) {
        vec_push(&build->rows, too_many ? opcode_of_none(m.base) : opcode_find(&m));
        vec_push(&build->proxies, (uint8_t)mnemonic_proxy(&m));
        vec_push(&build->shapes, (uint8_t)mnemonic_shape(&m));
    }
    const struct opcode *row = build->rows.at[id];
    if (row->effect == EFFECT_UNSUPPORTED)
        unsupported(build, span.start, "unsupported", "a tcgen05 instruction is not known");
    if (row->traits & OPCODE_TCGEN05) check_cta_group(build, &m, span.start);
    return id;
}

/* ---- statements ---- */

static void read_guard(struct build *build, struct instr *instr)
{
    if (!cst_down(build->cursor)) return;
    do {
        enum cst_field field = cst_field(build->cursor);
        if (field == CST_FIELD_NEGATED) instr->guard_negated = true;
        if (field != CST_FIELD_REGISTER) continue;
        add_use(build, text_here(build), false);
        instr->guard = build->uses.at[build->uses.count - 1].reg;
    } while (cst_next(build->cursor));
    cst_up(build->cursor);
}

static bool is_punctuation(const struct build *build)
{
    char c = build->source->text.p[cst_span(build->cursor).start];
    return cst_kind(build->cursor) == CST_OTHER && (c == ',' || c == ';');
}

static void read_operands(struct build *build, const struct opcode *opcode, bool more)
{
    uint32_t index = 0;
    for (; more; more = cst_next(build->cursor)) {
        if (is_punctuation(build)) continue;
        bool write = index < opcode->writes || opcode->writes == OPCODE_WRITES_ALL;
        if (opcode->effect == EFFECT_CALL) write = cst_field(build->cursor) == CST_FIELD_RETURN;
        add_operand(build, write);
        index++;
    }
}

static void read_instruction(struct build *build)
{
    struct instr instr = {.span = cst_span(build->cursor),
                          .guard = REG_NONE,
                          .first_use = build->uses.count,
                          .scope = build->names.current};
    bool more = cst_down(build->cursor);
    for (; more && cst_kind(build->cursor) != CST_OPCODE; more = cst_next(build->cursor))
        if (cst_kind(build->cursor) == CST_GUARD) read_guard(build, &instr);
    uint32_t id = read_opcode(build, &more);
    instr.opcode = build->rows.at[id];
    instr.proxy = build->proxies.at[id];
    instr.shape = build->shapes.at[id];
    instr.spelling = id;
    instr.first_operand = build->operands.count;
    build->names_clock = false;
    read_operands(build, instr.opcode, more);
    if (build->names_clock && effect_is_neutral(instr.opcode->effect)) instr.opcode = &opcode_clock;
    cst_up(build->cursor);
    instr.operand_count = build->operands.count - instr.first_operand;
    instr.use_count = build->uses.count - instr.first_use;
    vec_push(&build->instrs, instr);
}

/* What `name` or `name<count>` declares or refers to. */
struct counted {
    struct str name;
    bool has_count;
    uint64_t count;
};

/* The cursor stands on a declarator, label or range_target. */
static struct counted read_counted(struct build *build)
{
    struct counted counted = {0};
    if (!cst_down(build->cursor)) return counted;
    do {
        enum cst_field field = cst_field(build->cursor);
        if (field == CST_FIELD_NAME) counted.name = text_here(build);
        if (field != CST_FIELD_COUNT) continue;
        counted.has_count = true;
        if (!digits_read_count(text_here(build), &counted.count))
            unsupported(build, cst_span(build->cursor).start, "unsupported",
                        "a count in angle brackets is no number");
    } while (cst_next(build->cursor));
    cst_up(build->cursor);
    return counted;
}

static void read_declaration(struct build *build)
{
    if (!cst_down(build->cursor)) return;
    do {
        if (cst_kind(build->cursor) != CST_DECLARATOR) continue;
        struct counted declared = read_counted(build);
        if (declared.has_count)
            names_declare_range(&build->names, declared.name, declared.count);
        else
            names_declare(&build->names, declared.name);
    } while (cst_next(build->cursor));
    cst_up(build->cursor);
}

static void read_label(struct build *build)
{
    struct str name = read_counted(build).name;
    vec_push(&build->labels, (struct label){build->names.current, build->instrs.count, name});
}

enum { RANGES_MAX = 65536 }; /* targets of a function that are not spelled each */

static void read_target(struct build *build)
{
    if (cst_kind(build->cursor) != CST_RANGE_TARGET) {
        vec_push(&build->targets, text_here(build));
        return;
    }
    struct counted range = read_counted(build);
    if (range.count > RANGES_MAX - build->ranged_targets) {
        unsupported(build, cst_span(build->cursor).start, "unsupported",
                    "a table of branch targets is too long");
        return;
    }
    build->ranged_targets += (uint32_t)range.count;
    for (uint64_t i = 0; i < range.count; i++) {
        char *name =
            arena_printf(build->arena, "%.*s%u", (int)range.name.n, range.name.p, (uint32_t)i);
        vec_push(&build->targets, str_from(name));
    }
}

static void read_branch_targets(struct build *build)
{
    struct target_list list = {.scope = build->names.current, .first = build->targets.count};
    if (!cst_down(build->cursor)) return;
    do {
        enum cst_field field = cst_field(build->cursor);
        if (field == CST_FIELD_LABEL) list.name = text_here(build);
        if (field == CST_FIELD_TARGET) read_target(build);
    } while (cst_next(build->cursor));
    cst_up(build->cursor);
    list.count = build->targets.count - list.first;
    vec_push(&build->lists, list);
}

static void read_loc(struct build *build)
{
    struct loc loc = {.first = build->instrs.count};
    if (!cst_down(build->cursor)) return;
    do {
        enum cst_field field = cst_field(build->cursor);
        if (field == CST_FIELD_FILE) loc.file = (uint32_t)digits_read(text_here(build));
        if (field == CST_FIELD_LINE) loc.line = (uint32_t)digits_read(text_here(build));
        if (field == CST_FIELD_COLUMN) loc.column = (uint32_t)digits_read(text_here(build));
        if (field == CST_FIELD_INLINED_FILE)
            loc.inlined_at.file = (uint32_t)digits_read(text_here(build));
        if (field == CST_FIELD_INLINED_LINE)
            loc.inlined_at.line = (uint32_t)digits_read(text_here(build));
        if (field == CST_FIELD_INLINED_COLUMN)
            loc.inlined_at.column = (uint32_t)digits_read(text_here(build));
    } while (cst_next(build->cursor));
    cst_up(build->cursor);
    vec_push(&build->locs, loc);
}

static void read_statement(struct build *build)
{
    switch (cst_kind(build->cursor)) {
    case CST_INSTRUCTION:
    case CST_CALL_INSTRUCTION: read_instruction(build); break;
    case CST_VARIABLE_DECLARATION: read_declaration(build); break;
    case CST_LABEL: read_label(build); break;
    case CST_BRANCH_TARGETS: read_branch_targets(build); break;
    case CST_LOC_DIRECTIVE: read_loc(build); break;
    default: break;
    }
}

/* The cursor stands on the body's block. Blocks may nest ten thousand deep, so no recursion. */
static void read_body(struct build *build)
{
    uint32_t depth = 1;
    names_open(&build->names);
    bool more = cst_down(build->cursor);
    while (depth) {
        if (more && cst_kind(build->cursor) == CST_BLOCK) {
            names_open(&build->names);
            more = cst_down(build->cursor);
            depth++;
            continue;
        }
        if (more) read_statement(build);
        if (more && (more = cst_next(build->cursor))) continue;
        cst_up(build->cursor);
        names_close(&build->names);
        if (--depth) more = cst_next(build->cursor);
    }
}

/* ---- functions ---- */

#define KEEP(build, vec) keep((build)->arena, (vec).at, (vec).count, sizeof *(vec).at)

static void *keep(struct arena *arena, const void *items, uint32_t count, size_t size)
{
    void *copy = arena_alloc(arena, count, size);
    if (count) memcpy(copy, items, count * size);
    return copy;
}

static void finish_function(struct build *build)
{
    struct function *function = build->function;
    struct span end = {function->body.end - 1, function->body.end};
    vec_push(&build->instrs,
             (struct instr){.span = end, .opcode = &opcode_end_of_body, .guard = REG_NONE});
    function->instrs = KEEP(build, build->instrs);
    function->count = build->instrs.count;
    function->operands = KEEP(build, build->operands);
    function->uses = KEEP(build, build->uses);
    function->scope_parent = KEEP(build, build->names.parent);
    function->scope_count = build->names.parent.count;
    function->labels = KEEP(build, build->labels);
    function->label_count = build->labels.count;
    function->target_lists = KEEP(build, build->lists);
    function->target_list_count = build->lists.count;
    function->targets = KEEP(build, build->targets);
    function->locs = KEEP(build, build->locs);
    function->loc_count = build->locs.count;
    function->reg_count = build->names.regs.count;
}

static void free_build(struct build *build)
{
    names_free(&build->names);
    vec_free(&build->instrs);
    vec_free(&build->operands);
    vec_free(&build->uses);
    vec_free(&build->labels);
    vec_free(&build->lists);
    vec_free(&build->targets);
    vec_free(&build->locs);
    vec_free(&build->rows);
    vec_free(&build->proxies);
    vec_free(&build->shapes);
    intern_free(&build->spellings);
}

/* Only such functions are worth a view: the others hold nothing that a rule deletes. */
static bool is_relevant(struct str text)
{
    return memmem(text.p, text.n, "tcgen05", 7) || memmem(text.p, text.n, ".proxy", 6);
}

/* The cursor stands on a function_definition. */
static bool read_function(struct function *function, const struct source *source,
                          struct arena *arena, struct cst_cursor *cursor)
{
    *function = (struct function){.span = cst_span(cursor)};
    if (!is_relevant(source_slice(source, function->span))) return false;
    struct build build = {.source = source, .arena = arena, .cursor = cursor, .function = function};
    bool more = cst_down(cursor), has_body = false;
    for (; more; more = cst_next(cursor)) {
        enum cst_field field = cst_field(cursor);
        if (field == CST_FIELD_NAME) function->name = text_here(&build);
        if (field == CST_FIELD_KIND) function->is_entry = str_is(text_here(&build), ".entry");
        if (field != CST_FIELD_BODY) continue;
        has_body = true;
        function->body = cst_span(cursor);
        read_body(&build);
    }
    cst_up(cursor);
    if (has_body) finish_function(&build);
    free_build(&build);
    return has_body;
}

static void read_version(struct view *view, struct cst_cursor *cursor)
{
    if (!cst_down(cursor)) return;
    do {
        if (cst_field(cursor) != CST_FIELD_VERSION) continue;
        struct str text = source_slice(view->source, cst_span(cursor));
        const char *dot = memchr(text.p, '.', text.n);
        size_t n = dot ? (size_t)(dot - text.p) : text.n;
        view->isa_major = (uint32_t)digits_read((struct str){text.p, n});
        if (dot) view->isa_minor = (uint32_t)digits_read((struct str){dot + 1, text.n - n - 1});
    } while (cst_next(cursor));
    cst_up(cursor);
}

static struct source_file read_file(const struct view *view, struct cst_cursor *cursor)
{
    struct source_file file = {0};
    if (!cst_down(cursor)) return file;
    do {
        struct str text = source_slice(view->source, cst_span(cursor));
        enum cst_field field = cst_field(cursor);
        if (field == CST_FIELD_INDEX) file.number = (uint32_t)digits_read(text);
        if (field == CST_FIELD_NAME) file.name = (struct str){text.p + 1, text.n - 2};
    } while (cst_next(cursor));
    cst_up(cursor);
    return file;
}

void view_build(struct view *view, const struct cst *cst, const struct source *source,
                struct arena *arena)
{
    *view = (struct view){.source = source};
    struct VEC(struct function) functions = {0};
    struct VEC(struct source_file) files = {0};
    struct cst_cursor *cursor = cst_cursor_new(cst);
    for (bool more = cst_down(cursor); more; more = cst_next(cursor)) {
        enum cst_kind kind = cst_kind(cursor);
        if (kind == CST_VERSION_DIRECTIVE) read_version(view, cursor);
        if (kind == CST_FILE_DIRECTIVE) vec_push(&files, read_file(view, cursor));
        if (kind != CST_FUNCTION_DEFINITION) continue;
        view->function_count++;
        struct function function;
        if (read_function(&function, source, arena, cursor)) vec_push(&functions, function);
    }
    cst_cursor_free(cursor);
    view->functions = keep(arena, functions.at, functions.count, sizeof *functions.at);
    view->count = functions.count;
    vec_free(&functions);
    view->files = keep(arena, files.at, files.count, sizeof *files.at);
    view->file_count = files.count;
    vec_free(&files);
}

/* What functions, instructions and operands does this tree hold? One walk over the tree. */
#include "ptx/view.h"

#include "ptx/digits.h"
#include "ptx/names.h"

struct build {
    const struct source *source;
    struct arena *arena;
    const struct statement *statement; /* that is being read */
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

static struct str text_of(const struct build *build, const struct part *part)
{
    return source_slice(build->source, statement_part(build->statement, part));
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

static reg_id add_use(struct build *build, const struct part *identifier, bool write)
{
    struct str name = text_of(build, identifier);
    reg_id reg = names_resolve(&build->names, name);
    vec_push(&build->uses, (struct use){reg, write});
    build->names_clock |= opcode_is_clock(name);
    return reg;
}

static const enum operand_kind KIND_OF[] = {
    [PART_OPERAND_NAME] = OPERAND_NAME,
    [PART_OPERAND_ADDRESS] = OPERAND_ADDRESS,
    [PART_OPERAND_VECTOR] = OPERAND_VECTOR,
    [PART_OPERAND_OTHER] = OPERAND_OTHER,
};

/* Returns the part behind the operand. */
static const struct part *add_operand(struct build *build, const struct part *part, bool write)
{
    const struct statement *statement = build->statement;
    const struct part *end = statement->parts + statement->part_count;
    struct operand operand = {statement_part(statement, part), KIND_OF[part->role],
                              build->uses.count, 0};
    while (++part < end && part->role == PART_IDENTIFIER)
        add_use(build, part, write && operand.kind != OPERAND_ADDRESS);
    operand.use_count = build->uses.count - operand.first_use;
    vec_push(&build->operands, operand);
    return part;
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

/* Reads opcode and modifiers from *part, and goes behind them. Returns the mnemonic's number in
 * spellings. */
static uint32_t read_opcode(struct build *build, const struct part **part)
{
    const struct statement *statement = build->statement;
    const struct part *end = statement->parts + statement->part_count;
    struct mnemonic m = {.base = text_of(build, *part)};
    struct span span = statement_part(statement, *part);
    bool too_many = false;
    while (++*part < end && (*part)->role == PART_MODIFIER) {
        span.end = statement_part(statement, *part).end;
        if (m.count < OPCODE_MODIFIERS_MAX)
            m.modifiers[m.count++] = text_of(build, *part);
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

static void read_operands(struct build *build, const struct opcode *opcode, const struct part *part)
{
    const struct part *end = build->statement->parts + build->statement->part_count;
    for (uint32_t index = 0; part < end; index++) {
        bool write = index < opcode->writes || opcode->writes == OPCODE_WRITES_ALL;
        if (opcode->effect == EFFECT_CALL) write = part->flag;
        part = add_operand(build, part, write);
    }
}

static void read_instruction(struct build *build)
{
    const struct part *part = build->statement->parts;
    struct instr instr = {.span = build->statement->span,
                          .guard = REG_NONE,
                          .first_use = build->uses.count,
                          .scope = build->names.current};
    if (part->role == PART_GUARD) {
        instr.guard_negated = part->flag;
        instr.guard = add_use(build, part++, false);
    }
    uint32_t id = read_opcode(build, &part);
    instr.opcode = build->rows.at[id];
    instr.proxy = build->proxies.at[id];
    instr.shape = build->shapes.at[id];
    instr.spelling = id;
    instr.first_operand = build->operands.count;
    build->names_clock = false;
    read_operands(build, instr.opcode, part);
    if (build->names_clock && effect_is_neutral(instr.opcode->effect)) instr.opcode = &opcode_clock;
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

/* Reads the name at *part and the count behind it, and goes behind them. */
static struct counted read_counted(struct build *build, const struct part **part)
{
    const struct part *end = build->statement->parts + build->statement->part_count;
    struct counted counted = {.name = text_of(build, (*part)++)};
    if (*part == end || (*part)->role != PART_COUNT) return counted;
    counted.has_count = true;
    if (!digits_read_count(text_of(build, *part), &counted.count))
        unsupported(build, statement_part(build->statement, *part).start, "unsupported",
                    "a count in angle brackets is no number");
    ++*part;
    return counted;
}

static void read_declaration(struct build *build)
{
    const struct part *part = build->statement->parts, *end = part + build->statement->part_count;
    while (part < end) {
        struct counted declared = read_counted(build, &part);
        if (declared.has_count)
            names_declare_range(&build->names, declared.name, declared.count);
        else
            names_declare(&build->names, declared.name);
    }
}

static void read_label(struct build *build)
{
    struct str name = text_of(build, build->statement->parts);
    vec_push(&build->labels, (struct label){build->names.current, build->instrs.count, name});
}

enum { RANGES_MAX = 65536 }; /* targets of a function that are not spelled each */

static void add_targets(struct build *build, const struct counted *target, uint32_t at)
{
    if (!target->has_count) {
        vec_push(&build->targets, target->name);
        return;
    }
    if (target->count > RANGES_MAX - build->ranged_targets) {
        unsupported(build, at, "unsupported", "a table of branch targets is too long");
        return;
    }
    build->ranged_targets += (uint32_t)target->count;
    for (uint64_t i = 0; i < target->count; i++) {
        char *name =
            arena_printf(build->arena, "%.*s%u", (int)target->name.n, target->name.p, (uint32_t)i);
        vec_push(&build->targets, str_from(name));
    }
}

static void read_branch_targets(struct build *build)
{
    const struct part *part = build->statement->parts, *end = part + build->statement->part_count;
    struct target_list list = {.scope = build->names.current,
                               .name = text_of(build, part++),
                               .first = build->targets.count};
    while (part < end) {
        uint32_t at = statement_part(build->statement, part).start;
        struct counted target = read_counted(build, &part);
        add_targets(build, &target, at);
    }
    list.count = build->targets.count - list.first;
    vec_push(&build->lists, list);
}

static void read_loc(struct build *build)
{
    const struct part *part = build->statement->parts, *end = part + build->statement->part_count;
    struct loc loc = {.first = build->instrs.count};
    for (; part < end; part++) {
        uint32_t number = (uint32_t)digits_read(text_of(build, part));
        switch (part->role) {
        case PART_FILE: loc.file = number; break;
        case PART_LINE: loc.line = number; break;
        case PART_COLUMN: loc.column = number; break;
        case PART_INLINED_FILE: loc.inlined_at.file = number; break;
        case PART_INLINED_LINE: loc.inlined_at.line = number; break;
        case PART_INLINED_COLUMN: loc.inlined_at.column = number; break;
        default: break;
        }
    }
    vec_push(&build->locs, loc);
}

static void read_statement(struct build *build)
{
    switch (build->statement->kind) {
    case STATEMENT_BLOCK_BEGIN: names_open(&build->names); break;
    case STATEMENT_BLOCK_END: names_close(&build->names); break;
    case STATEMENT_INSTRUCTION:
    case STATEMENT_CALL: read_instruction(build); break;
    case STATEMENT_DECLARATION: read_declaration(build); break;
    case STATEMENT_LABEL: read_label(build); break;
    case STATEMENT_BRANCH_TARGETS: read_branch_targets(build); break;
    case STATEMENT_LOC: read_loc(build); break;
    default: break;
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
    struct span end = {function->span.end - 1, function->span.end};
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
    function->reg_count = build->names.reg_count;
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

/* Reads the body, from behind its '{' through its '}'; returns where that ends. */
static uint32_t read_body(struct build *build, struct reader *reader, struct statement *statement)
{
    uint32_t depth = 0;
    do {
        reader_next(reader, statement);
        depth += statement->kind == STATEMENT_BLOCK_BEGIN;
        depth -= statement->kind == STATEMENT_BLOCK_END;
        read_statement(build);
    } while (depth && statement->kind != STATEMENT_ODD);
    return statement->span.end;
}

/* Reads a function at whose word statement stands, with its body. False when it has none, or none
 * worth a view. */
static bool read_function(struct function *function, const struct source *source,
                          struct arena *arena, struct reader *reader, struct statement *statement)
{
    struct build build = {
        .source = source, .arena = arena, .statement = statement, .function = function};
    *function = (struct function){.span = statement->span};
    bool has_body = false;
    for (uint32_t i = 0; i < statement->part_count; i++) {
        const struct part *part = &statement->parts[i];
        if (part->role == PART_NAME) function->name = text_of(&build, part);
        if (part->role != PART_ENTRY_OR_FUNC) continue;
        function->is_entry = str_is(text_of(&build, part), ".entry");
        has_body = part->flag;
    }
    if (!has_body) return false;
    function->span.end = read_body(&build, reader, statement);
    bool relevant =
        statement->kind != STATEMENT_ODD && is_relevant(source_slice(source, function->span));
    if (relevant) finish_function(&build);
    free_build(&build);
    return relevant;
}

static void read_version(struct view *view, const struct statement *statement)
{
    struct str text = source_slice(view->source, statement_part(statement, statement->parts));
    const char *dot = memchr(text.p, '.', text.n);
    size_t n = dot ? (size_t)(dot - text.p) : text.n;
    view->isa_major = (uint32_t)digits_read((struct str){text.p, n});
    if (dot) view->isa_minor = (uint32_t)digits_read((struct str){dot + 1, text.n - n - 1});
}

static struct source_file read_file(const struct view *view, const struct statement *statement)
{
    struct source_file file = {0};
    for (uint32_t i = 0; i < statement->part_count; i++) {
        const struct part *part = &statement->parts[i];
        struct str text = source_slice(view->source, statement_part(statement, part));
        if (part->role == PART_NUMBER) file.number = (uint32_t)digits_read(text);
        if (part->role == PART_NAME) file.name = (struct str){text.p + 1, text.n - 2};
    }
    return file;
}

bool view_build(struct view *view, struct reader *reader, const struct source *source,
                struct arena *arena)
{
    *view = (struct view){.source = source};
    struct VEC(struct function) functions = {0};
    struct VEC(struct source_file) files = {0};
    struct statement statement;
    for (reader_next(reader, &statement);
         statement.kind != STATEMENT_END && statement.kind != STATEMENT_ODD;
         reader_next(reader, &statement)) {
        if (statement.kind == STATEMENT_VERSION) read_version(view, &statement);
        if (statement.kind == STATEMENT_FILE) vec_push(&files, read_file(view, &statement));
        if (statement.kind != STATEMENT_FUNCTION) continue;
        view->function_count++;
        struct function function;
        if (read_function(&function, source, arena, reader, &statement))
            vec_push(&functions, function);
    }
    view->functions = keep(arena, functions.at, functions.count, sizeof *functions.at);
    view->count = functions.count;
    vec_free(&functions);
    view->files = keep(arena, files.at, files.count, sizeof *files.at);
    view->file_count = files.count;
    vec_free(&files);
    return statement.kind == STATEMENT_END;
}

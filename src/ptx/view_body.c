/* Reads the statements of a function's body into a view, one by one. See view_body.h. */
#include "ptx/view_body.h"

#include "ptx/digits.h"

static struct str part_text(const struct view_body *body, const struct part *part)
{
    return source_slice(body->source, statement_part(body->statement, part));
}

static const struct part *parts_end(const struct view_body *body)
{
    return body->statement->parts + body->statement->part_count;
}

static void mark_unsupported(struct view_body *body, uint32_t at, const char *reason,
                             const char *why)
{
    struct function *function = body->function;
    if (function->unsupported) return;
    function->unsupported = reason;
    function->unsupported_why = why;
    function->unsupported_at = at;
}

/* ---- operands ---- */

/* There must be room for the use. Inlined at each call, because most of what is read are uses. */
static inline __attribute__((always_inline)) reg_id body_add_use(struct view_body *body,
                                                                 uint32_t token, bool write)
{
    struct str name = source_slice(body->source, body->statement->tokens[token]);
    reg_id reg = names_resolve(&body->names, name);
    body->uses.at[body->uses.count++] = (struct use){reg, write};
    body->names_clock |= opcode_is_clock(name);
    return reg;
}

static const enum operand_kind KIND_OF[] = {
    [PART_OPERAND_NAME] = OPERAND_NAME,
    [PART_OPERAND_ADDRESS] = OPERAND_ADDRESS,
    [PART_OPERAND_VECTOR] = OPERAND_VECTOR,
    [PART_OPERAND_OTHER] = OPERAND_OTHER,
};

/* ---- opcodes ---- */

/* "All tcgen05 instructions within a kernel must specify the same value" (ISA 9.7.16.12.1). */
static void check_cta_group(struct view_body *body, unsigned group, uint32_t at)
{
    if (group && body->cta_group && group != body->cta_group)
        mark_unsupported(body, at, "unsupported", "it mixes .cta_group::1 and .cta_group::2");
    if (group) body->cta_group = group;
}

static struct spelling read_spelling(const struct view_body *body, const struct part *part)
{
    struct mnemonic m = {.base = part_text(body, part)};
    const struct part *end = parts_end(body);
    bool too_many = false;
    while (++part < end && part->role == PART_MODIFIER) {
        if (m.count < OPCODE_MODIFIERS_MAX)
            m.modifiers[m.count++] = part_text(body, part);
        else
            too_many = true;
    }
    struct spelling spelling = {.row = too_many ? opcode_of_none(m.base) : opcode_find(&m),
                                .proxy = (uint8_t)mnemonic_proxy(&m),
                                .space = (uint8_t)mnemonic_space(&m)};
    if (!(spelling.row->traits & OPCODE_TCGEN05)) return spelling;
    unsigned group = mnemonic_has(&m, ".cta_group::1") ? 1 : mnemonic_has(&m, ".cta_group::2") * 2;
    spelling.shape = (uint8_t)mnemonic_shape(&m);
    spelling.cta_group = (uint8_t)group;
    return spelling;
}

/* The number in spellings of the opcode and its modifiers. They begin at the part first; span is
 * their text. */
static uint32_t spelling_of(struct view_body *body, const struct part *first, struct span span)
{
    uint32_t head = body->statement->head;
    while (body->of_heads.count <= head) vec_push(&body->of_heads, SPELLING_NONE);
    if (body->of_heads.at[head] != SPELLING_NONE) return body->of_heads.at[head];
    uint32_t id = intern_add(&body->spelled, 0, source_slice(body->source, span));
    if (id == body->spellings.count) vec_push(&body->spellings, read_spelling(body, first));
    if (head) body->of_heads.at[head] = id;
    return id;
}

/* Reads opcode and modifiers at *part, and moves *part past them. Returns their number in
 * spellings. */
static uint32_t body_read_opcode(struct view_body *body, const struct part **part)
{
    const struct part *first = *part, *end = parts_end(body);
    while (++*part < end && (*part)->role == PART_MODIFIER) continue;
    struct span span = {statement_part(body->statement, first).start,
                        statement_part(body->statement, *part - 1).end};
    uint32_t id = spelling_of(body, first, span);
    const struct spelling *spelling = &body->spellings.at[id];
    if (spelling->row->effect == EFFECT_UNSUPPORTED)
        mark_unsupported(body, span.start, "unsupported", "a tcgen05 instruction is unknown");
    if (spelling->row->traits & OPCODE_TCGEN05)
        check_cta_group(body, spelling->cta_group, span.start);
    return id;
}

/* ---- statements ---- */

/* The rules need no operands of instructions that only compute. */
static bool is_notable(const struct opcode *opcode)
{
    return !effect_is_neutral(opcode->effect) ||
           opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH);
}

static void read_operands(struct view_body *body, const struct opcode *opcode,
                          const struct part *part)
{
    const struct part *end = parts_end(body);
    bool kept = body->keeps_all || is_notable(opcode), write = false;
    bool label = opcode->traits & OPCODE_BRANCH; /* the only operand is no register */
    uint32_t writes = opcode->writes == OPCODE_WRITES_ALL ? UINT32_MAX : opcode->writes;
    for (uint32_t index = 0; part < end; part++) {
        if (part->role == PART_IDENTIFIER) {
            if (!label) body_add_use(body, part->first, write);
            continue;
        }
        write = index++ < writes && part->role != PART_OPERAND_ADDRESS;
        if (opcode->effect == EFFECT_CALL) write = part->flag && part->role != PART_OPERAND_ADDRESS;
        if (!kept) continue;
        const struct part *last = part;
        while (last + 1 < end && last[1].role == PART_IDENTIFIER) last++;
        vec_push(&body->operands,
                 (struct operand){statement_part(body->statement, part), KIND_OF[part->role],
                                  body->uses.count, label ? 0 : (uint32_t)(last - part)});
    }
}

/* Adds an instruction; the uses and operands that are added next belong to it. */
static inline struct instr *begin_instruction(struct view_body *body)
{
    vec_reserve(&body->uses, body->statement->part_count);
    vec_reserve(&body->instrs, 1);
    struct instr *instr = &body->instrs.at[body->instrs.count++];
    *instr = (struct instr){.span = body->statement->span,
                            .first_operand = body->operands.count,
                            .first_use = body->uses.count,
                            .guard = REG_NONE,
                            .scope = body->names.current};
    body->names_clock = false;
    return instr;
}

static inline void end_instruction(struct view_body *body, struct instr *instr, uint32_t id)
{
    const struct spelling *spelling = &body->spellings.at[id];
    bool clock = body->names_clock && effect_is_neutral(spelling->row->effect);
    instr->opcode = clock ? &opcode_clock : spelling->row;
    instr->operand_count = body->operands.count - instr->first_operand;
    instr->use_count = body->uses.count - instr->first_use;
    instr->proxy = spelling->proxy;
    instr->shape = spelling->shape;
    instr->space = spelling->space;
    instr->spelling = id;
    if (is_notable(instr->opcode)) vec_push(&body->notable, body->instrs.count - 1);
}

static struct form *body_form_of(struct view_body *body)
{
    uint64_t word = (uintptr_t)body->statement->parts + body->statement->head;
    return &body->forms[word * WORD_SPREAD >> (64 - FORM_BITS)];
}

/* Nothing but the uses and operands depends on the statement, and each name in it is a use. */
static bool has_form(const struct view_body *body, const struct instr *instr)
{
    const struct statement *statement = body->statement;
    const struct opcode *row = body->spellings.at[instr->spelling].row;
    bool fits = instr->use_count <= FORM_USES_MAX && instr->operand_count <= FORM_OPERANDS_MAX;
    bool checked = row->traits & OPCODE_TCGEN05 || row->effect == EFFECT_UNSUPPORTED;
    bool label = row->traits & OPCODE_BRANCH;
    return fits && statement->head && statement->parts->role != PART_GUARD && !checked && !label;
}

static bool is_operand(const struct part *part)
{
    return part->role >= PART_OPERAND_NAME && part->role <= PART_OPERAND_OTHER;
}

static void keep_operand(struct form_operands *operands, const struct part *part,
                         const struct operand *operand, uint32_t first_use)
{
    operands->at[operands->count++] =
        (struct form_operand){.first = (uint16_t)part->first,
                              .last = (uint16_t)part->last,
                              .kind = (uint8_t)operand->kind,
                              .first_use = (uint8_t)(operand->first_use - first_use),
                              .use_count = (uint8_t)operand->use_count};
}

static void keep_form(struct view_body *body, const struct instr *instr)
{
    const struct statement *statement = body->statement;
    struct form *form = body_form_of(body);
    struct form_operands *operands =
        body->keeps_all ? &body->operands_of[form - body->forms] : NULL;
    if (!has_form(body, instr)) return;
    *form = (struct form){statement->parts, statement->head, instr->spelling, 0, {{0, false}}};
    if (operands) operands->count = 0;
    for (const struct part *part = statement->parts; part < parts_end(body); part++) {
        if (part->role == PART_IDENTIFIER) {
            bool write = body->uses.at[instr->first_use + form->use_count].write;
            form->uses[form->use_count++] = (struct form_use){(uint16_t)part->first, write};
        } else if (operands && is_operand(part)) {
            uint32_t operand = instr->first_operand + operands->count;
            keep_operand(operands, part, &body->operands.at[operand], instr->first_use);
        }
    }
}

/* Adds the operands of the instruction, whose uses begin at first_use. */
static void read_operands_by_form(struct view_body *body, const struct form_operands *operands,
                                  uint32_t first_use)
{
    const struct span *tokens = body->statement->tokens;
    vec_reserve(&body->operands, operands->count);
    for (uint32_t o = 0; o < operands->count; o++) {
        const struct form_operand *as = &operands->at[o];
        body->operands.at[body->operands.count++] =
            (struct operand){{tokens[as->first].start, tokens[as->last].end},
                             (enum operand_kind)as->kind,
                             first_use + as->first_use,
                             as->use_count};
    }
}

static void read_by_form(struct view_body *body, const struct form *form)
{
    struct instr *instr = begin_instruction(body);
    for (uint32_t u = 0; u < form->use_count; u++)
        body_add_use(body, form->uses[u].token, form->uses[u].write);
    if (body->keeps_all)
        read_operands_by_form(body, &body->operands_of[form - body->forms], instr->first_use);
    end_instruction(body, instr, form->spelling);
}

static void body_read_instruction(struct view_body *body)
{
    const struct part *part = body->statement->parts;
    const struct form *form = body_form_of(body);
    if (form->parts == part && form->head == body->statement->head) {
        read_by_form(body, form);
        return;
    }
    struct instr *instr = begin_instruction(body);
    if (part->role == PART_GUARD) {
        instr->guard_negated = part->flag;
        instr->guard = body_add_use(body, part++->first, false);
    }
    uint32_t id = body_read_opcode(body, &part);
    const struct opcode *opcode = body->spellings.at[id].row;
    body->names_clock = false;
    read_operands(body, opcode, part);
    end_instruction(body, instr, id);
    if (instr->operand_count && effect_is_wait_or_fence(opcode->effect))
        mark_unsupported(body, instr->span.start, "unsupported",
                         "a ';' is missing: a tcgen05 wait or fence takes no operands");
    if (body->keeps_all || !is_notable(opcode)) keep_form(body, instr);
}

/* What `name` or `name<count>` declares or refers to. */
struct counted {
    struct str name;
    bool has_count;
    uint64_t count;
};

/* Reads the name at *part and the count after it, and moves *part past them. */
static struct counted read_counted(struct view_body *body, const struct part **part)
{
    const struct part *end = parts_end(body);
    struct counted counted = {.name = part_text(body, (*part)++)};
    if (*part == end || (*part)->role != PART_COUNT) return counted;
    counted.has_count = true;
    if (!digits_read_count(part_text(body, *part), &counted.count))
        mark_unsupported(body, statement_part(body->statement, *part).start, "unsupported",
                         "a count in angle brackets is not a number");
    ++*part;
    return counted;
}

static void body_read_declaration(struct view_body *body)
{
    const struct part *part = body->statement->parts, *end = parts_end(body);
    while (part < end) {
        struct counted declared = read_counted(body, &part);
        if (declared.has_count)
            names_declare_range(&body->names, declared.name, declared.count);
        else
            names_declare(&body->names, declared.name);
    }
}

static void read_label(struct view_body *body)
{
    struct str name = part_text(body, body->statement->parts);
    vec_push(&body->labels, (struct label){body->names.current, body->instrs.count, name});
}

enum { RANGES_MAX = 65536 }; /* limit of targets that are given by ranges, for each function */

static void add_table_targets(struct view_body *body, const struct counted *target, uint32_t at)
{
    if (!target->has_count) {
        vec_push(&body->targets, target->name);
        return;
    }
    if (target->count > RANGES_MAX - body->ranged_targets) {
        mark_unsupported(body, at, "unsupported", "a table of branch targets is too long");
        return;
    }
    body->ranged_targets += (uint32_t)target->count;
    for (uint64_t i = 0; i < target->count; i++) {
        char *name =
            arena_printf(body->arena, "%.*s%u", (int)target->name.n, target->name.p, (uint32_t)i);
        vec_push(&body->targets, str_from(name));
    }
}

static void body_read_branch_targets(struct view_body *body)
{
    const struct part *part = body->statement->parts, *end = parts_end(body);
    struct target_list list = {.scope = body->names.current,
                               .name = part_text(body, part++),
                               .first = body->targets.count};
    while (part < end) {
        uint32_t at = statement_part(body->statement, part).start;
        struct counted target = read_counted(body, &part);
        add_table_targets(body, &target, at);
    }
    list.count = body->targets.count - list.first;
    vec_push(&body->lists, list);
}

static void read_loc(struct view_body *body)
{
    const struct part *part = body->statement->parts, *end = parts_end(body);
    struct loc loc = {.first = body->instrs.count};
    for (; part < end; part++) {
        uint32_t number = (uint32_t)digits_read(part_text(body, part));
        switch (part->role) {
        case PART_FILE: loc.at.file = number; break;
        case PART_LINE: loc.at.line = number; break;
        case PART_COLUMN: loc.at.column = number; break;
        case PART_INLINED_FILE: loc.inlined_at.file = number; break;
        case PART_INLINED_LINE: loc.inlined_at.line = number; break;
        case PART_INLINED_COLUMN: loc.inlined_at.column = number; break;
        default: break;
        }
    }
    vec_push(&body->locs, loc);
}

void view_body_read(struct view_body *body, const struct statement *statement)
{
    body->statement = statement;
    switch (statement->kind) {
    case STATEMENT_BLOCK_BEGIN: names_open(&body->names); break;
    case STATEMENT_BLOCK_END: names_close(&body->names); break;
    case STATEMENT_INSTRUCTION:
    case STATEMENT_CALL: body_read_instruction(body); break;
    case STATEMENT_DECLARATION: body_read_declaration(body); break;
    case STATEMENT_LABEL: read_label(body); break;
    case STATEMENT_BRANCH_TARGETS: body_read_branch_targets(body); break;
    case STATEMENT_LOC:
        if (!body->leaves_out_locs) read_loc(body);
        break;
    default: break;
    }
}

/* ---- interface ---- */

/* Reserves room for the usual contents of a kernel of the text's size, up to that of a large
 * kernel. */
static void body_reserve(struct view_body *body)
{
    enum { INSTRS = 16384, BYTES_AN_INSTR = 32, SOME = 16 };
    size_t some = body->source->text.n / BYTES_AN_INSTR + SOME;
    uint32_t instrs = some < INSTRS ? (uint32_t)some : INSTRS;
    vec_reserve(&body->instrs, instrs);
    vec_reserve(&body->operands, body->keeps_all ? 2 * instrs : instrs);
    vec_reserve(&body->uses, 4 * instrs);
    body->forms = mem_alloc(sizeof *body->forms << FORM_BITS);
    for (uint32_t f = 0; f < 1 << FORM_BITS; f++) body->forms[f].parts = NULL;
    if (body->keeps_all) body->operands_of = mem_alloc(sizeof *body->operands_of << FORM_BITS);
}

void view_body_begin(struct view_body *body, struct function *function)
{
    if (!body->instrs.cap) body_reserve(body);
    body->function = function;
    names_restart(&body->names);
    body->instrs.count = body->notable.count = body->operands.count = body->uses.count = 0;
    body->labels.count = body->lists.count = body->targets.count = body->locs.count = 0;
    body->ranged_targets = 0;
    body->cta_group = 0;
}

/* Marks the predicates of branches, and the registers that are compared for them. */
static void watch_branches(struct view_body *body, bool *watched)
{
    bool any = false;
    for (uint32_t n = 0; n < body->notable.count; n++) {
        const struct instr *instr = &body->instrs.at[body->notable.at[n]];
        bool decides = instr->guard != REG_NONE && instr->opcode->traits & OPCODE_BRANCH;
        if (decides) any = watched[instr->guard] = true;
    }
    for (uint32_t i = 0; any && i < body->instrs.count; i++) {
        const struct instr *instr = &body->instrs.at[i];
        if (!(instr->opcode->traits & OPCODE_COMPARE) || !instr->use_count) continue;
        if (!watched[body->uses.at[instr->first_use].reg]) continue;
        for (uint32_t u = 1; u < instr->use_count; u++)
            watched[body->uses.at[instr->first_use + u].reg] = true;
    }
}

/* Marks the registers from which addresses of tensor memory are computed by instructions that read
 * at most two registers. A register that is written after it is read is not followed. */
static void watch_addresses(struct view_body *body, bool *watched)
{
    bool *wanted = mem_zalloc(body->names.reg_count, sizeof *wanted), any = false;
    for (uint32_t n = 0; n < body->notable.count; n++) {
        const struct instr *instr = &body->instrs.at[body->notable.at[n]];
        uint32_t address = instr->opcode->effect == EFFECT_ASYNC_LD;
        if (!address && instr->opcode->effect != EFFECT_ASYNC_ST) continue;
        if (address >= instr->operand_count) continue;
        const struct operand *operand = &body->operands.at[instr->first_operand + address];
        for (uint32_t u = 0; u < operand->use_count; u++)
            any = wanted[body->uses.at[operand->first_use + u].reg] = true;
    }
    for (uint32_t i = body->instrs.count; any && i--;) {
        const struct instr *instr = &body->instrs.at[i];
        const struct use *use = &body->uses.at[instr->first_use];
        if (instr->opcode->effect != EFFECT_REGISTER || instr->use_count - 2 > 1) continue;
        if (!use->write || !wanted[use->reg]) continue;
        for (uint32_t u = 1; u < instr->use_count; u++)
            wanted[use[u].reg] = watched[use[u].reg] = true;
    }
    mem_free(wanted);
}

/* Leaves out the uses of instructions that only compute, except those of registers that other
 * instructions use, on which branches depend, or from which addresses of tensor memory are
 * computed. */
static void forget_uses(struct view_body *body)
{
    bool *watched = mem_zalloc(body->names.reg_count, sizeof *watched);
    watch_branches(body, watched);
    watch_addresses(body, watched);
    for (uint32_t n = 0; n < body->notable.count; n++) {
        const struct instr *instr = &body->instrs.at[body->notable.at[n]];
        if (effect_is_neutral(instr->opcode->effect)) continue;
        for (uint32_t u = 0; u < instr->use_count; u++)
            watched[body->uses.at[instr->first_use + u].reg] = true;
    }
    vec_reserve(&body->first_use, body->instrs.count + 1);
    body->kept.count = 0;
    vec_reserve(&body->kept, body->uses.count);
    const struct use *uses = body->uses.at;
    struct use *to = body->kept.at;
    uint32_t *first_use = body->first_use.at;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < body->instrs.count; i++) {
        struct instr *instr = &body->instrs.at[i];
        bool all = !effect_is_neutral(instr->opcode->effect);
        uint32_t first = instr->first_use, end = first + instr->use_count;
        for (uint32_t o = 0; o < instr->operand_count; o++)
            body->operands.at[instr->first_operand + o].first_use -= first - kept;
        *first_use++ = first;
        instr->first_use = kept;
        for (uint32_t u = first; u < end; u++)
            if (all || watched[uses[u].reg]) to[kept++] = uses[u];
        instr->use_count = kept - instr->first_use;
    }
    *first_use = body->uses.count;
    body->kept.count = kept;
    mem_free(watched);
}

void view_body_end(struct view_body *body)
{
    struct function *function = body->function;
    struct span end = {function->span.end - 1, function->span.end};
    vec_push(&body->instrs, (struct instr){.span = end,
                                           .opcode = &opcode_end_of_body,
                                           .first_use = body->uses.count,
                                           .guard = REG_NONE});
    vec_push(&body->notable, body->instrs.count - 1);
    function->cta_group = (uint8_t)body->cta_group;
    function->instrs = body->instrs.at;
    function->count = body->instrs.count;
    function->notable = body->notable.at;
    function->notable_count = body->notable.count;
    function->operands = body->operands.at;
    function->operand_count = body->operands.count;
    function->scope_parent = body->names.parent.at;
    function->scope_count = body->names.parent.count;
    function->labels = body->labels.at;
    function->label_count = body->labels.count;
    function->target_lists = body->lists.at;
    function->target_list_count = body->lists.count;
    function->targets = body->targets.at;
    function->locs = body->locs.at;
    function->loc_count = body->locs.count;
    function->reg_count = body->names.reg_count;
    function->spelling_count = body->spellings.count;
    if (!body->keeps_all) forget_uses(body);
    function->uses = body->keeps_all ? body->uses.at : body->kept.at;
    function->use_count = body->keeps_all ? body->uses.count : body->kept.count;
    stored_begin(&body->stored, function, body->uses.at, body->uses.count,
                 body->keeps_all ? NULL : body->first_use.at);
}

void view_body_free(struct view_body *body)
{
    names_free(&body->names);
    vec_free(&body->instrs);
    vec_free(&body->notable);
    vec_free(&body->operands);
    vec_free(&body->uses);
    vec_free(&body->kept);
    vec_free(&body->first_use);
    mem_free(body->forms);
    mem_free(body->operands_of);
    vec_free(&body->labels);
    vec_free(&body->lists);
    vec_free(&body->targets);
    vec_free(&body->locs);
    stored_free(&body->stored);
    vec_free(&body->spellings);
    vec_free(&body->of_heads);
    intern_free(&body->spelled);
}

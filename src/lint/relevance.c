/* Finds what a simulation needs. What the branches need is found once for each function. See
 * relevance.h. */
#include "lint/relevance.h"

#include "value/compute.h"
#include "value/instruction.h"

static void mark(struct relevance *r, uint32_t instr, enum relevance_mark mark)
{
    r->marked += !r->marks[instr];
    r->marks[instr] |= (uint8_t)mark;
}

static void note_web(struct relevance *r, uint32_t web)
{
    if (web == REG_NONE || r->place_of[web]) return;
    r->place_of[web] = r->places++;
    vec_push(&r->open, web);
}

static void note_operand(struct relevance *r, const struct function *f, uint32_t i, uint32_t n)
{
    if (n >= f->instrs[i].operand_count) return;
    const struct operand *operand = &f->operands[f->instrs[i].first_operand + n];
    const struct use *use = f->uses + operand->first_use;
    for (uint32_t u = 0; u < operand->use_count; u++)
        if (!use[u].write) note_web(r, use[u].reg);
}

bool relevance_is_computed(const struct lint *lint, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    return at->opcode->effect == EFFECT_REGISTER && at->opcode->writes == 1 &&
           at->operand_count > 1 && at->operand_count <= ARGUMENTS_MAX + 1;
}

/* Marks an instruction that writes a web that matters, and notes the webs from which its result is
 * computed. */
static void note_writer(struct relevance *r, const struct lint *lint, uint32_t i)
{
    const struct function *f = lint->function;
    if (r->marks[i] & RELEVANT_WRITES) return;
    mark(r, i, RELEVANT_WRITES);
    note_web(r, f->instrs[i].guard);
    switch ((enum operation)compute_read(lint->subject, i)->operation) {
    case OPERATION_ELECT:
    case OPERATION_LOAD: return;
    case OPERATION_SHUFFLE: note_operand(r, f, i, 1); return;
    default: break;
    }
    if (!relevance_is_computed(lint, i)) return;
    for (uint32_t n = 1; n < f->instrs[i].operand_count; n++) note_operand(r, f, i, n);
}

static struct source_web relevance_source_of(const struct subject *subject, uint32_t web,
                                             uint32_t place)
{
    struct str name = value_name(subject, web);
    struct source_web source = {.place = place, .counts = str_is(name, "%tid.x")};
    if (str_is(name, "%tid.y") || str_is(name, "%tid.z") || str_is(name, "%laneid"))
        source.held = exprs_constant(0);
    else
        source.held = value_of(subject, web);
    return source;
}

/* Lists the webs that matter, and marks their writers and the webs that these writers read. */
static void follow_writers(struct relevance *r, const struct lint *lint)
{
    const struct subject *subject = lint->subject;
    for (uint32_t at = 0; at < r->open.count; at++) {
        uint32_t web = r->open.at[at], write = value_last_write(subject, web);
        lint_spend(lint, 1);
        if (write == NO_WRITE)
            vec_push(&r->sources, relevance_source_of(subject, web, r->place_of[web]));
        for (; write != NO_WRITE; write = value_write_before(subject, write))
            note_writer(r, lint, value_write_instr(subject, write));
    }
    r->open.count = 0;
}

static uint32_t marks_room(const struct lint *lint)
{
    return (lint->function->count | 7) + 1;
}

/* What the branches and the ends of threads need. */
static const struct relevance *relevance_of_control(struct lint *lint)
{
    const struct function *f = lint->function;
    if (lint->control) return lint->control;
    struct relevance *r = arena_alloc(lint->arena, 1, sizeof *r);
    r->place_of = mem_zalloc(f->reg_count + 1, sizeof *r->place_of);
    r->marks = mem_zalloc(marks_room(lint), sizeof *r->marks);
    r->places = PLACE_FIRST;
    for (uint32_t n = 0; n < f->notable_count; n++) {
        uint32_t i = f->notable[n];
        const struct opcode *opcode = f->instrs[i].opcode;
        bool exits = opcode->effect == EFFECT_EXIT;
        if (exits || opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH))
            note_web(r, f->instrs[i].guard);
        if (opcode->traits & OPCODE_TABLE_BRANCH) note_operand(r, f, i, 0);
        if (exits) mark(r, i, RELEVANT_EXITS);
        if (exits && instruction_is_trap(lint->subject, i)) mark(r, i, RELEVANT_TRAPS);
        if (opcode->effect == EFFECT_CALL) mark(r, i, RELEVANT_CALLS);
    }
    follow_writers(r, lint);
    vec_free(&r->open);
    lint->control = r;
    return r;
}

void relevance_find(struct relevance *r, struct lint *lint, interpret_interest *interest,
                    const void *context)
{
    const struct function *f = lint->function;
    const struct relevance *control = relevance_of_control(lint);
    uint32_t webs = f->reg_count + 1, room = marks_room(lint);
    *r = (struct relevance){.places = control->places, .marked = control->marked};
    r->place_of = mem_alloc(webs * sizeof *r->place_of);
    memcpy(r->place_of, control->place_of, webs * sizeof *r->place_of);
    r->marks = mem_alloc(room * sizeof *r->marks);
    memcpy(r->marks, control->marks, room * sizeof *r->marks);
    for (uint32_t i = 0; i < control->sources.count; i++)
        vec_push(&r->sources, control->sources.at[i]);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n], needs = interest(lint, i, context);
        if (!needs) continue;
        mark(r, i, RELEVANT_ASKED);
        note_web(r, f->instrs[i].guard);
        for (uint32_t bits = needs & ~INTERPRET_MET; bits; bits &= bits - 1)
            note_operand(r, f, i, (uint32_t)__builtin_ctz(bits));
    }
    follow_writers(r, lint);
    vec_free(&r->open);
}

void relevance_free(struct relevance *r)
{
    mem_free(r->place_of);
    mem_free(r->marks);
    vec_free(&r->sources);
}

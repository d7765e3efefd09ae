/* Splits the registers of a function into webs, reads its opcodes, and keeps its dominators. See
 * subject.h. */
#include "value/subject.h"

#include "flow/components.h"
#include "flow/webs.h"
#include "value/lane_masks.h"

static bool subject_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct str subject_read_opcode(const struct subject *subject, uint32_t instr)
{
    const struct instr *at = &subject->function->instrs[instr];
    struct str text = source_slice(subject->view->source, at->span);
    if (at->guard != REG_NONE) {
        while (text.n && (text.p[0] == '@' || text.p[0] == '!' || subject_is_blank(text.p[0])))
            text.p++, text.n--;
        while (text.n && !subject_is_blank(text.p[0])) text.p++, text.n--;
        while (text.n && subject_is_blank(text.p[0])) text.p++, text.n--;
    }
    size_t n = 0;
    while (n < text.n && !subject_is_blank(text.p[n]) && text.p[n] != ';' && text.p[n] != '{') n++;
    return (struct str){text.p, n};
}

static struct spelled **subject_new_spelled(const struct subject *subject)
{
    return arena_alloc(subject->arena, subject->function->spelling_count, sizeof *subject->spelled);
}

/* Reads the opcode of the instruction, the first one with its spelling. */
static struct spelled *subject_read_first(struct subject *subject, uint32_t instr)
{
    struct spelled *read = arena_room(subject->arena, 1, sizeof *read);
    spelled_read(read, subject_read_opcode(subject, instr));
    subject->maps |= str_is(read->base, "mapa");
    return subject->spelled[subject->function->instrs[instr].spelling] = read;
}

void subject_read_spelled(struct subject *subject, uint32_t instr)
{
    const struct instr *at = &subject->function->instrs[instr];
    bool written = !(at->opcode->traits & OPCODE_CALLED); /* what represents a call has no text */
    if (!subject->spelled) {
        subject->spelled = subject_new_spelled(subject);
        /* cleared: an instruction that was not read has no opcode */
        subject->spelled_at =
            arena_alloc(subject->arena, subject->function->count, sizeof *subject->spelled_at);
    }
    struct spelled *known = written ? subject->spelled[at->spelling] : NULL;
    if (written && !known) known = subject_read_first(subject, instr);
    subject->spelled_at[instr] = known;
}

/* Reads all opcodes, and lists the instructions that act. */
static void subject_read_all(struct subject *subject)
{
    const struct function *f = subject->function;
    uint32_t *acting = arena_room(subject->arena, f->count, sizeof *acting), count = 0;
    struct spelled **spelled = subject_new_spelled(subject);
    struct spelled **at = arena_room(subject->arena, f->count, sizeof *at);
    subject->spelled = spelled;
    subject->spelled_at = at;
    for (uint32_t i = 0; i + 1 < f->count; i++) {
        at[i] = spelled[f->instrs[i].spelling];
        if (!at[i]) at[i] = subject_read_first(subject, i);
        if (f->instrs[i].opcode->effect != EFFECT_REGISTER) acting[count++] = i;
    }
    at[f->count - 1] = NULL;
    subject->acting = acting;
    subject->acting_count = count;
}

void subject_begin(struct subject *subject)
{
    loops_find_components(subject->cfg, subject->arena, &subject->loops);
    subject->function = components_separate(
        webs_rename(subject->cfg, &subject->loops, subject->arena, subject->effort),
        subject->view->source, subject->arena, subject->effort);
    subject_read_all(subject);
    subject->lane_tables = lane_tables_build(subject->arena);
}

const struct dominators *subject_dominators(struct subject *subject)
{
    uint32_t blocks = subject->cfg->count;
    if (subject->dominators) return subject->dominators;
    struct dominators *found = arena_alloc(subject->arena, 1, sizeof *found);
    found->number = arena_room(subject->arena, blocks, sizeof *found->number);
    found->size = arena_room(subject->arena, blocks, sizeof *found->size);
    subject_spend(subject, blocks);
    dominators_find(subject->cfg, blocks, found);
    return subject->dominators = found;
}

bool subject_always_enters(struct subject *subject, uint32_t by, uint32_t to)
{
    const struct dominators *dominators = subject_dominators(subject);
    subject_spend(subject, 1);
    return !dominators_reach(dominators, to) || dominators_have(dominators, by, to);
}

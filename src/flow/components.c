/* Finds operands that end in a component, and renames their registers. See components.h. */
#include "flow/components.h"

#include <string.h>

#include "base/vec.h"

struct component {
    reg_id reg, own; /* own: the register that the component has */
    char letter;
};

struct separating {
    const struct function *function;
    struct function *renamed; /* NULL: nothing is renamed yet */
    struct arena *arena;
    struct effort *effort;
    struct VEC(struct component) found;
    bool *written; /* by register; NULL: not needed yet */
};

/* The letter of a name such as %tid.x; 0: the operand is another one. */
static char component_of(const struct source *source, const struct operand *operand)
{
    if (operand->kind != OPERAND_OTHER || operand->use_count != 1) return 0;
    struct str text = source_slice(source, operand->span);
    if (text.n < 3 || text.p[text.n - 2] != '.') return 0;
    char letter = text.p[text.n - 1];
    return letter >= 'w' && letter <= 'z' ? letter : 0;
}

static bool is_written_register(struct separating *s, reg_id reg)
{
    const struct function *f = s->function;
    if (!s->written) {
        s->written = arena_alloc(s->arena, f->reg_count, sizeof *s->written);
        effort_spend(s->effort, f->use_count / 4);
        for (uint32_t u = 0; u < f->use_count; u++) s->written[f->uses[u].reg] |= f->uses[u].write;
    }
    return s->written[reg];
}

/* The copy whose uses are renamed. */
static struct function *renamed_function(struct separating *s)
{
    const struct function *f = s->function;
    if (s->renamed) return s->renamed;
    s->renamed = arena_room(s->arena, 1, sizeof *s->renamed);
    *s->renamed = *f;
    s->renamed->uses = arena_room(s->arena, f->use_count, sizeof *f->uses);
    memcpy(s->renamed->uses, f->uses, f->use_count * sizeof *f->uses);
    return s->renamed;
}

static void separate_use(struct separating *s, uint32_t use, char letter)
{
    reg_id reg = s->function->uses[use].reg;
    bool first = true;
    effort_spend(s->effort, s->found.count + 1);
    for (uint32_t i = 0; i < s->found.count; i++) {
        const struct component *c = &s->found.at[i];
        if (c->reg != reg) continue;
        first = false;
        if (c->letter != letter) continue;
        if (c->own != reg) renamed_function(s)->uses[use].reg = c->own;
        return;
    }
    if (is_written_register(s, reg)) return;
    reg_id own = first ? reg : renamed_function(s)->reg_count++;
    vec_push(&s->found, ((struct component){reg, own, letter}));
    if (!first) s->renamed->uses[use].reg = own;
}

const struct function *components_separate(const struct function *function,
                                           const struct source *source, struct arena *arena,
                                           struct effort *effort)
{
    struct separating s = {.function = function, .arena = arena, .effort = effort};
    effort_spend(effort, function->operand_count / 4 + 1);
    for (uint32_t o = 0; o < function->operand_count; o++) {
        char letter = component_of(source, &function->operands[o]);
        if (letter) separate_use(&s, function->operands[o].first_use, letter);
    }
    vec_free(&s.found);
    return s.renamed ? s.renamed : function;
}

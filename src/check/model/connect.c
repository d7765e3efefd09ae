/* Finds the successors of instructions: divides them into basic blocks, and resolves every branch
 * in its scope. If a branch cannot be resolved, there is no verdict. See connect.h. */
#include "check/model/connect.h"

static bool leaves_body(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_EXIT || at->effect == CHECK_EFFECT_RET;
}

static bool is_jump(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_BRANCH || at->effect == CHECK_EFFECT_INDEXED;
}

static void connect_make_blocks(struct program *program, uint32_t *block_of)
{
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        bool starts = !i || at->leads || leaves_body(at - 1) || is_jump(at - 1);
        if (starts) vec_push(&program->blocks, (struct flow_block){.start = i, .end = i});
        block_of[i] = program->blocks.count - 1;
        program->blocks.at[program->blocks.count - 1].end = i + 1;
    }
}

static void add_target(struct program *program, const uint32_t *block_of, uint32_t scope,
                       struct str name, uint32_t at)
{
    uint32_t target = scope_find_label(&program->scope, scope, name, true);
    if (target >= program->instructions.count) {
        program_give_up(program, at, "a branch to a label that is not there");
        return;
    }
    vec_push(&program->succs, block_of[target]);
}

/* Adds the block that represents the table of an indirect branch. */
static void add_table_block(struct program *program, const struct program_jump *jump, uint32_t at)
{
    struct str name = token_text(program->text, jump->name);
    char *key = arena_printf(program->scope.arena, " %.*s", (int)name.n, name.p);
    uint32_t number = scope_find_label(&program->scope, jump->scope, str_from(key), false);
    if (number >= program->tables.count || !program->tables.at[number].count) {
        program_give_up(program, at, "an indexed branch without its targets");
        return;
    }
    struct program_table *table = &program->tables.at[number];
    uint32_t none = program->instructions.count;
    if (!table->block) {
        table->block = program->blocks.count;
        table->used_at = at;
        vec_push(&program->blocks, (struct flow_block){.start = none, .end = none});
    }
    vec_push(&program->succs, table->block);
}

/* Adds the successors of block `number` of the text. block_of: block by instruction. */
static void add_block_succs(struct program *program, const uint32_t *block_of, uint32_t number,
                            uint32_t count)
{
    uint32_t from = program->succs.count, end = program->blocks.at[number].end;
    const struct program_instruction *last = &program->instructions.at[end - 1];
    if (is_jump(last)) {
        const struct program_jump *jump = &program->jumps.at[last->detail];
        struct str name = token_text(program->text, jump->name);
        if (jump->is_back)
            vec_push(&program->succs, block_of[jump->back]);
        else if (jump->is_table)
            add_table_block(program, jump, last->span.start);
        else
            add_target(program, block_of, jump->scope, name, last->span.start);
    }
    bool falls = last->guarded || !(leaves_body(last) || is_jump(last));
    if (falls && number + 1 < count) vec_push(&program->succs, number + 1);
    program->blocks.at[number].succ_start = from;
    program->blocks.at[number].succ_end = program->succs.count;
}

static void add_table_succs(struct program *program, const uint32_t *block_of,
                            const struct program_table *table)
{
    uint32_t from = program->succs.count;
    for (uint32_t i = 0; i < table->count && !program->strange; i++)
        add_target(program, block_of, table->scope, program->names.at[table->first + i],
                   table->used_at);
    program->blocks.at[table->block].succ_start = from;
    program->blocks.at[table->block].succ_end = program->succs.count;
}

void connect_blocks(struct program *program)
{
    for (uint32_t i = 0; i < program->suspects.count && !program->strange; i++) {
        const struct program_jump *suspect = &program->suspects.at[i];
        struct str name = token_text(program->text, suspect->name);
        if (scope_has_label(&program->scope, suspect->scope, name))
            program_give_up(program, suspect->name.start, "an unknown instruction names a label");
    }
    uint32_t *block_of = mem_zalloc(program->instructions.count, sizeof *block_of);
    connect_make_blocks(program, block_of);
    for (uint32_t i = 0, count = program->blocks.count; i < count && !program->strange; i++)
        add_block_succs(program, block_of, i, count);
    for (uint32_t i = 0; i < program->tables.count && !program->strange; i++)
        if (program->tables.at[i].block) add_table_succs(program, block_of, &program->tables.at[i]);
    mem_free(block_of);
}

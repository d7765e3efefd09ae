/* Builds webs by joining uses into sets, for one register after the other. In a block, the order of
 * the text says which write a use reads. For a use with no write before it in its block, a search
 * goes backward over the blocks until it finds writes, or until the tree of dominators tells which
 * writes the blocks ahead have. See webs.h. */
#include "flow/webs.h"

#include <string.h>

#include "flow/dominators.h"

#define NO_USE UINT32_MAX
#define NO_BLOCK UINT32_MAX

/* A use of a register that several instructions write. */
struct event {
    uint32_t use, instr;
};

enum { WRITERS_MAX = 16 };

/* The blocks that write the current register, in the order of the text. */
struct writers {
    uint32_t at[WRITERS_MAX], count;
    bool many; /* more than WRITERS_MAX, or one to which no path leads */
};

/* A register that several uses write, and its events, in the order of the text; of an instruction,
 * reads come first. */
struct joined {
    struct event *events;
    uint32_t count;
    reg_id reg;
};

struct joining {
    const struct cfg *cfg;
    const struct function *function;
    struct effort *effort;
    struct joined *registers;
    uint32_t register_count;
    /* by use of such a register: another use of the same web, or itself for the root */
    uint32_t *parent;
    /* by block, for the current register: a use of the web in which the register is at the
     * beginning and at the end of the block; NO_USE: not known */
    uint32_t *entering, *leaving;
    uint32_t *met, met_count;   /* blocks in which entering or leaving is not NO_USE */
    uint32_t *open, open_count; /* blocks whose predecessors must be visited */
    struct writers writers;
    struct dominators *dominators; /* NULL until needed */
    const struct loops *loops;
    struct arena *scratch;
};

/* ---- sets ---- */

static uint32_t root_of(uint32_t *parent, uint32_t use)
{
    while (parent[use] != use) {
        parent[use] = parent[parent[use]];
        use = parent[use];
    }
    return use;
}

static void join_uses(struct joining *j, uint32_t a, uint32_t b)
{
    a = root_of(j->parent, a);
    b = root_of(j->parent, b);
    if (a < b)
        j->parent[b] = a;
    else
        j->parent[a] = b;
}

/* ---- events ---- */

/* Lists the uses of the registers that several uses write. All uses of another one are one web. */
static struct event *find_events(struct joining *j, uint32_t *place_of, uint32_t *count)
{
    const struct function *f = j->function;
    const struct use *uses = f->uses;
    struct event *found = arena_room(j->scratch, f->use_count, sizeof *found);
    uint32_t *writes = arena_alloc(j->scratch, f->reg_count, sizeof *writes);
    uint32_t use_count = f->use_count, end = 0, i = UINT32_MAX, n = 0;
    j->registers = arena_room(j->scratch, f->reg_count, sizeof *j->registers);
    for (uint32_t u = 0; u < use_count; u++) writes[uses[u].reg] += uses[u].write;
    for (uint32_t u = 0; u < use_count; u++) {
        reg_id reg = uses[u].reg;
        if (writes[reg] < 2) continue;
        while (u >= end) {
            i++;
            end = f->instrs[i].first_use + f->instrs[i].use_count;
        }
        found[n++] = (struct event){u, i};
        j->parent[u] = u;
        if (!place_of[reg]) {
            j->registers[j->register_count] = (struct joined){NULL, 0, reg};
            place_of[reg] = ++j->register_count;
        }
        j->registers[place_of[reg] - 1].count++;
    }
    *count = n;
    return found;
}

/* Adds the event to the list of its register, before the writes of the same instruction if it is a
 * read. */
static void list_event(const struct joining *j, struct joined *joined, struct event event)
{
    const struct use *uses = j->function->uses;
    uint32_t at = joined->count++;
    for (; !uses[event.use].write && at; at--) {
        struct event before = joined->events[at - 1];
        if (before.instr != event.instr || !uses[before.use].write) break;
        joined->events[at] = before;
    }
    joined->events[at] = event;
}

static void list_events(struct joining *j)
{
    uint32_t *place_of = arena_alloc(j->scratch, j->function->reg_count, sizeof *place_of), count;
    const struct event *found = find_events(j, place_of, &count);
    struct event *events = arena_room(j->scratch, count, sizeof *events);
    for (uint32_t r = 0; r < j->register_count; r++) {
        j->registers[r].events = events;
        events += j->registers[r].count;
        j->registers[r].count = 0;
    }
    for (uint32_t e = 0; e < count; e++) {
        reg_id reg = j->function->uses[found[e].use].reg;
        list_event(j, &j->registers[place_of[reg] - 1], found[e]);
    }
}

/* ---- one register ---- */

static void note_block(struct joining *j, uint32_t block)
{
    if (j->entering[block] == NO_USE && j->leaving[block] == NO_USE) j->met[j->met_count++] = block;
}

/* At the beginning of the block, the register is in the web of the use. */
static void enter_with(struct joining *j, uint32_t block, uint32_t use)
{
    if (j->entering[block] != NO_USE) {
        join_uses(j, j->entering[block], use);
        return;
    }
    note_block(j, block);
    j->entering[block] = use;
    j->open[j->open_count++] = block;
}

/* The instruction certainly replaces the value of the register. An accumulator of wgmma is also
 * read (ISA 9.7.15), and an unknown opcode may read any operand. */
static bool replaces_register(const struct instr *instr)
{
    return instr->guard == REG_NONE && instr->opcode->writes != OPCODE_WRITES_ALL &&
           strncmp(instr->opcode->name, "wgmma", 5) != 0;
}

/* Joins uses by the order within blocks. */
static void join_within_blocks(struct joining *j, const struct joined *joined)
{
    uint32_t block = UINT32_MAX, held = NO_USE, writer = UINT32_MAX;
    for (uint32_t e = 0; e < joined->count; e++) {
        struct event event = joined->events[e];
        bool write = j->function->uses[event.use].write;
        if (j->cfg->block_of[event.instr] != block) {
            block = j->cfg->block_of[event.instr];
            held = NO_USE;
        }
        bool goes_on = !write || !replaces_register(&j->function->instrs[event.instr]) ||
                       writer == event.instr;
        if (goes_on && held != NO_USE)
            join_uses(j, held, event.use);
        else if (goes_on)
            enter_with(j, block, event.use);
        if (!write) continue;
        note_block(j, block);
        held = j->leaving[block] = event.use;
        writer = event.instr;
    }
}

/* ---- which writes reach a block ---- */

static void prepare_tree(struct joining *j)
{
    uint32_t blocks = j->cfg->count;
    effort_spend(j->effort, blocks * 2);
    j->dominators = arena_alloc(j->scratch, 1, sizeof *j->dominators);
    *j->dominators =
        (struct dominators){arena_room(j->scratch, blocks, sizeof *j->dominators->number),
                            arena_room(j->scratch, blocks, sizeof *j->dominators->size)};
    dominators_find(j->cfg, blocks, j->dominators);
}

static void find_writers(struct joining *j, const struct joined *joined)
{
    struct writers *writers = &j->writers;
    writers->count = 0;
    writers->many = false;
    for (uint32_t e = 0; e < joined->count && !writers->many; e++) {
        uint32_t block = j->cfg->block_of[joined->events[e].instr];
        if (!j->function->uses[joined->events[e].use].write) continue;
        if (writers->count && writers->at[writers->count - 1] == block) continue;
        writers->many = writers->count == WRITERS_MAX || !dominators_reach(j->dominators, block);
        if (!writers->many) writers->at[writers->count++] = block;
    }
}

/* The nearest block that writes the register on every path to the block. */
static uint32_t writer_above(const struct joining *j, uint32_t block)
{
    const struct dominators *tree = j->dominators;
    uint32_t above = NO_BLOCK;
    for (uint32_t i = 0; i < j->writers.count; i++) {
        uint32_t writer = j->writers.at[i];
        if (writer == block || !dominators_have(tree, writer, block)) continue;
        if (above == NO_BLOCK || tree->number[writer] > tree->number[above]) above = writer;
    }
    return above;
}

/* Control can come from `from`, behind `above`, to the block without entering `above`, which is on
 * every path to the block: they are in a loop outside of which `above` is, or `from` repeats one
 * whose head is on every path to the block. */
static bool repeats_behind(const struct joining *j, uint32_t from, uint32_t block, uint32_t above)
{
    const struct block *at = &j->cfg->blocks[from];
    const uint32_t *component = j->loops->component;
    if (component[from] == component[block] && component[above] != component[block]) return true;
    for (uint32_t i = 0; i < at->succ_count; i++) {
        uint32_t head = j->cfg->succs[at->first_succ + i];
        if (head != above && dominators_have(j->dominators, head, block) &&
            dominators_have(j->dominators, above, head))
            return true;
    }
    return false;
}

/* Joins the use at the beginning of the block with all writes that reach it, if it is known which.
 * A write reaches it from the nearest block `above` that is on every path to it, and from others
 * only if these come after `above` and control can get from them to the block. */
static bool join_by_tree(struct joining *j, uint32_t block)
{
    if (j->writers.many || !dominators_reach(j->dominators, block)) return false;
    uint32_t above = writer_above(j, block), other = NO_BLOCK;
    const uint32_t *component = j->loops->component;
    if (above == NO_BLOCK) return false;
    for (uint32_t i = 0; i < j->writers.count; i++) {
        uint32_t writer = j->writers.at[i];
        if (writer == above || !dominators_have(j->dominators, above, writer)) continue;
        if (component[writer] < component[block]) continue;
        if (writer == block && !j->loops->on_cycle[block]) continue;
        if (other != NO_BLOCK) return false;
        other = writer;
    }
    if (other != NO_BLOCK) {
        /* It writes in each round of a loop: `above` reaches the first round. */
        if (!repeats_behind(j, other, block, above)) return false;
        join_uses(j, j->leaving[other], j->entering[block]);
    }
    join_uses(j, j->leaving[above], j->entering[block]);
    return true;
}

/* Of the blocks in which the search began, the tree tells which writes reach them. */
static bool join_begun_by_tree(struct joining *j, const struct joined *joined)
{
    bool all = true;
    uint32_t block = NO_BLOCK;
    if (!j->dominators) prepare_tree(j);
    find_writers(j, joined);
    effort_spend(j->effort, joined->count);
    for (uint32_t e = 0; e < joined->count; e++) {
        if (j->cfg->block_of[joined->events[e].instr] == block) continue;
        block = j->cfg->block_of[joined->events[e].instr];
        if (j->entering[block] != NO_USE) all &= join_by_tree(j, block);
    }
    return all;
}

/* Joins the uses at the beginning of blocks with the writes of the predecessors. When the search
 * has become long, the tree is asked: about its beginning, again after each of its answers, and
 * each time that the search is twice as long. */
static void join_across_blocks(struct joining *j, const struct joined *joined)
{
    enum { BLOCKS_AT_FIRST = 64 };
    uint32_t visited = 0, ask = BLOCKS_AT_FIRST;
    while (j->open_count) {
        uint32_t at = j->open[--j->open_count];
        const struct block *block = &j->cfg->blocks[at];
        effort_spend(j->effort, block->pred_count + 1);
        if (++visited == ask) {
            if (visited == BLOCKS_AT_FIRST && join_begun_by_tree(j, joined)) break;
            bool told = join_by_tree(j, at);
            ask = told ? visited + 1 : visited * 2;
            if (told) continue;
        }
        for (uint32_t i = 0; i < block->pred_count; i++) {
            uint32_t pred = j->cfg->preds[block->first_pred + i];
            if (j->leaving[pred] != NO_USE)
                join_uses(j, j->leaving[pred], j->entering[at]);
            else
                enter_with(j, pred, j->entering[at]);
        }
    }
    for (uint32_t i = 0; i < j->met_count; i++)
        j->entering[j->met[i]] = j->leaving[j->met[i]] = NO_USE;
    j->met_count = j->open_count = 0;
}

static void join_all(struct joining *j)
{
    uint32_t blocks = j->cfg->count;
    j->entering = arena_room(j->scratch, blocks, sizeof *j->entering);
    j->leaving = arena_room(j->scratch, blocks, sizeof *j->leaving);
    j->met = arena_room(j->scratch, blocks, sizeof *j->met);
    j->open = arena_room(j->scratch, blocks, sizeof *j->open);
    for (uint32_t b = 0; b < blocks; b++) j->entering[b] = j->leaving[b] = NO_USE;
    for (uint32_t r = 0; r < j->register_count; r++) {
        const struct joined *joined = &j->registers[r];
        effort_spend(j->effort, joined->count);
        join_within_blocks(j, joined);
        join_across_blocks(j, joined);
    }
}

/* ---- the function ---- */

static bool is_of_one_web(const struct joining *j, const struct joined *joined)
{
    uint32_t root = root_of(j->parent, joined->events[0].use), e = 1;
    while (e < joined->count && root_of(j->parent, joined->events[e].use) == root) e++;
    return e == joined->count;
}

/* Gives each web of the register a number: the register's own to the first one in the text.
 * by_root: by use. */
static void number_webs(const struct joining *j, const struct joined *joined, uint32_t *by_root,
                        struct function *renamed)
{
    uint32_t first = root_of(j->parent, joined->events[0].use);
    for (uint32_t e = 0; e < joined->count; e++) by_root[joined->events[e].use] = REG_NONE;
    by_root[first] = joined->reg;
    for (uint32_t e = 0; e < joined->count; e++) {
        uint32_t use = joined->events[e].use, *web = &by_root[root_of(j->parent, use)];
        if (*web == REG_NONE) *web = renamed->reg_count++;
        renamed->uses[use].reg = *web;
    }
}

static void webs_copy_uses(const struct function *from, struct function *to)
{
    uint32_t count = from->use_count;
    for (uint32_t u = 0; u < count; u++)
        to->uses[u] = (struct use){from->uses[u].reg, from->uses[u].write};
}

static const struct function *rename_webs(const struct joining *j, struct arena *arena)
{
    const struct function *f = j->function;
    uint32_t r = 0, *by_root;
    while (r < j->register_count && is_of_one_web(j, &j->registers[r])) r++;
    if (r == j->register_count) return f;
    struct function *renamed = arena_alloc(arena, 1, sizeof *renamed);
    *renamed = *f;
    renamed->uses = arena_room(arena, f->use_count, sizeof *renamed->uses);
    renamed->instrs = arena_room(arena, f->count, sizeof *renamed->instrs);
    by_root = arena_room(j->scratch, f->use_count, sizeof *by_root);
    webs_copy_uses(f, renamed);
    for (; r < j->register_count; r++) number_webs(j, &j->registers[r], by_root, renamed);
    for (uint32_t i = 0; i < f->count; i++) {
        struct instr *at = &renamed->instrs[i];
        *at = f->instrs[i];
        if (at->guard != REG_NONE) at->guard = renamed->uses[at->first_use].reg;
    }
    return renamed;
}

const struct function *webs_rename(const struct cfg *cfg, const struct loops *loops,
                                   struct arena *arena, struct effort *effort)
{
    struct arena scratch = {0};
    const struct function *f = cfg->function;
    struct joining j = {
        .cfg = cfg, .function = f, .effort = effort, .loops = loops, .scratch = &scratch};
    effort_spend(effort, f->count + f->use_count);
    j.parent = arena_room(&scratch, f->use_count, sizeof *j.parent);
    list_events(&j);
    join_all(&j);
    const struct function *renamed = rename_webs(&j, arena);
    arena_free(&scratch);
    return renamed;
}

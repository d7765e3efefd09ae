/* Builds the control-flow graph. Labels are resolved by scope, as in PTX: inline-asm blocks repeat
 * the same names of labels many times in one function. */
#include "flow/cfg.h"

#include "base/buf.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/work.h"

struct edge {
    uint32_t from, to; /* indices of blocks */
};

struct edges VEC(struct edge);

#define SEVERAL UINT32_MAX

/* A name of labels or tables. */
struct defined {
    uint32_t scope; /* the only one that defines it, or SEVERAL */
    /* numbers in labels and lists of the last one with the name, or INTERN_NONE */
    uint32_t label, list;
};

struct build {
    struct cfg *cfg;
    const struct function *function;
    const struct source *source;
    struct intern labels, lists;  /* keys: scope and name */
    uint32_t *label_of, *list_of; /* by number in labels and lists: the target of the label; the
                                     index of the table */
    uint32_t *block_of_list;      /* by table: its block; 0: no brx uses it */
    struct intern names; /* names of labels and tables in all scopes: numbered as defined */
    struct VEC(struct defined) defined;
    uint32_t *last_inside;        /* by scope: the last scope inside it */
    struct VEC(uint32_t) goes_to; /* for each branch, in order: the number of its label or table */
    bool *leader;
    struct edges edges;
};

static struct defined *define_name(struct build *build, struct str name, uint32_t scope)
{
    uint32_t id = intern_add(&build->names, 0, name);
    if (id == build->defined.count)
        vec_push(&build->defined, (struct defined){scope, INTERN_NONE, INTERN_NONE});
    struct defined *defined = &build->defined.at[id];
    if (defined->scope != scope) defined->scope = SEVERAL;
    return defined;
}

/* Scopes are numbered in the order in which they open, so the scopes inside one have consecutive
 * numbers. */
static void collect_scopes(struct build *build, struct arena *arena)
{
    const struct function *f = build->function;
    build->last_inside = arena_alloc(arena, f->scope_count, sizeof *build->last_inside);
    for (uint32_t s = f->scope_count; s-- > 0;) {
        if (build->last_inside[s] < s) build->last_inside[s] = s;
        uint32_t *outer = &build->last_inside[f->scope_parent[s]];
        if (*outer < build->last_inside[s]) *outer = build->last_inside[s];
    }
}

/* If one scope has two equal names, the last counts; ptxas refuses such a text. */
static void collect_names(struct build *build, struct arena *arena)
{
    const struct function *f = build->function;
    build->label_of = arena_alloc(arena, f->label_count, sizeof *build->label_of);
    build->list_of = arena_alloc(arena, f->target_list_count, sizeof *build->list_of);
    build->block_of_list = arena_alloc(arena, f->target_list_count, sizeof *build->block_of_list);
    for (uint32_t i = 0; i < f->label_count; i++) {
        const struct label *label = &f->labels[i];
        uint32_t number = intern_add(&build->labels, label->scope, label->name);
        define_name(build, label->name, label->scope)->label = number;
        build->label_of[number] = label->target;
    }
    for (uint32_t i = 0; i < f->target_list_count; i++) {
        const struct target_list *list = &f->target_lists[i];
        uint32_t number = intern_add(&build->lists, list->scope, list->name);
        define_name(build, list->name, list->scope)->list = number;
        build->list_of[number] = i;
    }
}

/* Returns the number of the only label or table that name can mean in scope. INTERN_NONE if there
 * is none, or if surrounding scopes define the name more than once: ptxas then uses the one before
 * a block was closed. With own_wins, an entry of the scope itself has priority. */
static uint32_t find_in_scope(const struct build *build, bool is_list, uint32_t scope,
                              struct str name, bool own_wins)
{
    const struct intern *table = is_list ? &build->lists : &build->labels;
    uint32_t id = intern_find(&build->names, 0, name);
    if (id == INTERN_NONE) return INTERN_NONE;
    struct defined defined = build->defined.at[id];
    if (defined.scope != SEVERAL) {
        bool inside = defined.scope <= scope && scope <= build->last_inside[defined.scope];
        return !inside ? INTERN_NONE : is_list ? defined.list : defined.label;
    }
    uint32_t found = intern_find(table, scope, name);
    if (found != INTERN_NONE && own_wins) return found;
    while (scope) {
        scope = build->function->scope_parent[scope];
        uint32_t outer = intern_find(table, scope, name);
        if (outer == INTERN_NONE) continue;
        if (found != INTERN_NONE) return INTERN_NONE;
        found = outer;
    }
    return found;
}

/* Returns the label that a branch in scope means, or INTERN_NONE. */
static uint32_t find_label(const struct build *build, uint32_t scope, struct str name)
{
    return find_in_scope(build, false, scope, name, true);
}

static bool cfg_is_branch(const struct instr *instr)
{
    return instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH);
}

static bool is_table_branch(const struct instr *instr)
{
    return instr->opcode->traits & OPCODE_TABLE_BRANCH;
}

/* Control never continues to the next instruction. */
static bool ends_flow(const struct instr *instr)
{
    if (instr->guard != REG_NONE) return false;
    return cfg_is_branch(instr) || instr->opcode->effect == EFFECT_EXIT;
}

static struct str operand_text(const struct build *build, const struct instr *instr, uint32_t n)
{
    if (n >= instr->operand_count) return (struct str){"", 0};
    return source_slice(build->source, build->function->operands[instr->first_operand + n].span);
}

/* Returns the table of a brx. INTERN_NONE if it is unknown, or may be one of several. */
static uint32_t find_table(const struct build *build, const struct instr *instr)
{
    uint32_t id = find_in_scope(build, true, instr->scope, operand_text(build, instr, 1), false);
    return id == INTERN_NONE ? id : build->list_of[id];
}

/* Makes the targets of a table leaders, once for all brx that use it. False if a target is unknown.
 */
static bool enter_table(struct build *build, uint32_t table)
{
    const struct function *f = build->function;
    const struct target_list *list = &f->target_lists[table];
    if (build->block_of_list[table]) return true;
    build->block_of_list[table] = 1;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t label = find_label(build, list->scope, f->targets[list->first + i]);
        if (label == INTERN_NONE) return false;
        build->leader[build->label_of[label]] = true;
    }
    return list->count > 0;
}

/* The instruction is the branch back of the loop that represents a call (expand.h). */
static bool is_again(const struct instr *instr)
{
    return instr->opcode == &opcode_called_again;
}

/* Makes the target of the branch a leader. False if the target is unknown. */
static bool enter_targets(struct build *build, const struct instr *instr)
{
    if (is_again(instr)) {
        vec_push(&build->goes_to, INTERN_NONE);
        return build->leader[instr->spelling] = true;
    }
    if (is_table_branch(instr)) {
        uint32_t table = find_table(build, instr);
        vec_push(&build->goes_to, table);
        return table != INTERN_NONE && enter_table(build, table);
    }
    uint32_t id = find_label(build, instr->scope, operand_text(build, instr, 0));
    vec_push(&build->goes_to, id);
    if (id == INTERN_NONE) return false;
    build->leader[build->label_of[id]] = true;
    return true;
}

static void add_edge(struct build *build, uint32_t from_block, uint32_t to_block)
{
    vec_push(&build->edges, (struct edge){from_block, to_block});
}

static void add_branch_targets(struct build *build, uint32_t block, const struct instr *instr,
                               uint32_t goes_to)
{
    if (is_again(instr))
        add_edge(build, block, build->cfg->block_of[instr->spelling]);
    else if (is_table_branch(instr))
        add_edge(build, block, build->block_of_list[goes_to]);
    else
        add_edge(build, block, build->cfg->block_of[build->label_of[goes_to]]);
}

static void add_table_edges(struct build *build, uint32_t table)
{
    const struct target_list *list = &build->function->target_lists[table];
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t label = find_label(build, list->scope, build->function->targets[list->first + i]);
        add_edge(build, build->block_of_list[table], build->cfg->block_of[build->label_of[label]]);
    }
}

/* An unknown instruction with a label as an operand may be a branch of a later ISA. */
static bool may_branch(const struct build *build, const struct instr *instr)
{
    if (instr->opcode != &opcode_unknown) return false;
    for (uint32_t n = 0; n < instr->operand_count; n++)
        for (uint32_t scope = instr->scope;; scope = build->function->scope_parent[scope]) {
            struct str name = operand_text(build, instr, n);
            if (intern_find(&build->labels, scope, name) != INTERN_NONE) return true;
            if (!scope) break;
        }
    return false;
}

/* Control always continues to the next instruction, as after most instructions. */
static bool is_plain(const struct instr *instr)
{
    const struct opcode *opcode = instr->opcode;
    return !cfg_is_branch(instr) && opcode->effect != EFFECT_EXIT && opcode != &opcode_unknown;
}

static const char *find_leaders(struct build *build, uint32_t *at)
{
    const struct function *f = build->function;
    build->leader[0] = true;
    for (uint32_t n = 0; n < f->notable_count; n++) {
        uint32_t i = f->notable[n];
        const struct instr *instr = &f->instrs[i];
        if (is_plain(instr)) continue;
        bool branch = cfg_is_branch(instr);
        *at = i;
        if (may_branch(build, instr)) return "an unknown instruction names a label";
        if (branch && !enter_targets(build, instr)) {
            return is_table_branch(instr)
                       ? "the table of a brx is unknown, or may be one of several"
                       : "the label of a branch is not in scope, or may be one of several";
        }
        if ((branch || ends_flow(instr)) && i + 1 < f->count) build->leader[i + 1] = true;
    }
    return NULL;
}

static void cfg_make_blocks(struct build *build, struct arena *arena)
{
    struct cfg *cfg = build->cfg;
    uint32_t n = build->function->count, count = 0, tables = build->function->target_list_count;
    for (uint32_t i = 0; i < n; i++) count += build->leader[i];
    for (uint32_t t = 0; t < tables; t++) count += build->block_of_list[t];
    cfg->blocks = arena_alloc(arena, count, sizeof *cfg->blocks);
    cfg->block_of = arena_room(arena, n, sizeof *cfg->block_of);
    for (uint32_t i = 0; i < n; cfg->count++) {
        cfg->blocks[cfg->count].first = i;
        do cfg->block_of[i++] = cfg->count;
        while (i < n && !build->leader[i]);
        cfg->blocks[cfg->count].end = i;
    }
    for (uint32_t t = 0; t < tables; t++) {
        if (!build->block_of_list[t]) continue;
        cfg->blocks[cfg->count].first = cfg->blocks[cfg->count].end = n;
        build->block_of_list[t] = cfg->count++;
    }
}

static void cfg_make_edges(struct build *build)
{
    const struct cfg *cfg = build->cfg;
    const struct function *f = build->function;
    const uint32_t *goes_to = build->goes_to.at;
    for (uint32_t b = 0; b < cfg->count && cfg->blocks[b].first < f->count; b++) {
        uint32_t last = cfg->blocks[b].end - 1;
        const struct instr *instr = &f->instrs[last];
        if (cfg_is_branch(instr)) add_branch_targets(build, b, instr, *goes_to++);
        if (!ends_flow(instr) && last + 1 < f->count) add_edge(build, b, b + 1);
    }
    for (uint32_t t = 0; t < f->target_list_count; t++)
        if (build->block_of_list[t]) add_table_edges(build, t);
}

static void store_succs(struct build *build, struct arena *arena)
{
    struct cfg *cfg = build->cfg;
    cfg->succs = arena_room(arena, build->edges.count, sizeof *cfg->succs);
    uint32_t n = 0;
    for (uint32_t i = 0; i < build->edges.count; i++) {
        struct block *from = &cfg->blocks[build->edges.at[i].from];
        if (!from->succ_count) from->first_succ = n;
        from->succ_count++;
        cfg->succs[n++] = build->edges.at[i].to;
    }
}

static void mark_reachable(struct cfg *cfg)
{
    uint32_t *stack = mem_alloc(cfg->count * sizeof *stack), depth = 0;
    cfg->blocks[0].reachable = true;
    stack[depth++] = 0;
    while (depth) {
        const struct block *block = &cfg->blocks[stack[--depth]];
        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t succ = cfg->succs[block->first_succ + i];
            if (cfg->blocks[succ].reachable) continue;
            cfg->blocks[succ].reachable = true;
            stack[depth++] = succ;
        }
    }
    mem_free(stack);
}

void cfg_find_preds(struct cfg *cfg, struct arena *arena)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < cfg->count; b++) cfg->blocks[b].pred_count = 0;
    for (uint32_t b = 0; b < cfg->count; b++)
        for (uint32_t n = 0; cfg->blocks[b].reachable && n < cfg->blocks[b].succ_count; n++)
            cfg->blocks[cfg->succs[cfg->blocks[b].first_succ + n]].pred_count++;
    for (uint32_t b = 0; b < cfg->count; b++) {
        cfg->blocks[b].first_pred = count;
        count += cfg->blocks[b].pred_count;
        cfg->blocks[b].pred_count = 0;
    }
    cfg->preds = arena_room(arena, count, sizeof *cfg->preds);
    for (uint32_t b = 0; b < cfg->count; b++)
        for (uint32_t n = 0; cfg->blocks[b].reachable && n < cfg->blocks[b].succ_count; n++) {
            struct block *to = &cfg->blocks[cfg->succs[cfg->blocks[b].first_succ + n]];
            cfg->preds[to->first_pred + to->pred_count++] = b;
        }
}

void cfg_mark_leading(const struct cfg *cfg, uint32_t block, bool *leads)
{
    struct VEC(uint32_t) todo = {0};
    if (!leads[block]) vec_push(&todo, block);
    leads[block] = true;
    while (todo.count) {
        const struct block *b = &cfg->blocks[todo.at[--todo.count]];
        work_spend(b->pred_count + 1);
        for (uint32_t n = 0; n < b->pred_count; n++) {
            uint32_t pred = cfg->preds[b->first_pred + n];
            if (leads[pred]) continue;
            leads[pred] = true;
            vec_push(&todo, pred);
        }
    }
    vec_free(&todo);
}

const char *cfg_build(struct cfg *cfg, const struct function *function, const struct source *source,
                      struct arena *arena, uint32_t *at)
{
    *cfg = (struct cfg){.function = function};
    struct build build = {.cfg = cfg, .function = function, .source = source};
    build.leader = arena_alloc(arena, function->count, sizeof *build.leader);
    collect_scopes(&build, arena);
    collect_names(&build, arena);
    const char *why = find_leaders(&build, at);
    if (!why) {
        cfg_make_blocks(&build, arena);
        cfg_make_edges(&build);
        store_succs(&build, arena);
        mark_reachable(cfg);
        cfg_find_preds(cfg, arena);
    }
    intern_free(&build.names);
    vec_free(&build.defined);
    intern_free(&build.labels);
    intern_free(&build.lists);
    vec_free(&build.edges);
    vec_free(&build.goes_to);
    return why;
}

static void dump_block(const struct cfg *cfg, uint32_t b, const struct source *source,
                       struct buf *out)
{
    const struct block *block = &cfg->blocks[b];
    const struct instr *instrs = cfg->function->instrs;
    if (block->first == block->end)
        buf_printf(out, "  b%u table", b);
    else
        buf_printf(out, "  b%u lines %u-%u", b,
                   source_place(source, instrs[block->first].span.start).line,
                   source_place(source, instrs[block->end - 1].span.start).line);
    buf_printf(out, "%s ->", block->reachable ? "" : " unreachable");
    for (uint32_t i = 0; i < block->succ_count; i++)
        buf_printf(out, " b%u", cfg->succs[block->first_succ + i]);
    buf_putc(out, '\n');
}

void cfg_dump(const struct cfg *cfg, const struct source *source, struct buf *out)
{
    const struct function *f = cfg->function;
    buf_printf(out, "%.*s: %u blocks\n", (int)f->name.n, f->name.p, cfg->count);
    for (uint32_t b = 0; b < cfg->count; b++) dump_block(cfg, b, source, out);
}

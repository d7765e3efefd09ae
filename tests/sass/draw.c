/* Draws random programs. See draw.h. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

#include "../model/letters.h"

/* Interesting sequences, in letters: l ld, s st, p mma cp shift, A any of these, C commit, D alloc,
 * O an ordering operation, m weak memory, w x the waits, b a the fences; `?` makes one optional. */
static const char *const phrases[] = {
    "pb?Cb?O", "pb?Cb?O", "pbO",     "OaA", "OaA",   "lwO",    "lwA",   "sxO",    "sxA", "AbO",
    "OabO",    "Ob?aCO",  "lb?C",    "OaC", "lw?wO", "lwpbCO", "pCOaA", "sxlwO",  "Aba", "lwbO",
    "ObaA",    "bOa",     "lwlwA?O", "A",   "A",     "O",      "O",     "b",      "a",   "w",
    "x",       "m",       "C",       "D",   "sxsx",  "sxlwx",  "lwslw", "sxlwsx",
};

enum { PHRASES = sizeof phrases / sizeof *phrases, FIRST_NUMBER = 64, NUMBERS_APART = 16 };

struct used {
    const struct operation *op;
    uint32_t number;
};

struct section {
    uint32_t from, to;
};

struct drawing {
    uint64_t state;
    struct draft *draft;
    struct used used[MOST_LINES];
    uint32_t used_count, registers;
    struct section sections[4]; /* all, before, under and after elect.sync */
    uint32_t section_count;
    bool elects, elected; /* the program, this part of it */
    bool branches;        /* a loop around that part; otherwise its operations have the guard */
};

static bool chance(struct drawing *drawing, uint32_t percent)
{
    return draw(&drawing->state, 100) < percent;
}

/* ---- letters ---- */

/* The text of the row with its numbers, with a guard. */
static void write_out(char *line, const char *guard, const char *ptx, uint32_t number, uint32_t reg)
{
    int n = snprintf(line, LINE, "%s", guard);
    for (; *ptx && n < LINE - 12; ptx++) {
        if (*ptx == '#')
            n += sprintf(line + n, "%u", number);
        else if (*ptx == '$')
            n += sprintf(line + n, "%u", reg);
        else
            line[n++] = *ptx;
    }
    line[n] = '\0';
}

static bool may_stand(const struct drawing *drawing, const struct operation *op, uint32_t number)
{
    bool for_one = op->kind == KIND_PIPE || op->kind == KIND_COMMIT;
    if (drawing->elected && op->place == WHOLE_WARP) return false;
    if (drawing->elects && !drawing->elected && for_one) return false;
    for (uint32_t i = 0; i < drawing->used_count; i++)
        if (vocabulary_clash(op, number, drawing->used[i].op, drawing->used[i].number))
            return false;
    return true;
}

/* Reads the register of a load immediately, or polls the result of a try_wait. */
static void add_behind(struct drawing *drawing, const struct operation *op, const char *line)
{
    char more[LINE];
    if (op->kind == KIND_LD && chance(drawing, 12)) {
        snprintf(more, sizeof more, "max.u32 %%acc, %%acc, %%v%u;", drawing->registers);
        draft_add(drawing->draft, more);
    }
    if (strstr(op->ptx, "try_wait") && *line != '@' && chance(drawing, 25)) {
        snprintf(more, sizeof more, "@!%%q%u bra W%u;", drawing->registers, drawing->registers);
        draft_add(drawing->draft, more);
    } else if (strstr(op->ptx, "noComplete") && *line != '@') {
        snprintf(more, sizeof more, "mbarrier.pending_count.b64 %%v%u, %%l%u;", drawing->registers,
                 drawing->registers);
        draft_add(drawing->draft, more);
    }
}

static void add_operation(struct drawing *drawing, const struct operation *op, uint32_t number)
{
    static const char *const guards[] = {"@%p1 ", "@!%p1 ", "@%p2 "};
    char line[LINE], label[LINE];
    const char *guard = chance(drawing, 6) ? guards[draw(&drawing->state, 3)] : "";
    if (drawing->elected && !drawing->branches && chance(drawing, 90)) guard = "@%pe ";
    write_out(line, guard, op->ptx, number, ++drawing->registers);
    if (strstr(op->ptx, "try_wait")) {
        snprintf(label, sizeof label, "W%u:", drawing->registers);
        draft_add(drawing->draft, label);
    }
    draft_add(drawing->draft, line);
    add_behind(drawing, op, line);
    drawing->used[drawing->used_count++] = (struct used){op, number};
}

static bool is_drawn(struct drawing *drawing, const struct operation *op)
{
    enum { SELDOM_PERCENT = 12 };
    return op->use == OFTEN || (op->use == SELDOM && chance(drawing, SELDOM_PERCENT));
}

static void add_kind(struct drawing *drawing, enum kind kind)
{
    enum { TRIES = 400 };
    uint32_t number = FIRST_NUMBER + NUMBERS_APART * drawing->used_count;
    for (uint32_t i = 0; i < TRIES && drawing->used_count < MOST_LINES; i++) {
        const struct operation *op = &vocabulary[draw(&drawing->state, vocabulary_size)];
        if (op->kind != kind || !is_drawn(drawing, op) || !may_stand(drawing, op, number)) continue;
        add_operation(drawing, op, number);
        return;
    }
}

/* `A` is any asynchronous operation that is allowed here. */
static enum kind kind_of(struct drawing *drawing, char letter)
{
    static const char letters_of_kinds[] = "lspCDOmwxba"; /* in the order of enum kind */
    static const enum kind async[] = {KIND_LD, KIND_LD, KIND_ST, KIND_PIPE};
    if (letter == 'A') return drawing->elected ? KIND_PIPE : async[draw(&drawing->state, 4)];
    return (enum kind)(strchr(letters_of_kinds, letter) - letters_of_kinds);
}

static void add_phrase(struct drawing *drawing, const char *phrase)
{
    for (const char *c = phrase; *c; c++) {
        bool optional = c[1] == '?';
        if (!optional || chance(drawing, 50)) add_kind(drawing, kind_of(drawing, *c));
        c += optional;
    }
}

/* About so many lines; four in ten programs begin with a commit and its observer. */
static void add_section(struct drawing *drawing, uint32_t lines)
{
    struct section section = {.from = drawing->draft->count};
    if (lines > 2 && chance(drawing, 40)) add_phrase(drawing, phrases[0]);
    while (drawing->draft->count < section.from + lines)
        add_phrase(drawing, phrases[draw(&drawing->state, PHRASES)]);
    section.to = drawing->draft->count;
    drawing->sections[drawing->section_count++] = section;
}

static void add_sections(struct drawing *drawing)
{
    drawing->elects = chance(drawing, 50);
    drawing->section_count = 1;
    if (!drawing->elects) {
        add_section(drawing, 3 + draw(&drawing->state, 8));
    } else {
        add_section(drawing, draw(&drawing->state, 5));
        draft_add(drawing->draft, "elect.sync _|%pe, -1;");
        drawing->branches = chance(drawing, 80);
        if (drawing->branches) draft_add(drawing->draft, "@!%pe bra OVER;");
        drawing->elected = true;
        add_section(drawing, 3 + draw(&drawing->state, 6));
        drawing->elected = false;
        if (drawing->branches) draft_add(drawing->draft, "OVER:");
        add_section(drawing, draw(&drawing->state, 5));
    }
    drawing->sections[0] = (struct section){0, drawing->draft->count};
}

/* ---- loops and branches ---- */

/* Lines to insert before line `at`; at the same place the first that was added comes first. */
struct insertion {
    uint32_t at;
    const char *line;
};

struct insertions {
    struct insertion at[8];
    uint32_t count;
};

static void insert(struct insertions *insertions, uint32_t at, const char *line)
{
    insertions->at[insertions->count++] = (struct insertion){at, line};
}

static struct section part_of(struct drawing *drawing)
{
    struct section in = drawing->sections[draw(&drawing->state, drawing->section_count)];
    uint32_t a = in.from + draw(&drawing->state, in.to - in.from + 1);
    uint32_t b = in.from + draw(&drawing->state, in.to - in.from + 1);
    return (struct section){a < b ? a : b, a < b ? b : a};
}

/* The label and the branch of a spin loop stay together, and so do an elect.sync and the code that
 * depends on it. */
static bool cuts(const struct draft *draft, uint32_t at)
{
    return at < draft->count && at > 0 &&
           (draft->line[at - 1][0] == 'W' || strstr(draft->line[at], "bra ") ||
            strstr(draft->line[at - 1], "elect"));
}

static bool overlaps(const struct draft *draft, struct section part)
{
    int depth = 0;
    for (uint32_t i = part.from; i < part.to; i++) {
        depth += strstr(draft->line[i], "bra OVER") != NULL;
        depth -= !strcmp(draft->line[i], "OVER:");
        if (depth < 0) return true;
    }
    return depth != 0;
}

static bool is_part(const struct draft *draft, struct section part)
{
    return part.to > part.from && !cuts(draft, part.from) && !cuts(draft, part.to) &&
           !overlaps(draft, part);
}

static void splice(struct draft *draft, const struct insertions *insertions)
{
    static struct draft old;
    old = *draft;
    draft->count = 0;
    for (uint32_t i = 0; i <= old.count; i++) {
        for (uint32_t k = 0; k < insertions->count; k++)
            if (insertions->at[k].at == i) draft_add(draft, insertions->at[k].line);
        if (i < old.count) draft_add(draft, old.line[i]);
    }
}

static void add_branch(struct drawing *drawing, struct insertions *insertions, struct section part)
{
    uint32_t middle = part.from + draw(&drawing->state, part.to - part.from);
    bool whole = chance(drawing, 50) &&
                 is_part(drawing->draft, (struct section){part.from, middle}) &&
                 is_part(drawing->draft, (struct section){middle, part.to});
    insert(insertions, part.to, "JOIN:");
    insert(insertions, part.from, whole ? "@%p1 bra ELSE;" : "@!%p2 bra JOIN;");
    if (!whole) return;
    insert(insertions, middle, "bra JOIN;");
    insert(insertions, middle, "ELSE:");
}

static void add_flow(struct drawing *drawing)
{
    struct insertions insertions = {0};
    struct section loop = part_of(drawing), branch = part_of(drawing);
    bool loops = chance(drawing, 22) && is_part(drawing->draft, loop);
    bool branches = chance(drawing, 28) && is_part(drawing->draft, branch);
    bool within = branch.from >= loop.from && branch.to <= loop.to;
    if (branches && loops && !within && branch.from < loop.to && loop.from < branch.to)
        branches = false;
    if (loops && !(branches && within))
        branches = branches && branch.from != loop.to && branch.to != loop.from;
    if (loops) insert(&insertions, loop.from, "LOOP:");
    if (branches) add_branch(drawing, &insertions, branch);
    if (loops) {
        /* The number of iterations is unknown, so ptxas does not unroll these loops. */
        insert(&insertions, loop.to, "mad.lo.u32 %n, %n, 1664525, 1013904223;");
        insert(&insertions, loop.to, "setp.gt.u32 %pl, %n, 77;");
        insert(&insertions, loop.to, "@%pl bra LOOP;");
    }
    splice(drawing->draft, &insertions);
}

static uint64_t state_of(uint64_t seed, uint64_t number)
{
    uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15u ^ (number + 1) * 0xbf58476d1ce4e5b9u;
    for (int i = 0; i < 8; i++) draw(&state, 2);
    return state;
}

void draw_program(uint64_t seed, uint64_t number, struct draft *draft)
{
    struct drawing drawing = {.draft = draft, .state = state_of(seed, number)};
    draft->count = 0;
    add_sections(&drawing);
    add_flow(&drawing);
}

void draw_deletions(uint64_t seed, uint64_t number, struct draft *draft)
{
    static const char *const may_go[] = {"tcgen05.fence::", "tcgen05.wait::", "fence.proxy.async"};
    uint64_t state = state_of(~seed, number);
    uint32_t lines[MOST_LINES], count = 0;
    for (uint32_t i = 0; i < draft->count; i++)
        for (size_t k = 0; k < sizeof may_go / sizeof *may_go; k++)
            if (strstr(draft->line[i], may_go[k])) lines[count++] = i;
    for (uint32_t i = 0; count && i < 1 + draw(&state, 2); i++)
        draft->deleted[lines[draw(&state, count)]] = true;
}

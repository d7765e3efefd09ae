/* Writes a refusal as one line, with the lines of BEFORE that lead to it. See report.h. */
#include "check/prove/report.h"

enum { TEXT_MAX = 60, PATH_MAX = 256 };

static uint32_t report_line_of(const struct proof *proof, uint32_t instruction)
{
    return proof_line(proof, program_span(&proof->program, instruction).start);
}

/* Returns the instruction as one short line, in the arena. */
static const char *instruction_text(const struct proof *proof, uint32_t instruction)
{
    struct str text = source_slice(proof->source, program_span(&proof->program, instruction));
    if (!text.n || text.p[0] == '}') return "the end of the function";
    char *made = arena_alloc(proof->arena, TEXT_MAX + 4, 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < TEXT_MAX; i++) {
        bool plain = text.p[i] > ' ' && text.p[i] < 127;
        if (plain)
            made[n++] = text.p[i];
        else if (n && made[n - 1] != ' ')
            made[n++] = ' ';
    }
    if (n == TEXT_MAX) memcpy(made + n, "...", 4);
    return made;
}

void report_undecided(const struct proof *proof, const char *why, struct check_function *out)
{
    out->verdict = CHECK_CANNOT_TELL;
    out->message = arena_printf(proof->arena, "line %u: cannot tell: %s",
                                proof_line(proof, out->before.start), why);
}

void report_strange(const struct proof *proof, struct check_function *out)
{
    out->verdict = CHECK_CANNOT_TELL;
    out->message =
        arena_printf(proof->arena, "line %u: cannot tell: %s",
                     proof_line(proof, proof->program.strange_at), proof->program.strange);
}

void report_deletion(const struct proof *proof, uint32_t instruction, const char *why,
                     struct check_function *out)
{
    uint32_t line = report_line_of(proof, instruction);
    uint32_t *path = arena_alloc(proof->arena, 1, sizeof *path);
    *path = line;
    out->verdict = CHECK_REFUSED;
    out->path = path;
    out->path_count = 1;
    out->message = arena_printf(proof->arena, "line %u: `%s` removed, but %s", line,
                                instruction_text(proof, instruction), why);
}

void report_held(const struct proof *proof, struct check_function *out)
{
    uint32_t observer = proof->held.observer;
    const char *why = arena_printf(
        proof->arena, "without it ptxas may run line %u `%s` before an earlier operation completes",
        report_line_of(proof, observer), instruction_text(proof, observer));
    report_deletion(proof, held_culprit(&proof->held), why, out);
}

/* The lines of one path, in order of execution. Adjacent lines differ. */
struct lines {
    uint32_t *at, count;
};

static void add_line(struct lines *lines, uint32_t line)
{
    if (lines->count && lines->at[lines->count - 1] == line) return;
    if (lines->count < PATH_MAX) lines->at[lines->count++] = line;
}

static bool is_in_block(const struct proof *proof, uint32_t instruction, uint32_t block)
{
    const struct flow_block *at = &proof->program.blocks.at[block];
    return instruction >= at->start && instruction < at->end;
}

/* Sets the path from source over the blocks to observer, with culprit where the path reaches it. */
static void set_path(const struct proof *proof, const uint32_t *blocks, uint32_t count,
                     uint32_t source, uint32_t culprit, uint32_t observer,
                     struct check_function *out)
{
    struct lines lines = {arena_alloc(proof->arena, PATH_MAX, sizeof(uint32_t)), 0};
    if (source != PROGRAM_NONE) add_line(&lines, report_line_of(proof, source));
    bool told = false;
    for (uint32_t i = 0; i < count && lines.count + 2 < PATH_MAX; i++) {
        uint32_t start = proof->program.blocks.at[blocks[i]].start;
        bool first = !i && source != PROGRAM_NONE && is_in_block(proof, source, blocks[i]);
        bool is_table = start == proof->program.instructions.count;
        if (!first && !is_table) add_line(&lines, report_line_of(proof, start));
        bool here = culprit != PROGRAM_NONE && is_in_block(proof, culprit, blocks[i]) &&
                    !(first && culprit < source);
        if (here && !told) add_line(&lines, report_line_of(proof, culprit));
        told |= here;
    }
    add_line(&lines, report_line_of(proof, observer));
    out->path = lines.at;
    out->path_count = lines.count;
}

static const char *fact_text(const struct proof *proof, enum monitor_fact fact, uint32_t source)
{
    if (source == PROGRAM_NONE) return "operations of the caller";
    const char *text = instruction_text(proof, source);
    uint32_t line = report_line_of(proof, source);
    if (proof->program.instructions.at[source].effect == CHECK_EFFECT_CALL)
        return arena_printf(proof->arena, "operations of the function that line %u `%s` calls",
                            line, text);
    if (fact == FACT_COMPLETED || fact == FACT_RELAXED || fact == FACT_CAUSAL)
        return arena_printf(proof->arena, "what line %u `%s` received", line, text);
    return arena_printf(proof->arena, "line %u `%s`", line, text);
}

/* Returns the removed instruction of an event: for a joined commit, the fence with the same
 * guard. */
static uint32_t deleted_of(const struct proof *proof, uint32_t event)
{
    const struct monitor_event *at = &proof->lower.events.at[event];
    uint32_t i = at->tag;
    while (at->joined && i && !proof->program.instructions.at[i].deleted) i--;
    return i;
}

void report_facts(const struct proof *proof, const struct monitor_fault *fault,
                  struct check_function *out)
{
    const struct monitor_event *events = proof->lower.events.at;
    uint32_t observer = events[fault->observer].tag;
    uint32_t culprit = deleted_of(proof, fault->culprit);
    uint32_t source = fault->source == MONITOR_NONE ? PROGRAM_NONE : events[fault->source].tag;
    set_path(proof, fault->path.at, fault->path.count, source, culprit, observer, out);
    out->verdict = CHECK_REFUSED;
    out->message = arena_printf(
        proof->arena, "line %u: `%s` removed, but it orders %s before line %u `%s`%s",
        report_line_of(proof, culprit), instruction_text(proof, culprit),
        fact_text(proof, fault->fact, source), report_line_of(proof, observer),
        instruction_text(proof, observer),
        fault->literal ? " (if the ISA is read so that a fence also orders later operations)" : "");
}

void report_hazard(const struct proof *proof, const struct hazard_fault *fault,
                   struct check_function *out)
{
    set_path(proof, fault->path.at, fault->path.count, fault->access, fault->culprit,
             fault->observer, out);
    out->verdict = CHECK_REFUSED;
    out->message = arena_printf(
        proof->arena,
        "line %u: `%s` removed, but line %u `%s` accesses a register of line %u `%s`, which may be "
        "in flight",
        report_line_of(proof, fault->culprit), instruction_text(proof, fault->culprit),
        report_line_of(proof, fault->observer), instruction_text(proof, fault->observer),
        report_line_of(proof, fault->access), instruction_text(proof, fault->access));
}

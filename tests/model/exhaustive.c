/* Runs every small program, as PTX, through the optimizer without its built-in check. Compares
 * whether the checker proves the output with whether the semantics allows it.
 *
 * The programs are straight lines of up to five letters, and branches and loops whose parts have up
 * to two letters each and up to four letters in all (with four parts: three letters, at most one in
 * each part). With PTXOPT_NIGHTLY set: six letters, three parts of two each, and four letters in
 * four parts. Many programs are functions of one text. Each load and store has its own register, so
 * in straight lines no register keeps a wait. What ptxas holds back is not tested here. */
#include <stdlib.h>

#include "check/check.h"
#include "check/model/assume.h"
#include "engine/plan.h"
#include "text/edit.h"

#include "small_programs.h"

#if defined __SANITIZE_ADDRESS__
enum { SMALLER = 1 };
#elif defined __has_feature
#if __has_feature(address_sanitizer)
enum { SMALLER = 1 };
#else
enum { SMALLER = 0 };
#endif
#else
enum { SMALLER = 0 };
#endif

struct tally {
    uint64_t programs, changed, deleted, unproven, missed;
    uint64_t kept, kept_for_nothing[STRICTS + 1]; /* by reason; the last is for no reason */
};

struct batch {
    const struct shape *shape;
    struct program programs[BATCH];
    uint32_t count;
    struct tally tally;
};

static void print_program(struct buf *out, const struct shape *shape, const struct program *program,
                          uint32_t number)
{
    buf_printf(out, ".entry k%u(){.reg .b32 %%v<9>,%%t,%%i;.reg .b64 %%s;.reg .pred %%p,%%q;\n",
               number);
    for (uint32_t part = 0, at = 0; part < shape->parts; part++) {
        buf_puts(out, shape->before[part]);
        for (uint32_t i = 0; i < program->count[part]; i++, at++)
            buf_printf(out, words[program->word[at]].text, at);
    }
    buf_puts(out, "ret;}\n");
}

/* The program as a graph for the semantics; removed events are marked. */
struct built {
    struct monitor_graph graph;
    struct monitor_event events[LETTERS_MAX * 3 + 1];
    uint32_t count;
    struct flow_block blocks[PARTS_MAX];
    uint32_t succs[PARTS_MAX * 2];
};

static void add(struct built *b, uint8_t kind, bool guarded, bool deleted)
{
    b->events[b->count++] =
        (struct monitor_event){.kind = kind, .guarded = guarded, .deleted = deleted};
}

static void add_word(struct built *b, const struct word *word, bool deleted)
{
    bool barrier = word->kind == EVENT_RELEASE_BARRIER || word->kind == EVENT_BOTH_BARRIER;
    if (word->causality & RELAXED_OUT)
        add(b, barrier ? EVENT_RELAXED_RELEASE_BARRIER : EVENT_RELAXED_RELEASE_MEMORY, false,
            false);
    add(b, word->kind, word->guarded, deleted);
    if (word->causality & IN) add(b, EVENT_RECEIPT, false, false);
    if (word->causality & RELAXED_IN) add(b, EVENT_RELAXED_RECEIPT, false, false);
}

static void build(struct built *b, const struct shape *shape, const struct program *program)
{
    static const uint32_t number = 0;
    static const struct monitor_class class = {&number, 1, &number};
    b->graph = (struct monitor_graph){.events = b->events,
                                      .blocks = b->blocks,
                                      .succs = b->succs,
                                      .block_count = shape->parts,
                                      .is_entry = true,
                                      .pipes = {&class, 1, test_pairs}};
    uint32_t at = 0, succ = 0;
    b->count = 0;
    for (uint32_t part = 0; part < shape->parts; part++) {
        b->blocks[part] = (struct flow_block){.start = b->count, .succ_start = succ};
        for (uint32_t i = 0; i < program->count[part]; i++, at++)
            add_word(b, &words[program->word[at]], program->deleted[at]);
        b->blocks[part].end = b->count;
        for (uint32_t i = 0; i < shape->succ_count[part]; i++)
            b->succs[succ++] = shape->succs[part][i];
        b->blocks[part].succ_end = succ;
    }
    add(b, EVENT_EXIT, false, false);
    b->blocks[shape->parts - 1].end++;
    b->graph.event_count = b->count;
}

static bool nobody_sees_less(const struct shape *shape, const struct program *program)
{
    struct built built;
    bool complete;
    build(&built, shape, program);
    return paths_legal(&built.graph, shape->parts == 1 ? 1 : 3, 20000, &complete);
}

static bool is_sync(const struct program *program, uint32_t at)
{
    uint8_t kind = words[program->word[at]].kind;
    return kind >= EVENT_WAIT_LD && kind <= EVENT_AFTER;
}

/* Only the first few. */
static void print_program_less(const struct batch *batch, const struct program *program,
                               const char *what)
{
    static int printed;
    if (++printed > 20) return;
    struct buf text = {0};
    print_program(&text, batch->shape, program, 0);
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.data[i] == '\n') text.data[i] = ' ';
    printf("# %s: %.*s# less number", what, (int)text.len, text.data);
    for (uint32_t i = 0; i < program->total; i++)
        if (program->deleted[i]) printf(" %u", i);
    printf("\n");
    buf_free(&text);
}

static bool precedes(const struct program *program, uint32_t at, uint8_t kind)
{
    for (uint32_t i = 0; i < at; i++)
        if (words[program->word[i]].kind == kind) return true;
    return false;
}

static bool follows(const struct program *program, uint32_t at, uint8_t kind)
{
    for (uint32_t i = at + 1; i < program->total; i++)
        if (words[program->word[i]].kind == kind) return true;
    return false;
}

static bool has_ordered(const struct program *program, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++) {
        uint8_t kind = words[program->word[i]].kind;
        if (kind >= EVENT_RELEASE_BARRIER && kind <= EVENT_ALLOC) return true;
    }
    return false;
}

static bool has_worked(const struct program *program, uint32_t at)
{
    return precedes(program, at, EVENT_LD) || precedes(program, at, EVENT_ST) ||
           precedes(program, at, EVENT_PIPE) || precedes(program, at, EVENT_COMMIT);
}

static bool is_behind_commit(const struct program *program, uint32_t at)
{
    return precedes(program, at, EVENT_COMMIT);
}

static bool is_ahead_of_commit(const struct program *program, uint32_t at)
{
    return follows(program, at, EVENT_COMMIT);
}

static bool is_behind_after(const struct program *program, uint32_t at)
{
    return precedes(program, at, EVENT_AFTER);
}

static bool is_ahead_of_before(const struct program *program, uint32_t at)
{
    return has_worked(program, at) && follows(program, at, EVENT_BEFORE);
}

static bool has_before(const struct program *program, uint32_t at)
{
    return precedes(program, at, EVENT_BEFORE) || follows(program, at, EVENT_BEFORE);
}

/* A wait with an operation in flight that it does not wait for. */
static bool is_behind_others(const struct program *program, uint32_t at)
{
    uint8_t other = words[program->word[at]].kind == EVENT_WAIT_LD ? EVENT_ST : EVENT_LD;
    return precedes(program, at, EVENT_PIPE) || precedes(program, at, other);
}

static bool is_ahead_of_fence_and_wait(const struct program *program, uint32_t at)
{
    return follows(program, at, EVENT_AFTER) && follows(program, at, EVENT_WAIT_LD);
}

/* The cases of up to five letters in which the rules are stricter than necessary
 * (src/rules/README.md). Each must occur, and no other may. The first that applies is counted. */
static const struct strict {
    uint8_t kind;
    bool (*applies)(const struct program *program, uint32_t at);
    const char *why;
} stricts[STRICTS] = {
    {EVENT_BEFORE, has_ordered, "what was received counts as relayed without a fence::after"},
    {EVENT_BEFORE, is_behind_commit, "the fence of an earlier commit does not count"},
    {EVENT_BEFORE, is_ahead_of_commit, "a commit stands in only right after, without ld and st"},
    {EVENT_BEFORE, is_behind_after, "a fence::after counts though it took over nothing"},
    {EVENT_BEFORE, is_ahead_of_before, "a fence is not overtaken across an operation"},
    {EVENT_AFTER, has_worked, "the thread's own operations count though nothing conflicts"},
    {EVENT_AFTER, has_before, "a fence::before in between counts though nobody looks"},
    {EVENT_AFTER, has_ordered, "what was taken in or handed out counts with nothing after it"},
    {EVENT_WAIT_LD, is_behind_others, "somebody may mean another kind than the wait waits for"},
    {EVENT_WAIT_ST, is_behind_others, "somebody may mean another kind than the wait waits for"},
    {EVENT_WAIT_LD, is_ahead_of_fence_and_wait, "a wait is not covered across a fence"},
};

/* Counts the other removals from a straight line that would be legal. */
static void count_kept(struct batch *batch, struct program *program)
{
    for (uint32_t i = 0; i < program->total; i++) {
        if (!is_sync(program, i) || program->deleted[i] || program->total > STRICT_LETTERS)
            continue;
        batch->tally.kept++;
        program->deleted[i] = true;
        bool needed = !nobody_sees_less(batch->shape, program);
        program->deleted[i] = false;
        if (needed) continue;
        uint32_t why = 0;
        while (why < STRICTS && (stricts[why].kind != words[program->word[i]].kind ||
                                 !stricts[why].applies(program, i)))
            why++;
        batch->tally.kept_for_nothing[why]++;
        if (why == STRICTS) print_program_less(batch, program, "kept for nothing");
    }
}

/* Marks what the plan removes; instructions are letters, except the branches between parts. */
static void mark_deleted(struct batch *batch, const struct function_plan *plan,
                         struct program *program)
{
    uint32_t instr = 0, at = 0, next = 0;
    for (uint32_t part = 0; part < batch->shape->parts; part++) {
        instr += batch->shape->branches[part];
        for (uint32_t i = 0; i < program->count[part]; i++, at++, instr++) {
            bool goes = next < plan->deleted.count && plan->deleted.at[next].instr == instr;
            program->deleted[at] = goes;
            next += goes;
        }
    }
    if (next != plan->deleted.count || plan->skipped) abort();
    batch->tally.deleted += next;
    batch->tally.changed += next > 0;
}

/* The verdicts on the functions that lost something, in the order of the text. */
static void check_batch(struct batch *batch, struct str before, struct str after)
{
    struct arena arena = {0};
    struct check_result result;
    check_run(&(struct check_options){.assume = CHECK_PTXAS_FOLLOWS_ISA}, before, after, &arena,
              &result);
    uint32_t at = 0;
    for (uint32_t f = 0; f < batch->count; f++) {
        struct program *program = &batch->programs[f];
        bool changed = false;
        for (uint32_t i = 0; i < program->total; i++) changed |= program->deleted[i];
        if (!changed) continue;
        bool proven = at < result.function_count && result.functions[at].verdict == CHECK_PROVEN;
        if (!proven) print_program_less(batch, program, "not proven");
        batch->tally.unproven += !proven;
        at++;
    }
    batch->tally.unproven += at != result.function_count;
    arena_free(&arena);
}

static void judge_batch(struct batch *batch)
{
    for (uint32_t f = 0; f < batch->count; f++) {
        struct program *program = &batch->programs[f];
        if (!nobody_sees_less(batch->shape, program)) {
            batch->tally.missed++;
            print_program_less(batch, program, "somebody sees less");
        }
        if (batch->shape->parts == 1) count_kept(batch, program);
    }
}

static void run_batch(struct batch *batch)
{
    struct buf text = {0}, after = {0};
    buf_puts(&text, ".version 8.8\n.target sm_100a\n.address_size 64\n");
    for (uint32_t f = 0; f < batch->count; f++)
        print_program(&text, batch->shape, &batch->programs[f], f);
    struct arena arena = {0};
    struct source source;
    struct view view;
    struct edit_plan edits = {0};
    struct plan_options options = {.rules = (1u << RULE_COUNT) - 1,
                                   .assumptions = assume_defaults() | ASSUME_PTXAS_FOLLOWS_ISA};
    source_init(&source, &arena, "", (struct str){text.data, text.len});
    struct reader *reader = reader_of_text(source.text, 0);
    if (!view_build(&view, reader, &source, false, &arena)) abort();
    reader_free(reader);
    for (uint32_t f = 0; f < view.count; f++) {
        struct function_plan plan;
        plan_build(&plan, &view, &view.functions[f], &options, &arena);
        uint32_t number = (uint32_t)strtoul(view.functions[f].name.p + 1, NULL, 10);
        mark_deleted(batch, &plan, &batch->programs[number]);
        for (uint32_t i = 0; i < plan.deleted.count; i++)
            edit_plan_add(&edits, plan.deleted.at[i].place.span, "");
        plan_free(&plan);
    }
    edit_plan_apply(&edits, &source, EDIT_BLANK, &after);
    check_batch(batch, source.text, (struct str){after.data, after.len});
    judge_batch(batch);
    vec_free(&edits);
    buf_free(&after);
    buf_free(&text);
    arena_free(&arena);
    batch->tally.programs += batch->count;
    batch->count = 0;
}

static bool is_rare(const struct program *program)
{
    uint32_t rare = 0, commits = 0;
    for (uint32_t i = 0; i < program->total; i++) {
        rare += words[program->word[i]].rare;
        commits += words[program->word[i]].kind == EVENT_COMMIT;
    }
    return program->total > ALL_RARE && (rare > 1 || (rare && !commits));
}

/* All choices of letters for given counts. */
static void add_letters(struct batch *batch, const struct program *sizes)
{
    uint64_t programs = 1;
    for (uint32_t i = 0; i < sizes->total; i++) programs *= WORDS;
    for (uint64_t n = 0; n < programs; n++) {
        struct program *program = &batch->programs[batch->count];
        *program = *sizes;
        uint64_t rest = n;
        for (uint32_t i = 0; i < sizes->total; i++, rest /= WORDS)
            program->word[i] = (uint8_t)(rest % WORDS);
        batch->count += !is_rare(program);
        if (batch->count == BATCH) run_batch(batch);
    }
}

/* All counts of letters in the parts, up to the total, or with at most one in each part. */
static void add_sizes(struct batch *batch, struct program *sizes, uint32_t part, uint32_t total_max)
{
    if (part == batch->shape->parts || part == PARTS_MAX) {
        bool sparse = part > 1 && !SMALLER;
        for (uint32_t i = 0; i < part; i++) sparse &= sizes->count[i] <= 1;
        if (sizes->total && (sparse || sizes->total <= total_max)) add_letters(batch, sizes);
        return;
    }
    for (uint32_t n = 0; n <= batch->shape->part_max; n++) {
        sizes->count[part] = n;
        sizes->total += n;
        add_sizes(batch, sizes, part + 1, total_max);
        sizes->total -= n;
    }
}

static int number;

static void report(bool fine, const char *name, const char *what)
{
    printf("%s %d - %s%s\n", fine ? "ok" : "not ok", ++number, name, what);
    fflush(stdout);
}

static void report_shape(const char *name, const struct tally *tally)
{
    printf("# %s: %llu programs, %llu changed, %llu deletions\n", name,
           (unsigned long long)tally->programs, (unsigned long long)tally->changed,
           (unsigned long long)tally->deleted);
    report(tally->deleted && !tally->unproven, name, ": the checker proves every result");
    report(tally->deleted && !tally->missed, name, ": nobody sees less");
}

static void report_kept(const struct tally *tally)
{
    bool each = true;
    printf("# %llu kept\n", (unsigned long long)tally->kept);
    for (uint32_t i = 0; i < STRICTS; i++) {
        printf("# %llu of them for nothing: %s\n", (unsigned long long)tally->kept_for_nothing[i],
               stricts[i].why);
        each &= tally->kept_for_nothing[i] > 0;
    }
    report(!tally->kept_for_nothing[STRICTS], shapes[0].name,
           ": what is kept for nothing is of a listed kind");
    report(each || SMALLER, shapes[0].name, ": each listed kind is still kept for nothing");
}

int main(void)
{
    const char *nightly = getenv("PTXOPT_NIGHTLY");
    static struct batch batch;
    printf("1..%d\n", 2 * SHAPES + 2);
    for (uint32_t s = 0; s < SHAPES; s++) {
        batch = (struct batch){.shape = &shapes[s]};
        struct program sizes = {0};
        uint32_t total = nightly && *nightly ? shapes[s].nightly_max : shapes[s].total_max;
        add_sizes(&batch, &sizes, 0, total - SMALLER);
        if (batch.count) run_batch(&batch);
        report_shape(shapes[s].name, &batch.tally);
        if (!s) report_kept(&batch.tally);
    }
    return EXIT_SUCCESS;
}

/* Chooses insertions that fix the findings of lint, so that lint and the optimizer accept the new
 * text. Each finding has several places to try, and all findings are tried at once: the text with
 * the insertions is analysed again by lint and by the optimizer. If a finding is still reported, or
 * the optimizer would remove its insertion, the next place is tried. A new finding gets places of
 * its own. This ends when nothing changes, so the final text has itself been examined. See
 * mend.h. */
#include "api/mend.h"

#include <stdlib.h>

#include "api/options.h"
#include "engine/id.h"

enum { ROUNDS_MOST = 24, SORES_MOST = 1000, NOTHING = -1 };

/* A finding that is to be fixed, identified by its place in the input and its code. */
struct sore {
    uint32_t start;
    const char *code, *function;
    const struct insert *cures; /* places in the input */
    uint32_t cure_count, next;  /* next: index of the cure to try next */
    int chosen;                 /* index of the cure that is being tried, or NOTHING */
    bool reported, fresh;       /* reported: in the last text; fresh: chosen in the last round */
    bool closed;                /* no further cure is to be tried */
    uint32_t finding; /* index of the finding in the input; NOT_OF_INPUT: it appeared later */
    const char *why;  /* why nothing is chosen */
};

#define NOT_OF_INPUT UINT32_MAX

struct sore_list VEC(struct sore);
struct insert_list VEC(struct insert);

struct mend {
    struct engine_run *run;
    struct finding_list *findings;
    const struct ptxopt_options *options;
    struct sore_list sores; /* those of the input, in the order of their places, then the others */
    uint32_t of_input;
    struct insert_list inserts; /* all that are chosen, in the order of their places */
    struct buf text;            /* the input with inserts */
    bool refused;               /* it is no longer PTX, or lint gives up where it did not before */
};

/* ---- the text with the chosen insertions ---- */

/* At one place, waits come before fences. */
static int by_place(const void *a, const void *b)
{
    const struct insert *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    int waits = (strstr(y->text.p, ".wait") != NULL) - (strstr(x->text.p, ".wait") != NULL);
    return waits ? waits : strcmp(x->text.p, y->text.p);
}

static bool is_same(const struct insert *a, const struct insert *b)
{
    return a->at == b->at && str_eq(a->text, b->text);
}

static void make_mended_text(struct mend *m)
{
    struct str text = m->run->source.text;
    uint32_t kept = 0, at = 0;
    m->inserts.count = 0;
    m->text.len = 0;
    for (uint32_t i = 0; i < m->sores.count; i++) {
        const struct sore *sore = &m->sores.at[i];
        if (sore->chosen != NOTHING) vec_push(&m->inserts, sore->cures[sore->chosen]);
    }
    if (m->inserts.count) qsort(m->inserts.at, m->inserts.count, sizeof *m->inserts.at, by_place);
    for (uint32_t i = 0; i < m->inserts.count; i++) {
        if (kept && is_same(&m->inserts.at[kept - 1], &m->inserts.at[i])) continue;
        const struct insert *insert = &m->inserts.at[kept++];
        m->inserts.at[kept - 1] = m->inserts.at[i];
        buf_add(&m->text, text.p + at, insert->at - at);
        buf_add(&m->text, insert->text.p, insert->text.n);
        at = insert->at;
    }
    m->inserts.count = kept;
    buf_add(&m->text, text.p + at, text.n - at);
    buf_putc(&m->text, '\0'); /* for callers that need a string */
    m->text.len--;
}

/* The insertion that contains the byte `now` of the new text; NULL: none. *before: the
 * corresponding offset in the input. */
static const struct insert *insert_at(const struct mend *m, uint32_t now, uint32_t *before)
{
    uint32_t added = 0;
    for (uint32_t i = 0; i < m->inserts.count; i++) {
        const struct insert *insert = &m->inserts.at[i];
        uint32_t start = insert->at + added;
        if (now < start) break;
        *before = insert->at;
        if (now < start + insert->text.n) return insert;
        added += (uint32_t)insert->text.n;
    }
    *before = now - added;
    return NULL;
}

/* ---- findings to fix ---- */

static struct sore *find_sore(struct mend *m, uint32_t start, const char *code)
{
    uint32_t low = 0, high = m->of_input;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->sores.at[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i < m->sores.count; i++) {
        if (i < m->of_input && m->sores.at[i].start != start) i = m->of_input;
        if (i == m->sores.count) break;
        if (m->sores.at[i].start == start && m->sores.at[i].code == code) return &m->sores.at[i];
    }
    return NULL;
}

static const struct missing *missing_of(const struct engine_run *run,
                                        const struct ptxopt_finding *finding)
{
    for (uint32_t f = 0; f < run->plans.count; f++) {
        const struct missing_list *list = &run->plans.at[f].missing;
        if (finding->start >= run->plans.at[f].span.end) continue;
        for (uint32_t i = 0; i < list->count; i++)
            if (list->at[i].code->id == finding->code &&
                list->at[i].place.span.start == finding->start)
                return &list->at[i];
    }
    return NULL;
}

static bool is_asked_for(const struct mend *m, const struct ptxopt_finding *finding)
{
    const struct engine_options *asked = &m->options->engine;
    uint64_t id;
    if (finding->kind != PTXOPT_HAZARD || !id_parse(finding->id, &id)) return false;
    for (uint32_t i = 0; i < asked->skip.count; i++)
        if (asked->skip.at[i] == id) return false;
    for (uint32_t i = 0; i < asked->only.count; i++)
        if (asked->only.at[i] == id) return true;
    return !asked->only.count;
}

/* Adds a finding, with copies of its cures at their places in the input. */
static void add_sore(struct mend *m, const struct engine_run *run,
                     const struct ptxopt_finding *finding, uint32_t start, uint32_t index)
{
    struct sore sore = {.start = start, .code = finding->code, .chosen = NOTHING, .finding = index};
    sore.reported = true;
    sore.function = arena_copy(&m->run->arena, finding->function, strlen(finding->function));
    sore.why = "not selected";
    sore.closed = index != NOT_OF_INPUT && !is_asked_for(m, finding);
    if (m->sores.count - m->of_input >= SORES_MOST) {
        sore.closed = true;
        sore.why = "there are too many findings: fix the first ones, then run again";
    }
    const struct missing *missing = sore.closed ? NULL : missing_of(run, finding);
    if (missing) {
        struct insert *cures = arena_alloc(&m->run->arena, missing->cure_count, sizeof *cures);
        for (uint32_t i = 0; i < missing->cure_count; i++) {
            struct str line = missing->cures[i].text;
            cures[i].text = (struct str){arena_copy(&m->run->arena, line.p, line.n), line.n};
            cures[i].at = missing->cures[i].at;
            if (run != m->run) (void)insert_at(m, missing->cures[i].at, &cures[i].at);
        }
        sore.cures = cures;
        sore.cure_count = missing->cure_count;
        if (missing->incurable) sore.why = missing->incurable;
    }
    vec_push(&m->sores, sore);
}

static bool is_of_lint(const struct ptxopt_finding *finding)
{
    return finding->kind == PTXOPT_HAZARD || finding->kind == PTXOPT_SUPPRESSED;
}

static void add_sores_of_input(struct mend *m)
{
    for (uint32_t i = 0; i < m->findings->count; i++)
        if (is_of_lint(&m->findings->at[i]))
            add_sore(m, m->run, &m->findings->at[i], m->findings->at[i].start, i);
    m->of_input = m->sores.count;
}

/* ---- one round ---- */

static void give_up(struct sore *sore, const char *why)
{
    sore->chosen = NOTHING;
    sore->why = why;
}

/* Withdraws the insertion for all findings for which it was chosen. */
static bool drop(struct mend *m, const struct insert *insert, const char *why)
{
    bool any = false;
    for (uint32_t i = 0; i < m->sores.count; i++) {
        struct sore *sore = &m->sores.at[i];
        if (sore->chosen == NOTHING || !is_same(&sore->cures[sore->chosen], insert)) continue;
        give_up(sore, why);
        any = true;
    }
    return any;
}

/* Withdraws what the last round has chosen in the function. */
static bool drop_fresh(struct mend *m, const char *function, const char *why)
{
    bool any = false;
    for (uint32_t i = 0; i < m->sores.count; i++) {
        struct sore *sore = &m->sores.at[i];
        if (sore->chosen == NOTHING || !sore->fresh || strcmp(sore->function, function) != 0)
            continue;
        give_up(sore, why);
        any = true;
    }
    return any;
}

/* Handles a finding of the text with the insertions. True if an insertion is withdrawn because of
 * it. */
static bool take_finding(struct mend *m, const struct engine_run *run,
                         const struct ptxopt_finding *finding)
{
    uint32_t start;
    const struct insert *insert = insert_at(m, finding->start, &start);
    const char *why =
        arena_printf(&m->run->arena, "lint would report a new finding: %s", finding->code);
    if (insert) return drop(m, insert, why);
    struct sore *sore = find_sore(m, start, finding->code);
    if (sore) {
        bool tried = sore->chosen != NOTHING;
        if (tried) give_up(sore, "lint still reports this with the instruction inserted");
        sore->reported = true;
        return tried;
    }
    add_sore(m, run, finding, start, NOT_OF_INPUT);
    sore = &m->sores.at[m->sores.count - 1];
    if (sore->cure_count) return false;
    for (uint32_t i = 0; i + 1 < m->sores.count; i++)
        if (m->sores.at[i].code == sore->code && m->sores.at[i].chosen != NOTHING) return false;
    return drop_fresh(m, sore->function, why);
}

/* Runs the engine on the text with the insertions. It may be a little larger than the caller
 * allows. */
static void run_on(struct mend *m, struct engine_run *run, const struct engine_options *how)
{
    struct engine_options options = *how;
    options.max_input = SOURCE_MAX;
    engine_run(run, &options, m->run->source.name, (struct str){m->text.data, m->text.len});
    m->refused |= run->bad_input;
}

/* The codes that did not examine some function completely, as bits. */
static uint32_t unasked_of(const struct engine_run *run)
{
    uint32_t unasked = 0;
    for (uint32_t f = 0; f < run->plans.count; f++)
        unasked |= run->plans.at[f].missing.unasked | run->plans.at[f].missing.partly |
                   run->plans.at[f].missing.cut;
    return unasked;
}

/* Runs lint on the text with the insertions. True if an insertion is withdrawn. */
static bool ask_lint(struct mend *m)
{
    struct engine_options lint = m->options->engine;
    struct engine_run run;
    struct finding_list findings = {0};
    struct ptxopt_stats stats = {0};
    bool dropped = false;
    lint.rules = 0;
    run_on(m, &run, &lint);
    m->refused |= (unasked_of(&run) & ~unasked_of(m->run)) != 0; /* it would wrongly seem quiet */
    finding_list_build(&findings, &run, m->options, &stats);
    for (uint32_t i = 0; i < m->sores.count; i++) m->sores.at[i].reported = false;
    for (uint32_t i = 0; i < findings.count; i++)
        if (is_of_lint(&findings.at[i])) dropped |= take_finding(m, &run, &findings.at[i]);
    vec_free(&findings);
    engine_free(&run);
    return dropped;
}

/* Runs the optimizer on it, and withdraws the insertions that it would remove. True if there are
 * any. */
static bool ask_optimizer(struct mend *m)
{
    struct engine_options all = m->options->engine;
    struct engine_run run;
    bool dropped = false;
    all.rules = (1u << RULE_COUNT) - 1;
    all.lint = all.fix = all.certificate = all.steps = all.estimates = false;
    all.only = all.skip = (struct edit_ids){0};
    all.given_up = (struct given_up_list){0};
    run_on(m, &run, &all);
    for (uint32_t f = 0; f < run.plans.count; f++)
        for (uint32_t i = 0; i < run.plans.at[f].deleted.count; i++) {
            uint32_t before;
            const struct insert *insert =
                insert_at(m, run.plans.at[f].deleted.at[i].place.span.start, &before);
            dropped |= insert && drop(m, insert, "the optimizer would remove the instruction");
        }
    engine_free(&run);
    return dropped;
}

/* Chooses the next place for each finding that is reported and has none. True if there are any. */
static bool choose(struct mend *m)
{
    bool any = false;
    for (uint32_t i = 0; i < m->sores.count; i++) {
        struct sore *sore = &m->sores.at[i];
        sore->fresh = sore->reported && !sore->closed && sore->chosen == NOTHING &&
                      sore->next < sore->cure_count;
        if (sore->fresh) sore->chosen = (int)sore->next++;
        any |= sore->fresh;
    }
    return any;
}

static void search(struct mend *m)
{
    bool any = choose(m);
    for (uint32_t round = 0; any && !m->refused && round < ROUNDS_MOST; round++) {
        make_mended_text(m);
        bool dropped = m->inserts.count && ask_optimizer(m);
        dropped |= ask_lint(m);
        any = choose(m) || dropped;
    }
    for (uint32_t i = 0; (any || m->refused) && i < m->sores.count; i++) {
        give_up(&m->sores.at[i], "the insertions exclude each other");
        m->sores.at[i].reported = true;
    }
    make_mended_text(m);
}

/* ---- the result ---- */

static struct ptxopt_insertion tell(const struct mend *m, const struct insert *insert)
{
    return (struct ptxopt_insertion){insert->at, source_place(&m->run->source, insert->at).line,
                                     insert->text.p};
}

static uint32_t distance(const struct sore *a, const struct sore *b)
{
    return a->start > b->start ? a->start - b->start : b->start - a->start;
}

/* The nearest other finding of the same function for which something is inserted, preferably with
 * the same code. of_input: consider only findings of the input. NULL: none. */
static const struct sore *nearest(const struct mend *m, const struct sore *to, bool of_input)
{
    const struct sore *best = NULL;
    for (uint32_t i = 0; i < m->sores.count; i++) {
        const struct sore *sore = &m->sores.at[i];
        if (sore == to || sore->chosen == NOTHING || (of_input && sore->finding == NOT_OF_INPUT) ||
            strcmp(sore->function, to->function) != 0)
            continue;
        bool alike = sore->code == to->code, best_alike = best && best->code == to->code;
        if (!best || alike > best_alike ||
            (alike == best_alike && distance(sore, to) < distance(best, to)))
            best = sore;
    }
    return best;
}

/* Stores in the finding what is inserted for it and for findings that its insertion made appear. If
 * nothing is inserted for it and it is no longer reported, stores the nearest insertion. */
static void tell_sore(const struct mend *m, const struct sore *sore)
{
    struct ptxopt_finding *finding = &m->findings->at[sore->finding];
    struct ptxopt_insertion *list =
        arena_alloc(&m->run->arena, m->sores.count, sizeof *finding->insertions);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->sores.count; i++) {
        const struct sore *other = &m->sores.at[i];
        bool later = other->finding == NOT_OF_INPUT && other->chosen != NOTHING;
        if (other->chosen != NOTHING &&
            (other == sore || (later && nearest(m, other, true) == sore)))
            list[count++] = tell(m, &other->cures[other->chosen]);
    }
    const struct sore *beside = count || sore->reported ? NULL : nearest(m, sore, false);
    if (beside) list[count++] = tell(m, &beside->cures[beside->chosen]);
    finding->insertions = list;
    finding->insertion_count = count;
    finding->not_fixed = count ? "" : sore->why;
}

void mend_run(struct engine_run *run, struct finding_list *findings,
              const struct ptxopt_options *options, struct insertion_list *inserts)
{
    struct mend m = {.run = run, .findings = findings, .options = options};
    add_sores_of_input(&m);
    search(&m);
    for (uint32_t i = 0; i < m.sores.count; i++)
        if (m.sores.at[i].finding != NOT_OF_INPUT &&
            findings->at[m.sores.at[i].finding].kind == PTXOPT_HAZARD)
            tell_sore(&m, &m.sores.at[i]);
    for (uint32_t i = 0; i < m.inserts.count; i++) vec_push(inserts, tell(&m, &m.inserts.at[i]));
    run->changed = m.inserts.count;
    if (run->changed)
        run->output = m.text;
    else
        buf_free(&m.text);
    vec_free(&m.sores);
    vec_free(&m.inserts);
}

/* Words a decision as a sentence. Each rule and each reason has a clause with placeholders, which
 * are filled in from the decision. */
#include "api/finding_parts.h"

#include "order/verdict.h"

const char *finding_text(const struct writer *w, const struct plan_place *place)
{
    if (place->is_end) return "the end of the body";
    return view_span_text(&w->run->source, place->span, &w->run->arena);
}

static void add_number(struct buf *out, uint32_t number)
{
    char digits[10];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    buf_add(out, &digits[at], sizeof digits - at);
}

/* Adds "tcgen05.wait::ld.sync.aligned (PTX line 12)"; a long text is cut. */
static void name_place(const struct writer *w, const struct plan_place *place)
{
    enum { WIDTH = 60 };
    const char *text = finding_text(w, place);
    size_t len = strlen(text);
    buf_add(w->sentence, text, len > WIDTH ? WIDTH : len);
    buf_puts(w->sentence, len > WIDTH ? "… (PTX line " : " (PTX line ");
    add_number(w->sentence, finding_line(w, place->span.start));
    buf_putc(w->sentence, ')');
}

/* Adds "bar.sync (PTX line 12)", without guard and operands. */
static void name_opcode(const struct writer *w, const struct plan_place *place)
{
    const char *text = finding_text(w, place);
    if (*text == '@') text += strcspn(text, " ");
    text += *text == ' ';
    buf_add(w->sentence, text, place->is_end ? strlen(text) : strcspn(text, " ;{["));
    buf_puts(w->sentence, " (PTX line ");
    add_number(w->sentence, finding_line(w, place->span.start));
    buf_putc(w->sentence, ')');
}

static void sentence_add_place(const struct writer *w, const struct plan_place *place, bool briefly)
{
    if (!place) {
        buf_puts(w->sentence, "the entry of the kernel");
    } else if (briefly) {
        buf_puts(w->sentence, "PTX line ");
        add_number(w->sentence, finding_line(w, place->span.start));
    } else {
        name_place(w, place);
    }
}

static const char *take_sentence(const struct writer *w)
{
    return arena_copy(&w->run->arena, w->sentence->data, w->sentence->len);
}

/* Adds the clause. Briefly: without its parts in brackets, and of the witness only the line. */
static void add_clause(const struct writer *w, const char *clause, const struct plan_place *witness,
                       bool briefly)
{
    while (*clause) {
        size_t len = strcspn(clause, "%[]");
        buf_add(w->sentence, clause, len);
        clause += len;
        if (*clause == '[' && briefly) clause = strchr(clause, ']');
        if (*clause == '%') {
            sentence_add_place(w, witness, briefly);
            clause++;
        }
        clause += *clause != '\0';
    }
}

const char *finding_fill(const struct writer *w, const char *clause,
                         const struct plan_place *witness)
{
    if (!clause[strcspn(clause, "%[")]) return clause;
    w->sentence->len = 0;
    add_clause(w, clause, witness, false);
    return take_sentence(w);
}

const char *finding_fill_briefly(const struct writer *w, const char *clause,
                                 const struct plan_place *witness, size_t room)
{
    w->sentence->len = 0;
    add_clause(w, clause, witness, true);
    return w->sentence->len > room ? NULL : take_sentence(w);
}

/* ---- because ---- */

static bool add_ground(const struct writer *w, const struct plan_ground *ground)
{
    if (ground->instr == NO_WITNESS) return false;
    name_opcode(w, &ground->place);
    return true;
}

static bool sentence_add_witness(const struct writer *w, const struct decision *d)
{
    if (d->verdict.witness == NO_WITNESS) return false;
    name_opcode(w, &d->witness);
    if (d->grounds && d->grounds->others)
        buf_puts(w->sentence, sentence_is_exit(d)
                                  ? " (on other paths, another instruction of the removed kind "
                                    "comes first)"
                                  : " (on other paths, another one)");
    if (d->grounds && d->grounds->entry) buf_puts(w->sentence, " or the entry of the kernel");
    return true;
}

/* Adds "%r105 at PTX line 291". */
static bool add_reader(const struct writer *w, const struct plan_grounds *grounds)
{
    if (grounds->reader.instr == NO_WITNESS) return false;
    struct str reg = source_slice(&w->run->source, grounds->reg);
    buf_add(w->sentence, reg.p, reg.n);
    buf_puts(w->sentence, reg.n ? " at PTX line " : "PTX line ");
    add_number(w->sentence, finding_line(w, grounds->reader.place.span.start));
    return true;
}

static bool add_need(const struct writer *w, const struct plan_grounds *grounds)
{
    const char *clause = reason_need(grounds->why), *hole = strstr(clause, "%s");
    if (grounds->need.instr == NO_WITNESS || !hole) return false;
    buf_add(w->sentence, clause, (size_t)(hole - clause));
    name_opcode(w, &grounds->need.place);
    buf_puts(w->sentence, hole + 2);
    return true;
}

static void add_columns(const struct writer *w, int32_t first, uint32_t count)
{
    add_number(w->sentence, (uint32_t)first);
    if (count == 1) return;
    buf_putc(w->sentence, '-');
    add_number(w->sentence, (uint32_t)first + count - 1);
}

/* Adds "PTX lines 12 and 18 touch different columns: 0-63 and 128-191, counted from the same
 * base address". */
static bool add_apart(const struct writer *w, const struct plan_grounds *grounds)
{
    if (grounds->issued.instr == NO_WITNESS) return false;
    const struct apart_columns *columns = &grounds->columns;
    int32_t low = columns->first[0] < columns->first[1] ? columns->first[0] : columns->first[1];
    int32_t zero = low < 0 ? low : 0; /* counted from any origin: the address is not named */
    buf_puts(w->sentence, "PTX lines ");
    add_number(w->sentence, finding_line(w, grounds->in_flight.place.span.start));
    buf_puts(w->sentence, " and ");
    add_number(w->sentence, finding_line(w, grounds->issued.place.span.start));
    buf_puts(w->sentence, " touch different columns: ");
    add_columns(w, columns->first[0] - zero, columns->count[0]);
    buf_puts(w->sentence, " and ");
    add_columns(w, columns->first[1] - zero, columns->count[1]);
    if (!columns->is_absolute) buf_puts(w->sentence, ", counted from the same base address");
    return true;
}

/* Adds the text for a letter after '%' in the clause of a rule (see rules/rule.h). False if it is
 * not known. */
static bool add_hole(const struct writer *w, const struct decision *d, char letter)
{
    const struct plan_grounds *grounds = d->grounds;
    switch (letter) {
    case 's': return sentence_add_witness(w, d);
    case 'r': return grounds && add_reader(w, grounds);
    case 'n': return grounds && add_need(w, grounds);
    case 'o': return grounds && add_ground(w, &grounds->before);
    case 'b': return grounds && add_ground(w, &grounds->second);
    case 'a': return grounds && add_apart(w, grounds);
    case 'c': return grounds && add_ground(w, &grounds->commit);
    default: return false;
    }
}

/* Adds the clause [from, end). False if the text for a placeholder in it is not known. */
static bool sentence_add_part(const struct writer *w, const struct decision *d, const char *from,
                              const char *end)
{
    for (bool known = true;; from += 2) {
        const char *hole = memchr(from, '%', (size_t)(end - from));
        buf_add(w->sentence, from, (size_t)((hole ? hole : end) - from));
        if (!hole) return known;
        known &= add_hole(w, d, hole[1]);
        from = hole;
    }
}

/* Handles "[part|other]": adds part if all its placeholders are known, otherwise other, if there is
 * one. Returns where the clause continues. */
static const char *add_choice(const struct writer *w, const struct decision *d, const char *from)
{
    const char *end = strchr(from, ']'), *bar = memchr(from, '|', (size_t)(end - from));
    size_t mark = w->sentence->len;
    if (!sentence_add_part(w, d, from, bar ? bar : end)) {
        w->sentence->len = mark;
        if (bar) sentence_add_part(w, d, bar + 1, end);
    }
    return end + 1;
}

static const char *fill_clause(const struct writer *w, const struct decision *d, const char *clause)
{
    w->sentence->len = 0;
    while (*clause) {
        const char *end = clause + strcspn(clause, "[");
        sentence_add_part(w, d, clause, end);
        clause = *end ? add_choice(w, d, end + 1) : end;
    }
    return take_sentence(w);
}

bool sentence_is_exit(const struct decision *d)
{
    return d->verdict.witness != NO_WITNESS && d->witness.is_exit;
}

const char *sentence_deleted(const struct writer *w, const struct decision *d)
{
    if (!sentence_is_exit(d)) return fill_clause(w, d, d->rule->because);
    return fill_clause(
        w, d,
        d->verdict.assumptions & ASSUME_EXIT_SILENT
            ? "the thread ends at %s, which publishes nothing"
            : "the thread ends at %s, and before that nothing is issued that the fence must "
              "order");
}

const char *sentence_advised(const struct writer *w, const struct decision *d)
{
    return fill_clause(w, d, d->rule->because);
}

/* The text "the comment on PTX line 12 keeps it: its reason". */
static const char *what_keeps(const struct writer *w, const struct directive *comment)
{
    struct str reason = comment->reason;
    return arena_printf(&w->run->arena, "the comment on PTX line %u keeps it%s%.*s",
                        finding_line(w, comment->span.start), reason.n ? ": " : "", (int)reason.n,
                        reason.p);
}

const char *sentence_kept(const struct writer *w, const struct decision *d)
{
    const struct verdict *verdict = &d->verdict;
    if (verdict->reason == REASON_KEPT_BY_COMMENT) return what_keeps(w, d->keeper);
    if (verdict->reason == REASON_REGISTERS) return finding_copy(w, str_from(d->why));
    if (verdict->reason == REASON_ASSUMPTION)
        return arena_printf(&w->run->arena, "its removal needs --assume %s",
                            assume_names(verdict->assumptions, &w->run->arena));
    bool lacks_witness = verdict->witness == NO_WITNESS;
    if (lacks_witness && verdict->reason == REASON_NOT_PIPELINED)
        return "it orders no pipelined pair whose operands provably stay the same";
    if (lacks_witness && verdict->reason == REASON_RECEIVED)
        return "the thread may have received work of another thread since the entry";
    if (lacks_witness && verdict->reason == REASON_UNTRACKED)
        return "it orders nothing that a commit tracks";
    return finding_fill(w, reason_clause(verdict->reason, !d->rule->looks_back),
                        lacks_witness ? NULL : &d->witness);
}

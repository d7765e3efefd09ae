/* Writes a proof as text, and reads it. The text is untrusted: anything unexpected marks the
 * certificate broken, and wrong sets fail the test of the proof. See certificate.h. */
#include "check/prove/certificate.h"

#include <inttypes.h>

static const char format[] = "ptxopt-certificate ", version[] = "6";

static const char *const fact_names[] = {"ld",      "st",      "pipe",  "completed",
                                         "ordered", "relaxed", "causal"};

static uint64_t hash_text(struct str text)
{
    uint64_t h = 14695981039346656037ull;
    for (size_t i = 0; i < text.n; i++) h = (h ^ (unsigned char)text.p[i]) * 1099511628211ull;
    return h;
}

static void print_names(struct buf *out, uint32_t bits)
{
    for (uint32_t bit = 1; *check_assume_name(bit); bit <<= 1)
        if (bits & bit) buf_printf(out, " %s", check_assume_name(bit));
    buf_puts(out, bits ? "\n" : " -\n");
}

void certificate_header(struct buf *out, const struct check_options *options, uint32_t assume,
                        struct str before, struct str after)
{
    buf_printf(out, "%s%s\nassume %" PRIx32 "\n", format, version, assume);
    buf_printf(out, "isa %" PRIu32 ".%" PRIu32 "\n", options->isa_major, options->isa_minor);
    buf_printf(out, "before %zu %016" PRIx64 "\n", before.n, hash_text(before));
    buf_printf(out, "after %zu %016" PRIx64 "\n", after.n, hash_text(after));
}

static void print_set(struct buf *out, uint32_t block, const uint64_t *set)
{
    buf_printf(out, "%" PRIu32, block);
    for (uint32_t i = 0; i < MONITOR_WORDS; i++)
        for (uint64_t bits = set[i]; bits; bits &= bits - 1)
            buf_printf(out, " %x", i * 64 + (unsigned)__builtin_ctzll(bits));
    buf_putc(out, '\n');
}

/* Writes the classes of loads and stores in the order of their numbers. The last class, of all
 * other accesses, has no line. */
static void print_columns(struct buf *out, const struct lower *lower)
{
    for (uint32_t i = 0; i < lower->graph.accesses.count; i++) {
        const struct columns_range *range = &lower->columns.ranges.at[i];
        if (range->base == PROGRAM_NONE)
            buf_printf(out, "class %" PRIu32 " at * + %" PRIu32, i, range->number);
        else
            buf_printf(out, "class %" PRIu32 " at %" PRIu32 " + %" PRIu32, i, range->base,
                       range->number);
        buf_printf(out, " columns %" PRIu32 "\n", range->count);
    }
}

static void print_facts(struct buf *out, const struct proof *proof)
{
    for (uint32_t i = 0; i < proof->facts.count; i++) {
        const struct monitor_proof *one = &proof->facts.at[i];
        buf_printf(out, "facts %s %s ", fact_names[one->fact], one->literal ? "literal" : "plain");
        if (one->class == MONITOR_NONE)
            buf_puts(out, "*\n");
        else
            buf_printf(out, "%" PRIu32 "\n", one->class);
        for (uint32_t b = 0; b < proof->lower.graph.block_count; b++)
            if (one->sets.reached[b]) print_set(out, b, one->sets.at + (size_t)b * MONITOR_WORDS);
    }
}

static void print_bits(struct buf *out, const uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            buf_printf(out, " %" PRIu32, w * 64 + (uint32_t)__builtin_ctzll(bits));
}

static void print_registers(struct buf *out, const struct proof *proof)
{
    uint32_t words = proof->hazard.words;
    if (!words) return;
    buf_puts(out, "registers\n");
    for (uint32_t b = 0; b < proof->program.blocks.count; b++) {
        if (!proof->hazard_sets.reached[b]) continue;
        const uint64_t *set = solution_at(&proof->hazard_sets, &proof->hazard_flow, b);
        buf_printf(out, "%" PRIu32 " p", b);
        print_bits(out, set, words);
        buf_puts(out, " r");
        print_bits(out, set + words, words);
        buf_putc(out, '\n');
    }
}

static void print_meant(struct buf *out, const struct proof *proof)
{
    if (!proof->meant.used) return;
    buf_puts(out, "meant\n");
    for (uint32_t b = 0; b < proof->program.blocks.count; b++) {
        if (!proof->meant_sets.reached[b]) continue;
        uint64_t states = proof->meant_sets.at[b];
        buf_printf(out, "%" PRIu32, b);
        for (int k = 0; k < MEANT_KINDS; k++, states >>= MEANT_STATES)
            buf_printf(out, " %x", (unsigned)(states & 0xffff));
        buf_putc(out, '\n');
    }
}

/* Writes the section of a condition whose sets have one word for each block. */
static void print_words(struct buf *out, const struct proof *proof, const char *name,
                        const struct solution *sets)
{
    buf_printf(out, "%s\n", name);
    for (uint32_t b = 0; b < proof->program.blocks.count; b++)
        if (sets->reached[b]) buf_printf(out, "%" PRIu32 " %" PRIx64 "\n", b, sets->at[b]);
}

static const struct check_note *find_note(const struct check_options *options, uint32_t at)
{
    uint32_t low = 0, high = options->note_count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (options->notes[mid].at < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low < options->note_count && options->notes[low].at == at ? &options->notes[low] : NULL;
}

static void print_deletions(struct buf *out, const struct proof *proof,
                            const struct check_options *options)
{
    for (uint32_t i = 0; i < proof->program.instructions.count; i++) {
        const struct program_instruction *at = &proof->program.instructions.at[i];
        if (!at->deleted) continue;
        uint32_t line = proof_line(proof, at->span.start);
        buf_printf(out, "delete %" PRIu32 " ", line);
        struct str text = source_slice(proof->source, at->span);
        for (size_t c = 0; c < text.n; c++)
            if (text.p[c] > ' ' && text.p[c] < 127) buf_putc(out, text.p[c]);
        const struct check_note *note = find_note(options, at->span.start);
        const char *assumes = note && *note->assumes ? note->assumes : "-";
        buf_printf(out, " rule %s assumes %s\n", note ? note->rule : "-", assumes);
    }
}

void certificate_function(struct buf *out, const struct proof *proof,
                          const struct check_options *options,
                          const struct check_function *function, uint32_t needs)
{
    buf_printf(out, "function %" PRIu32 " ", function->before.start);
    buf_add(out, function->name.p, function->name.n);
    buf_putc(out, '\n');
    print_deletions(out, proof, options);
    buf_puts(out, "needs");
    print_names(out, needs);
    if (proof->follows_values) buf_puts(out, "values\n");
    if (proof->is_split) buf_puts(out, "split\n");
    if (proof->lower.graph.accesses.count) buf_puts(out, "columns\n");
    print_columns(out, &proof->lower);
    print_facts(out, proof);
    print_registers(out, proof);
    print_meant(out, proof);
    if (proxy_is_asked(&proof->proxy)) print_words(out, proof, "proxy", &proof->proxy_sets);
    if (proof->held.used) print_words(out, proof, "held", &proof->held_sets);
    buf_puts(out, "end\n");
}

/* Returns the next line without its line feed; empty at the end. */
static struct str peek_line(const struct certificate *certificate)
{
    struct str rest = {certificate->text.p + certificate->pos,
                       certificate->text.n - certificate->pos};
    const char *lf = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
    if (lf) rest.n = (size_t)(lf - rest.p);
    return rest;
}

static struct str certificate_take_line(struct certificate *certificate)
{
    struct str line = peek_line(certificate);
    certificate->pos += line.n;
    if (certificate->pos < certificate->text.n) certificate->pos++;
    return line;
}

/* Removes the first word from line and returns it. */
static struct str take_word(struct str *line)
{
    while (line->n && line->p[0] == ' ') line->p++, line->n--;
    struct str word = {line->p, 0};
    while (word.n < line->n && line->p[word.n] != ' ') word.n++;
    line->p += word.n;
    line->n -= word.n;
    return word;
}

/* Returns the number in word if it is below limit (0: no limit). Otherwise marks the certificate
 * broken and returns 0. */
static uint64_t certificate_number(struct certificate *certificate, struct str word, unsigned base,
                                   uint64_t limit)
{
    uint64_t value = 0;
    bool fits = word.n && word.n <= 16;
    for (size_t i = 0; fits && i < word.n; i++) {
        const char *digits = "0123456789abcdef";
        const char *digit = word.p[i] ? strchr(digits, word.p[i]) : NULL;
        fits = digit && (unsigned)(digit - digits) < base;
        if (fits) value = value * base + (uint64_t)(digit - digits);
    }
    if (fits && (!limit || value < limit)) return value;
    certificate->broken = true;
    return 0;
}

static void expect_line(struct certificate *certificate, const char *wanted)
{
    if (!str_is(certificate_take_line(certificate), wanted)) certificate->broken = true;
}

static void expect_text(struct certificate *certificate, const char *which, struct str text)
{
    struct buf wanted = {0};
    buf_printf(&wanted, "%s %zu %016" PRIx64, which, text.n, hash_text(text));
    char *line = buf_take(&wanted);
    expect_line(certificate, line);
    mem_free(line);
}

void certificate_read_header(struct certificate *certificate, uint32_t assume, struct str before,
                             struct str after)
{
    struct str line = certificate_take_line(certificate);
    bool ours = str_starts(line, format);
    if (ours) line = (struct str){line.p + strlen(format), line.n - strlen(format)};
    certificate->other_format = ours && !str_is(line, version);
    if (!ours || certificate->other_format) certificate->broken = true;
    line = certificate_take_line(certificate);
    if (!str_is(take_word(&line), "assume")) certificate->broken = true;
    if (certificate_number(certificate, take_word(&line), 16, 1ull << 32) != assume)
        certificate->broken = true;
    line = certificate_take_line(certificate);
    if (!str_is(take_word(&line), "isa")) certificate->broken = true;
    expect_text(certificate, "before", before);
    expect_text(certificate, "after", after);
}

static bool at_row(const struct certificate *certificate)
{
    struct str line = peek_line(certificate);
    return !certificate->broken && line.n && line.p[0] >= '0' && line.p[0] <= '9';
}

static void read_facts(struct certificate *certificate, struct proof *proof, struct str line)
{
    struct monitor_proof one = {.class = MONITOR_NONE};
    struct str fact = take_word(&line), reading = take_word(&line), class = take_word(&line);
    uint32_t found = 0, blocks = proof->lower.graph.block_count;
    while (found < FACT_COUNT && !str_is(fact, fact_names[found])) found++;
    /* Limits the memory: a proof has no more analyses than facts and classes. */
    const struct monitor_graph *graph = &proof->lower.graph;
    uint64_t enough = 2 * ((uint64_t)FACT_COUNT + graph->pipes.count + 1 +
                           2 * ((uint64_t)graph->accesses.count + 1));
    if (found == FACT_COUNT || proof->facts.count >= enough) {
        certificate->broken = true;
        return;
    }
    one.fact = (enum monitor_fact)found;
    uint64_t classes = track_classes(graph, one.fact).count;
    one.literal = str_is(reading, "literal");
    if (!str_is(class, "*"))
        one.class = (uint32_t)certificate_number(certificate, class, 10, classes + 1);
    one.sets.at = mem_zalloc((size_t)blocks * MONITOR_WORDS, sizeof *one.sets.at);
    one.sets.reached = mem_zalloc(blocks, sizeof *one.sets.reached);
    while (at_row(certificate)) {
        struct str row = certificate_take_line(certificate);
        uint64_t block = certificate_number(certificate, take_word(&row), 10, blocks);
        one.sets.reached[block] = true;
        for (struct str word = take_word(&row); word.n; word = take_word(&row)) {
            uint64_t pair = certificate_number(certificate, word, 16, 64 * MONITOR_WORDS);
            one.sets.at[block * MONITOR_WORDS + pair / 64] |= 1ull << pair % 64;
        }
    }
    vec_push(&proof->facts, one);
}

/* Reads the lines after `columns`, which must be those that print_columns writes for this text. */
static void read_columns(struct certificate *certificate, struct proof *proof)
{
    struct buf wanted = {0};
    bool told = !proof->facts.count && proof_tell_columns(proof);
    print_columns(&wanted, &proof->lower);
    size_t left = certificate->text.n - certificate->pos;
    struct str lines = {certificate->text.p + certificate->pos,
                        wanted.len < left ? wanted.len : left};
    if (told && str_eq(lines, (struct str){wanted.data, wanted.len}))
        certificate->pos += lines.n;
    else
        certificate->broken = true;
    buf_free(&wanted);
}

static void read_registers(struct certificate *certificate, struct proof *proof)
{
    uint64_t words = proof->hazard.words;
    if (!words) certificate->broken = true;
    while (at_row(certificate)) {
        struct str row = certificate_take_line(certificate);
        uint64_t block =
            certificate_number(certificate, take_word(&row), 10, proof->program.blocks.count);
        uint64_t *set = solution_reach(&proof->hazard_sets, &proof->hazard_flow, (uint32_t)block);
        uint64_t *risk = set + words;
        if (!str_is(take_word(&row), "p")) certificate->broken = true;
        for (struct str word = take_word(&row); word.n; word = take_word(&row)) {
            if (str_is(word, "r")) {
                set = risk;
                continue;
            }
            uint64_t bit = certificate_number(certificate, word, 10, 64 * words);
            set[bit / 64] |= 1ull << bit % 64;
        }
    }
}

static void read_meant(struct certificate *certificate, struct proof *proof)
{
    if (!proof->meant.used) certificate->broken = true;
    while (at_row(certificate)) {
        struct str row = certificate_take_line(certificate);
        uint64_t block =
            certificate_number(certificate, take_word(&row), 10, proof->program.blocks.count);
        uint64_t *states = solution_reach(&proof->meant_sets, &proof->meant_flow, (uint32_t)block);
        *states = 0;
        for (int k = 0; k < MEANT_KINDS; k++)
            *states |= certificate_number(certificate, take_word(&row), 16, 1ull << MEANT_STATES)
                       << MEANT_STATES * k;
    }
}

/* Reads lines with a block and its set of one word. */
static void certificate_read_words(struct certificate *certificate, const struct proof *proof,
                                   const struct flow *flow, struct solution *sets)
{
    if (!flow->words) certificate->broken = true;
    while (at_row(certificate)) {
        struct str row = certificate_take_line(certificate);
        uint64_t block =
            certificate_number(certificate, take_word(&row), 10, proof->program.blocks.count);
        *solution_reach(sets, flow, (uint32_t)block) =
            certificate_number(certificate, take_word(&row), 16, 0);
    }
}

void certificate_read_function(struct certificate *certificate, struct proof *proof,
                               struct span whole)
{
    struct str line = certificate_take_line(certificate);
    if (!str_is(take_word(&line), "function")) certificate->broken = true;
    if (certificate_number(certificate, take_word(&line), 10, 1ull << 32) != whole.start)
        certificate->broken = true;
    while (!certificate->broken) {
        line = certificate_take_line(certificate);
        struct str word = take_word(&line);
        if (str_is(word, "end")) return;
        if (str_is(word, "values"))
            certificate->broken = proof->facts.count || !proof_follow(proof);
        else if (str_is(word, "split"))
            certificate->broken = proof->facts.count || !proof_split(proof);
        else if (str_is(word, "columns"))
            read_columns(certificate, proof);
        else if (str_is(word, "facts"))
            read_facts(certificate, proof, line);
        else if (str_is(word, "registers"))
            read_registers(certificate, proof);
        else if (str_is(word, "meant"))
            read_meant(certificate, proof);
        else if (str_is(word, "proxy"))
            certificate_read_words(certificate, proof, &proof->proxy_flow, &proof->proxy_sets);
        else if (str_is(word, "held"))
            certificate_read_words(certificate, proof, &proof->held_flow, &proof->held_sets);
        else if (!str_is(word, "delete") && !str_is(word, "needs"))
            certificate->broken = true;
    }
}

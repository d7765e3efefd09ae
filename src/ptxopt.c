/* The public face of libptxopt: see ptxopt.h. */
#include "ptxopt.h"

#include <sys/resource.h>

#include "engine/engine.h"
#include "engine/id.h"
#include "result.h"
#include "verification.h"

enum { DEFAULT_MAX_INPUT = 256 << 20 };

#define ALL_RULES ((1u << RULE_COUNT) - 1)

struct ptxopt_options {
    struct engine_options engine;
    bool chains;
};

const char *ptxopt_version(void)
{
    return PACKAGE_VERSION;
}

const struct ptxopt_rule *ptxopt_rules(size_t *count)
{
#define PUBLIC(name, advice)                                                                       \
    {rule_##name.id,          rule_##name.deletes, rule_##name.summary,                            \
     rule_##name.explanation, rule_##name.section, advice},
#define PUBLIC_REWRITE(name) PUBLIC(name, false)
#define PUBLIC_ADVICE(name) PUBLIC(name, true)
    static const struct ptxopt_rule rules[] = {REWRITES(PUBLIC_REWRITE) ADVICE(PUBLIC_ADVICE)};
#undef PUBLIC_ADVICE
#undef PUBLIC_REWRITE
#undef PUBLIC
    *count = sizeof rules / sizeof *rules;
    return rules;
}

const struct ptxopt_assumption *ptxopt_assumptions(size_t *count)
{
#define PUBLIC(name, bit, on, summary, section) {name, on, summary, section},
    static const struct ptxopt_assumption assumptions[] = {ASSUMPTIONS(PUBLIC)};
#undef PUBLIC
    *count = sizeof assumptions / sizeof *assumptions;
    return assumptions;
}

struct ptxopt_options *ptxopt_options_new(void)
{
    struct ptxopt_options *options = mem_zalloc(1, sizeof *options);
    options->engine.rules = ALL_RULES;
    options->engine.max_input = DEFAULT_MAX_INPUT;
    return options;
}

static void copy_ids(struct edit_ids *to, const struct edit_ids *from)
{
    *to = (struct edit_ids){0};
    for (uint32_t i = 0; i < from->count; i++) vec_push(to, from->at[i]);
}

struct ptxopt_options *ptxopt_options_copy(const struct ptxopt_options *options)
{
    struct ptxopt_options *copy = mem_alloc(sizeof *copy);
    *copy = *options;
    copy_ids(&copy->engine.only, &options->engine.only);
    copy_ids(&copy->engine.skip, &options->engine.skip);
    return copy;
}

void ptxopt_options_free(struct ptxopt_options *options)
{
    if (!options) return;
    vec_free(&options->engine.only);
    vec_free(&options->engine.skip);
    mem_free(options);
}

/* The bits of a comma-separated list; false when one of the names is no rule. */
static bool parse_rules(const char *names, uint32_t *bits)
{
    *bits = 0;
    while (*names) {
        size_t n = strcspn(names, ",");
        uint32_t index = rule_find((struct str){names, n});
        if (index == RULE_COUNT) return false;
        *bits |= 1u << index;
        names += n + (names[n] == ',');
    }
    return *bits != 0;
}

bool ptxopt_options_set_rules(struct ptxopt_options *options, const char *names)
{
    uint32_t bits = 0;
    if (strcmp(names, "all") == 0)
        bits = ALL_RULES;
    else if (strcmp(names, "none") != 0 && !parse_rules(names, &bits))
        return false;
    options->engine.rules = bits;
    return true;
}

bool ptxopt_options_set_optimizations(struct ptxopt_options *options, const char *set)
{
    if (strcmp(set, "tcgen05") == 0) return true;
    return strcmp(set, "none") == 0 && ptxopt_options_set_rules(options, "none");
}

bool ptxopt_options_assume(struct ptxopt_options *options, const char *name, bool on)
{
    uint32_t bit = assume_find(name);
    if (!bit) return false;
    options->engine.assumptions &= ~bit;
    options->engine.no_assumptions &= ~bit;
    if (on)
        options->engine.assumptions |= bit;
    else
        options->engine.no_assumptions |= bit;
    return true;
}

/* One to four digits; false for anything else. */
static bool parse_number(const char **at, uint32_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9' && *at - start < 4; ++*at)
        *value = *value * 10 + (uint32_t)(**at - '0');
    return *at != start;
}

bool ptxopt_options_set_isa(struct ptxopt_options *options, const char *isa)
{
    uint32_t major, minor;
    if (!parse_number(&isa, &major) || *isa++ != '.') return false;
    if (!parse_number(&isa, &minor) || *isa) return false;
    if (major < 8 || (major == 8 && minor < 6)) return false;
    options->engine.isa_major = major;
    options->engine.isa_minor = minor;
    return true;
}

static bool add_id(struct edit_ids *ids, const char *text)
{
    uint64_t id;
    if (!id_parse(text, &id)) return false;
    vec_push(ids, id);
    return true;
}

bool ptxopt_options_only(struct ptxopt_options *options, const char *id)
{
    return add_id(&options->engine.only, id);
}

bool ptxopt_options_skip(struct ptxopt_options *options, const char *id)
{
    return add_id(&options->engine.skip, id);
}

void ptxopt_options_set_chains(struct ptxopt_options *options, bool on)
{
    options->chains = on;
}

void ptxopt_options_set_style(struct ptxopt_options *options, enum ptxopt_style style)
{
    options->engine.style = style == PTXOPT_ANNOTATE  ? EDIT_ANNOTATE
                            : style == PTXOPT_SQUEEZE ? EDIT_SQUEEZE
                                                      : EDIT_BLANK;
}

void ptxopt_options_set_certificate(struct ptxopt_options *options, bool on)
{
    options->engine.certificate = on;
}

bool ptxopt_options_set_max_input(struct ptxopt_options *options, size_t bytes)
{
    if (bytes < 1 || bytes > SOURCE_MAX) return false;
    options->engine.max_input = bytes;
    return true;
}

static size_t peak_resident_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}

static struct check_options check_options_of(const struct ptxopt_options *options)
{
    const struct engine_options *asked = &options->engine;
    return (struct check_options){.assume = engine_check_assumptions(asked->assumptions),
                                  .deny = engine_check_assumptions(asked->no_assumptions),
                                  .isa_major = asked->isa_major,
                                  .isa_minor = asked->isa_minor,
                                  .certificate = asked->certificate};
}

/* A run that deletes nothing has a proof, too: one without functions. */
static void certify_unchanged(struct engine_run *run, const struct ptxopt_options *options)
{
    struct check_options check = check_options_of(options);
    struct check_result same;
    check_run(&check, run->source.text, run->source.text, &run->arena, &same);
    run->certificate = same.certificate;
}

struct ptxopt_result *ptxopt_run(const struct ptxopt_options *options, const char *name,
                                 const char *text, size_t len)
{
    struct ptxopt_result *result = mem_zalloc(1, sizeof *result);
    struct engine_run *run = &result->run;
    engine_run(run, &options->engine, name, (struct str){text, len});
    run->source.text = (struct str){text, len};
    if (options->engine.certificate && !run->bad_input && !run->changed)
        certify_unchanged(run, options);
    result_build(result, options->chains);
    result->stats.input_bytes = len;
    result->stats.output_bytes = run->changed ? run->output.len : len;
    result->stats.peak_bytes = peak_resident_bytes();
    result->stats.parse_ns = run->parse_ns;
    result->stats.analysis_ns = run->analysis_ns;
    result->stats.check_ns = run->check_ns;
    return result;
}

void ptxopt_result_free(struct ptxopt_result *result)
{
    if (!result) return;
    vec_free(&result->diagnostics);
    vec_free(&result->edits);
    vec_free(&result->kept);
    vec_free(&result->declines);
    vec_free(&result->advice);
    vec_free(&result->skipped);
    engine_free(&result->run);
    mem_free(result);
}

enum ptxopt_status ptxopt_result_status(const struct ptxopt_result *result)
{
    return result->run.bad_input ? PTXOPT_BAD_INPUT : PTXOPT_OK;
}

bool ptxopt_result_changed(const struct ptxopt_result *result)
{
    return result->run.changed;
}

const char *ptxopt_result_text(const struct ptxopt_result *result, size_t *len)
{
    const struct engine_run *run = &result->run;
    *len = run->changed ? run->output.len : run->source.text.n;
    return run->changed ? run->output.data : run->source.text.p;
}

const char *ptxopt_result_certificate(const struct ptxopt_result *result, size_t *len)
{
    *len = result->run.certificate.n;
    return *len ? result->run.certificate.p : "";
}

#define LIST(type, field)                                                                          \
    const struct ptxopt_##type *ptxopt_result_##field(const struct ptxopt_result *result,          \
                                                      size_t *n)                                   \
    {                                                                                              \
        *n = result->field.count;                                                                  \
        return result->field.at;                                                                   \
    }
LIST(diagnostic, diagnostics)
LIST(edit, edits)
LIST(kept, kept)
LIST(decline, declines)
LIST(advice, advice)
LIST(skipped, skipped)
#undef LIST

const struct ptxopt_stats *ptxopt_result_stats(const struct ptxopt_result *result)
{
    return &result->stats;
}

struct ptxopt_verification *ptxopt_verify(const struct ptxopt_options *options, const char *before,
                                          size_t before_len, const char *after, size_t after_len)
{
    struct check_options check = check_options_of(options);
    return verification_run(&check, (struct str){before, before_len},
                            (struct str){after, after_len});
}

char *ptxopt_dump(const struct ptxopt_options *options, const char *stage, const char *name,
                  const char *text, size_t len, size_t *out_len)
{
    struct buf out = {0};
    if (!engine_dump(&options->engine, stage, name, (struct str){text, len}, &out)) {
        buf_free(&out);
        return NULL;
    }
    *out_len = out.len;
    return buf_take(&out);
}

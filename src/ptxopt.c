/* The public face of libptxopt: see ptxopt.h. */
#include "ptxopt.h"

#include <stdio.h>
#include <sys/resource.h>

#include "call.h"
#include "engine/engine.h"
#include "options.h"
#include "result.h"
#include "verification.h"

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

static size_t peak_resident_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}

struct run_call {
    struct ptxopt_result *result;
    const struct ptxopt_options *options;
    const char *name;
    struct str text;
};

/* A run that deletes nothing has a proof, too: one without functions. */
static void certify_unchanged(struct engine_run *run, const struct ptxopt_options *options)
{
    struct check_options check = options_for_checker(options);
    struct check_result same;
    check_run(&check, run->source.text, run->source.text, &run->arena, &same);
    run->certificate = same.certificate;
}

static void optimize(void *context)
{
    const struct run_call *asked = context;
    struct ptxopt_result *result = asked->result;
    struct engine_run *run = &result->run;
    engine_run(run, &asked->options->engine, asked->name, asked->text);
    if (asked->options->engine.certificate && !run->bad_input && !run->changed)
        certify_unchanged(run, asked->options);
    result_build(result);
}

/* For when there is no memory to say so. */
static const struct ptxopt_result no_memory = {.failure = FAILURE_NO_MEMORY};

struct ptxopt_result *ptxopt_run(const struct ptxopt_options *options, const char *name,
                                 const char *text, size_t len)
{
    struct ptxopt_result *result = mem_try_zalloc(sizeof *result);
    if (!result) return (struct ptxopt_result *)&no_memory;
    struct run_call asked = {result, options, name, {text, len}};
    struct work_outcome outcome = call_run(options, len, optimize, &asked);
    if (outcome.end != WORK_DONE) *result = (struct ptxopt_result){0};
    call_fail(&result->failure, &outcome);
    struct engine_run *run = &result->run;
    run->source.text = asked.text;
    result->stats.input_bytes = len;
    result->stats.output_bytes = run->changed ? run->output.len : len;
    result->stats.peak_bytes = peak_resident_bytes();
    result->stats.memory_bytes = outcome.most_bytes;
    result->stats.parse_ns = run->parse_ns;
    result->stats.analysis_ns = run->analysis_ns;
    result->stats.check_ns = run->check_ns;
    return result;
}

void ptxopt_result_free(struct ptxopt_result *result)
{
    if (!result || result == &no_memory) return;
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
    if (result->failure.status) return result->failure.status;
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

const struct ptxopt_diagnostic *ptxopt_result_diagnostics(const struct ptxopt_result *result,
                                                          size_t *n)
{
    bool failed = result->failure.status;
    *n = failed ? 1 : result->diagnostics.count;
    return failed ? &result->failure.diagnostic : result->diagnostics.at;
}

#define LIST(type, field)                                                                          \
    const struct ptxopt_##type *ptxopt_result_##field(const struct ptxopt_result *result,          \
                                                      size_t *n)                                   \
    {                                                                                              \
        *n = result->field.count;                                                                  \
        return result->field.at;                                                                   \
    }
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
    return verification_run(options, (struct str){before, before_len},
                            (struct str){after, after_len});
}

struct dump_call {
    const struct ptxopt_options *options;
    const char *stage, *name;
    struct str text;
    struct buf out;
    bool known;
};

static void dump(void *context)
{
    struct dump_call *asked = context;
    asked->known =
        engine_dump(&asked->options->engine, asked->stage, asked->name, asked->text, &asked->out);
}

static char *dump_failure(const struct work_outcome *outcome, const char *name, size_t *out_len)
{
    char line[512];
    struct failure failure;
    call_fail(&failure, outcome);
    if (failure.status == PTXOPT_NO_MEMORY) return NULL;
    int len = snprintf(line, sizeof line, "%.128s:1:1: error: %s [%s]\n", name ? name : "",
                       failure.diagnostic.message, failure.diagnostic.code);
    *out_len = (size_t)len;
    return mem_export(line, *out_len);
}

char *ptxopt_dump(const struct ptxopt_options *options, const char *stage, const char *name,
                  const char *text, size_t len, size_t *out_len)
{
    struct dump_call asked = {
        .options = options, .stage = stage, .name = name, .text = {text, len}};
    struct work_outcome outcome = call_run(options, len, dump, &asked);
    if (outcome.end != WORK_DONE) return dump_failure(&outcome, name, out_len);
    char *out = asked.known ? mem_export(asked.out.data, asked.out.len) : NULL;
    *out_len = asked.out.len;
    buf_free(&asked.out);
    return out;
}

/* Holds the findings and the texts of a run, as ptxopt.h describes. See result.h. */
#include "api/result.h"

#include <sys/resource.h>

#include "api/mend.h"
#include "api/options.h"

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

/* A run that removes nothing also has a proof, without functions. */
static void certify_unchanged(struct engine_run *run, const struct ptxopt_options *options)
{
    struct check_options check = options_for_checker(options);
    struct check_result same;
    check_run(&check, run->source.text, run->source.text, &run->arena, &same);
    run->certificate = same.certificate;
}

static enum ptxopt_operation_kind operation_kind(enum effect effect)
{
    switch (effect) {
    case EFFECT_ASYNC_LD: return PTXOPT_LOAD;
    case EFFECT_ASYNC_ST: return PTXOPT_STORE;
    case EFFECT_ASYNC_MMA:
    case EFFECT_ASYNC_CP:
    case EFFECT_ASYNC_SHIFT: return PTXOPT_PIPE;
    case EFFECT_WAIT_LD: return PTXOPT_WAIT_LOAD;
    case EFFECT_WAIT_ST: return PTXOPT_WAIT_STORE;
    case EFFECT_FENCE_BEFORE:
    case EFFECT_FENCE_AFTER: return PTXOPT_FENCE;
    case EFFECT_COMMIT: return PTXOPT_COMMIT;
    case EFFECT_ALLOC:
    case EFFECT_CALL:
    case EFFECT_EXIT: return PTXOPT_LEAVE;
    default: return PTXOPT_SYNC;
    }
}

static void list_operations(struct ptxopt_result *result)
{
    struct engine_run *run = &result->run;
    for (uint32_t f = 0; f < run->plans.count; f++) {
        const struct function_plan *plan = &run->plans.at[f];
        if (!plan->operations.count) continue;
        const char *function = arena_copy(&run->arena, plan->name.p, plan->name.n);
        for (uint32_t i = 0; i < plan->operations.count; i++) {
            const struct plan_operation *at = &plan->operations.at[i];
            uint32_t line = source_place(&run->source, at->span.start).line;
            vec_push(&result->operations,
                     (struct ptxopt_operation){operation_kind((enum effect)at->effect), function,
                                               at->span.start, at->span.end, line});
        }
    }
}

static void run_optimize(void *context)
{
    const struct run_call *asked = context;
    struct ptxopt_result *result = asked->result;
    struct engine_run *run = &result->run;
    struct engine_options engine = asked->options->engine;
    if (engine.fix) engine.rules = 0;
    engine_run(run, &engine, asked->name, asked->text);
    if (asked->options->engine.certificate && !run->bad_input && !run->changed)
        certify_unchanged(run, asked->options);
    finding_list_build(&result->findings, run, asked->options, &result->stats);
    if (asked->options->engine.fix && !run->bad_input)
        mend_run(run, &result->findings, asked->options, &result->insertions);
    list_operations(result);
    result->settings = options_settings(asked->options, run);
}

/* The result if there is no memory for a result. */
static const struct ptxopt_result no_memory = {.failure = FAILURE_NO_MEMORY};

struct ptxopt_result *result_run(const struct ptxopt_options *options, const char *name,
                                 struct str text)
{
    struct ptxopt_result *result = mem_try_zalloc(sizeof *result);
    if (!result) return (struct ptxopt_result *)&no_memory;
    struct run_call asked = {result, options, name, text};
    struct work_outcome outcome = call_run(options, text.n, run_optimize, &asked);
    if (outcome.end != WORK_DONE) *result = (struct ptxopt_result){0};
    call_fail(&result->failure, &outcome, text);
    struct engine_run *run = &result->run;
    run->source.text = text;
    result->stats.input_bytes = text.n;
    result->stats.output_bytes = run->changed ? run->output.len : text.n;
    result->stats.peak_bytes = peak_resident_bytes();
    result->stats.memory_bytes = outcome.most_bytes;
    result->stats.linted = options->engine.lint;
    result->stats.optimized = options->engine.rules && !options->engine.fix;
    result->stats.parse_ns = run->parse_ns;
    result->stats.analysis_ns = run->analysis_ns;
    result->stats.check_ns = run->check_ns;
    return result;
}

void ptxopt_result_free(struct ptxopt_result *result)
{
    if (!result || result == &no_memory) return;
    vec_free(&result->findings);
    vec_free(&result->operations);
    vec_free(&result->insertions);
    engine_free(&result->run);
    mem_free(result);
}

enum ptxopt_status ptxopt_result_status(const struct ptxopt_result *result)
{
    if (result->failure.status) return result->failure.status;
    return result->run.bad_input ? PTXOPT_BAD_INPUT : PTXOPT_OK;
}

const char *ptxopt_result_message(const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    if (ptxopt_result_status(result) == PTXOPT_OK) return "";
    for (size_t i = 0; i < count; i++)
        if (findings[i].level == PTXOPT_ERROR) return findings[i].message;
    return "the text is not PTX";
}

bool ptxopt_result_changed(const struct ptxopt_result *result)
{
    return result->run.changed;
}

const char *ptxopt_result_input(const struct ptxopt_result *result, size_t *len)
{
    *len = result->run.source.text.n;
    return result->run.source.text.p;
}

const char *ptxopt_result_text(const struct ptxopt_result *result, size_t *len)
{
    const struct engine_run *run = &result->run;
    if (!run->changed) return ptxopt_result_input(result, len);
    *len = run->output.len;
    return run->output.data;
}

const char *ptxopt_result_certificate(const struct ptxopt_result *result, size_t *len)
{
    *len = result->run.certificate.n;
    return *len ? result->run.certificate.p : "";
}

const struct ptxopt_stats *ptxopt_result_stats(const struct ptxopt_result *result)
{
    return &result->stats;
}

const char *ptxopt_result_settings(const struct ptxopt_result *result)
{
    return result->settings ? result->settings : "";
}

const struct ptxopt_finding *ptxopt_result_findings(const struct ptxopt_result *result,
                                                    size_t *count)
{
    bool failed = result->failure.status;
    *count = failed ? 1 : result->findings.count;
    return failed ? &result->failure.finding : result->findings.at;
}

const struct ptxopt_operation *ptxopt_result_operations(const struct ptxopt_result *result,
                                                        size_t *count)
{
    *count = result->operations.count;
    return result->operations.at;
}

const struct ptxopt_insertion *ptxopt_result_insertions(const struct ptxopt_result *result,
                                                        size_t *count)
{
    *count = result->insertions.count;
    return result->insertions.at;
}

const struct ptxopt_finding *ptxopt_result_next(const struct ptxopt_result *result,
                                                enum ptxopt_kind kind,
                                                const struct ptxopt_finding *behind)
{
    size_t count;
    const struct ptxopt_finding *first = ptxopt_result_findings(result, &count);
    for (size_t i = behind ? (size_t)(behind - first) + 1 : 0; i < count; i++)
        if (first[i].kind == kind) return &first[i];
    return NULL;
}

size_t ptxopt_result_count(const struct ptxopt_result *result, enum ptxopt_kind kind)
{
    size_t count = 0;
    for (const struct ptxopt_finding *at = NULL; (at = ptxopt_result_next(result, kind, at));)
        count++;
    return count;
}

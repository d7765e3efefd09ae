/* Holds the verdict of the checker on two texts, as ptxopt.h describes. See verification.h. */
#include "api/verification.h"

#include "api/call.h"
#include "api/finding_parts.h"
#include "check/check.h"
#include "api/options.h"

struct ptxopt_verification {
    struct failure failure; /* if there is one, everything below is empty */
    struct arena arena;
    struct check_result result;
    struct VEC(struct ptxopt_checked) functions;
    struct finding_list findings;
};

static enum ptxopt_verdict public_verdict(enum check_verdict verdict)
{
    return verdict == CHECK_PROVEN    ? PTXOPT_PROVEN
           : verdict == CHECK_REFUSED ? PTXOPT_REFUSED
                                      : PTXOPT_CANNOT_TELL;
}

struct verify_call {
    struct ptxopt_verification *verification;
    const struct ptxopt_options *options;
    struct str before, after;
};

static void verification_add_unknown_version(struct ptxopt_verification *verification,
                                             struct str before)
{
    const struct check_result *result = &verification->result;
    if (!*result->unknown_version) return;
    struct source source;
    source_init(&source, &verification->arena, "", before);
    struct ptxopt_finding finding = finding_blank(PTXOPT_DIAGNOSTIC);
    finding.level = PTXOPT_WARNING;
    finding.code = "unknown-version";
    finding.message = result->unknown_version;
    finding_set_span(&finding, &source, finding_rest_of_line(&source, result->version.start));
    vec_push(&verification->findings, finding);
}

static void run_verify(void *context)
{
    const struct verify_call *asked = context;
    struct ptxopt_verification *verification = asked->verification;
    struct check_result *result = &verification->result;
    struct check_options options = options_for_checker(asked->options);
    check_run(&options, asked->before, asked->after, &verification->arena, result);
    for (uint32_t i = 0; i < result->function_count; i++) {
        const struct check_function *checked = &result->functions[i];
        const char *name = arena_copy(&verification->arena, checked->name.p, checked->name.n);
        vec_push(&verification->functions,
                 (struct ptxopt_checked){name, public_verdict(checked->verdict), checked->message,
                                         checked->path, checked->path_count, checked->deletions});
    }
    verification_add_unknown_version(verification, asked->before);
}

/* The result if there is no memory for a result. */
static const struct ptxopt_verification no_memory = {.failure = FAILURE_NO_MEMORY};

struct ptxopt_verification *verification_run(const struct ptxopt_options *options,
                                             struct str before, struct str after)
{
    struct ptxopt_verification *verification = mem_try_zalloc(sizeof *verification);
    if (!verification) return (struct ptxopt_verification *)&no_memory;
    struct verify_call asked = {verification, options, before, after};
    struct work_outcome outcome = call_run(options, before.n + after.n, run_verify, &asked);
    if (outcome.end != WORK_DONE) *verification = (struct ptxopt_verification){0};
    call_fail(&verification->failure, &outcome, before);
    return verification;
}

void ptxopt_verification_free(struct ptxopt_verification *verification)
{
    if (!verification || verification == &no_memory) return;
    vec_free(&verification->functions);
    vec_free(&verification->findings);
    arena_free(&verification->arena);
    mem_free(verification);
}

enum ptxopt_status ptxopt_verification_status(const struct ptxopt_verification *verification)
{
    return verification->failure.status;
}

enum ptxopt_verdict ptxopt_verification_verdict(const struct ptxopt_verification *verification)
{
    if (verification->failure.status) return PTXOPT_CANNOT_TELL;
    return public_verdict(verification->result.verdict);
}

const char *ptxopt_verification_message(const struct ptxopt_verification *verification)
{
    if (verification->failure.status) return verification->failure.finding.message;
    return verification->result.message ? verification->result.message : "";
}

const struct ptxopt_checked *
ptxopt_verification_functions(const struct ptxopt_verification *verification, size_t *n)
{
    *n = verification->functions.count;
    return verification->functions.at;
}

const struct ptxopt_finding *
ptxopt_verification_findings(const struct ptxopt_verification *verification, size_t *n)
{
    *n = verification->findings.count;
    return verification->findings.at;
}

const char *ptxopt_verification_certificate(const struct ptxopt_verification *verification,
                                            size_t *len)
{
    *len = verification->result.certificate.n;
    return *len ? verification->result.certificate.p : "";
}

/* The checker's verdict on two texts, as ptxopt.h shows it. */
#include "verification.h"

#include "base/mem.h"
#include "base/vec.h"

struct ptxopt_verification {
    struct arena arena;
    struct check_result result;
    struct VEC(struct ptxopt_checked) functions;
};

static enum ptxopt_verdict public_verdict(enum check_verdict verdict)
{
    return verdict == CHECK_PROVEN    ? PTXOPT_PROVEN
           : verdict == CHECK_REFUSED ? PTXOPT_REFUSED
                                      : PTXOPT_CANNOT_TELL;
}

struct ptxopt_verification *verification_run(const struct check_options *options,
                                             struct str before, struct str after)
{
    struct ptxopt_verification *verification = mem_zalloc(1, sizeof *verification);
    struct check_result *result = &verification->result;
    check_run(options, before, after, &verification->arena, result);
    for (uint32_t i = 0; i < result->function_count; i++) {
        const struct check_function *checked = &result->functions[i];
        const char *name = arena_copy(&verification->arena, checked->name.p, checked->name.n);
        vec_push(&verification->functions,
                 (struct ptxopt_checked){name, public_verdict(checked->verdict), checked->message,
                                         checked->path, checked->path_count, checked->deletions});
    }
    return verification;
}

void ptxopt_verification_free(struct ptxopt_verification *verification)
{
    if (!verification) return;
    vec_free(&verification->functions);
    arena_free(&verification->arena);
    mem_free(verification);
}

enum ptxopt_verdict ptxopt_verification_verdict(const struct ptxopt_verification *verification)
{
    return public_verdict(verification->result.verdict);
}

const char *ptxopt_verification_message(const struct ptxopt_verification *verification)
{
    return verification->result.message ? verification->result.message : "";
}

const struct ptxopt_checked *
ptxopt_verification_functions(const struct ptxopt_verification *verification, size_t *n)
{
    *n = verification->functions.count;
    return verification->functions.at;
}

const char *ptxopt_verification_certificate(const struct ptxopt_verification *verification,
                                            size_t *len)
{
    *len = verification->result.certificate.n;
    return *len ? verification->result.certificate.p : "";
}

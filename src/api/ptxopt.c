/* The public functions of libptxopt. See ptxopt.h. */
#include "api/ptxopt.h"

#include <stdio.h>

#include "api/call.h"
#include "base/build.h"
#include "engine/engine.h"
#include "api/options.h"
#include "api/result.h"
#include "api/verification.h"

const char *ptxopt_version(void)
{
    return PACKAGE_VERSION;
}

const char *ptxopt_build(void)
{
    return PTXOPT_BUILD;
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
#define PUBLIC(name, bit, on, summary, section, explanation)                                       \
    {name, on, summary, section, explanation},
    static const struct ptxopt_assumption assumptions[] = {ASSUMPTIONS(PUBLIC)};
#undef PUBLIC
    *count = sizeof assumptions / sizeof *assumptions;
    return assumptions;
}

/* The reasons for candidates, and those for functions that are not changed. */
const struct ptxopt_reason *ptxopt_reasons(size_t *count)
{
#define PUBLIC(name, word, clause, ahead, need, summary, explanation) {word, summary, explanation},
    static const struct ptxopt_reason reasons[] = {
        REASONS(PUBLIC){
            "unsupported", "the whole function is kept unchanged",
            "It has a tcgen05 instruction that is not known, more than one .cta_group, "
            "or control\nflow that cannot be followed. The finding says which, and where."},
        {"internal", "the checker could not prove the function's edits, so they were reverted",
         "The function is unchanged, and correct. This is an error of ptxopt: please report it."}};
#undef PUBLIC
    *count = sizeof reasons / sizeof *reasons;
    return reasons;
}

const struct ptxopt_lint_code *ptxopt_lint_codes(size_t *count)
{
#define PUBLIC(name)                                                                               \
    {lint_##name.id, lint_##name.summary, lint_##name.explanation, lint_##name.sentence,           \
     lint_##name.section},
    static const struct ptxopt_lint_code codes[] = {LINT_CODES(PUBLIC)};
#undef PUBLIC
    *count = sizeof codes / sizeof *codes;
    return codes;
}

/* An empty text may be NULL, as in an empty std::string_view. C11 does not define NULL + 0
 * (6.5.6). */
static struct str text_of_caller(const char *text, size_t len)
{
    return (struct str){len ? text : "", len};
}

struct ptxopt_result *ptxopt_run(const struct ptxopt_options *options, const char *name,
                                 const char *text, size_t len)
{
    return result_run(options, name, text_of_caller(text, len));
}

struct ptxopt_verification *ptxopt_verify(const struct ptxopt_options *options, const char *before,
                                          size_t before_len, const char *after, size_t after_len)
{
    return verification_run(options, text_of_caller(before, before_len),
                            text_of_caller(after, after_len));
}

struct dump_call {
    const struct ptxopt_options *options;
    const char *stage, *name;
    struct str text;
    struct buf out;
    bool known;
};

static void run_dump(void *context)
{
    struct dump_call *asked = context;
    asked->known =
        engine_dump(&asked->options->engine, asked->stage, asked->name, asked->text, &asked->out);
}

static char *dump_failure(const struct work_outcome *outcome, const char *name, size_t *out_len)
{
    char line[512];
    struct failure failure;
    call_fail(&failure, outcome, (struct str){"", 0});
    if (failure.status == PTXOPT_NO_MEMORY) return NULL;
    int len = snprintf(line, sizeof line, "%.128s:1:1: error: %s [%s]\n", name ? name : "",
                       failure.finding.message, failure.finding.code);
    *out_len = (size_t)len;
    return mem_export(line, *out_len);
}

char *ptxopt_dump(const struct ptxopt_options *options, const char *stage, const char *name,
                  const char *text, size_t len, size_t *out_len)
{
    struct dump_call asked = {
        .options = options, .stage = stage, .name = name, .text = text_of_caller(text, len)};
    struct work_outcome outcome = call_run(options, len, run_dump, &asked);
    if (outcome.end != WORK_DONE) return dump_failure(&outcome, name, out_len);
    char *out = asked.known ? mem_export(asked.out.data, asked.out.len) : NULL;
    *out_len = asked.out.len;
    buf_free(&asked.out);
    return out;
}

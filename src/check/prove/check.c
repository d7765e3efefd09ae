/* Checks that AFTER is a rewrite of BEFORE that no observer can distinguish. For each function in
 * order it reads the outline and the body, compares the texts, and makes a proof if a statement was
 * removed. See check.h. */
#include "check/check.h"

#include <inttypes.h>

#include "check/model/called.h"
#include "check/prove/certificate.h"
#include "check/prove/proof.h"
#include "check/read/diff.h"

uint32_t check_assume_effective(const struct check_options *options, uint32_t isa_major,
                                uint32_t isa_minor)
{
    return (check_assume_default(isa_major, isa_minor) | options->assume) & ~options->deny;
}

/* The state of one comparison of two texts. */
struct job {
    struct check_options options;
    struct arena *arena;
    struct outline outline;
    struct diff diff;
    uint32_t brace; /* see may_end */
    struct proof_text text;
    struct VEC(struct check_function) functions;
    struct buf out;
    struct certificate certificate;
    bool from_certificate, has_version; /* has_version: options has the ISA version to use */
    uint32_t assume;
    struct transfer_tables *tables;
};

/* Proves a function that was read, by search or by the certificate. */
static void prove_read_function(struct job *job, struct proof *proof,
                                const struct statement_sites *sites,
                                const struct transfer_tables *tables, struct check_function *out)
{
    if (!proof_prepare(proof, sites, tables, out)) return;
    if (job->from_certificate) {
        certificate_read_function(&job->certificate, proof, out->before);
        proof_test(proof, out);
    } else {
        proof_search(proof, job->options.certificate, out);
    }
}

/* Returns those assumptions in force without which the proof fails, each tried by itself. room:
 * value of body_text.room before the function was read for the first time. */
static uint32_t needed_assumptions(struct job *job, const struct outline_function *function,
                                   uint32_t room, const struct statement_sites *sites)
{
    uint32_t found = 0;
    for (uint32_t bit = 1; *check_assume_name(bit); bit <<= 1) {
        if (!(job->assume & bit)) continue;
        struct proof proof;
        struct check_function out = {.message = ""};
        struct transfer_tables *tables = transfer_tables(job->assume & ~bit);
        job->text.bodies.room = room;
        proof_read(&proof, &job->text, job->arena, function, job->assume & ~bit,
                   job->options.expects_values);
        prove_read_function(job, &proof, sites, tables, &out);
        if (out.verdict != CHECK_PROVEN) found |= bit;
        proof_free(&proof);
        mem_free(tables);
    }
    return found;
}

/* Proves the function in proof, from which `deletions` sites were removed, and appends the
 * result. */
static void prove_function(struct job *job, const struct outline_function *function, uint32_t room,
                           struct proof *proof, uint32_t deletions)
{
    const struct statement_sites *sites = &proof->program.sites;
    struct check_function out = {.before = {function->start, job->outline.pos},
                                 .deletions = deletions,
                                 .message = "",
                                 .name = source_slice(&job->text.source, function->name)};
    prove_read_function(job, proof, sites, job->tables, &out);
    if (job->options.certificate && out.verdict == CHECK_PROVEN && !job->from_certificate)
        certificate_function(&job->out, proof, &job->options, &out,
                             needed_assumptions(job, function, room, sites));
    if (out.verdict != CHECK_PROVEN || !job->options.faults_only) vec_push(&job->functions, out);
}

/* Checks the next function. Returns false if AFTER is not BEFORE with statements removed. */
static bool check_function(struct job *job, const struct outline_function *function)
{
    struct proof proof;
    uint32_t room = job->text.bodies.room, deletions = 0;
    job->outline.pos = proof_read(&proof, &job->text, job->arena, function, job->assume,
                                  job->options.expects_values);
    bool explained = diff_sites(&job->diff, &proof.program.sites);
    for (uint32_t i = 0; i < proof.program.sites.count; i++)
        deletions += proof.program.sites.at[i].deleted;
    if (explained && deletions && !job->certificate.other_format)
        prove_function(job, function, room, &proof, deletions);
    proof_free(&proof);
    return explained;
}

/* Whether the brace at `at` is the last line of a function as most texts write it: it is alone in
 * its line, and no indented line follows, as after the last brace of inline assembly. */
static bool ends_function(struct str text, uint32_t at)
{
    if (text.p[at] != '}' || text.p[at - 1] != '\n') return false;
    for (at++; at < text.n && (text.p[at] == '\n' || text.p[at] == '\r');) at++;
    return !token_class_at(text, at, TOKEN_CLASS_BLANK);
}

/* Whether the function may end before the first difference of the texts: there is no last line of a
 * function between the start of this one and job->brace. */
static bool may_end(struct job *job)
{
    struct str text = job->outline.text;
    uint32_t at = job->brace > job->outline.pos ? job->brace : job->outline.pos;
    while (at < job->diff.same && !ends_function(text, at)) {
        const char *brace = memchr(text.p + at + 1, '}', job->diff.same - at - 1);
        at = brace ? (uint32_t)(brace - text.p) : job->diff.same;
    }
    job->brace = at;
    return at < job->diff.same || at == text.n;
}

/* Skips a function that is equal in both texts, without reading it. Returns false if it may
 * differ. */
static bool pass_over_same(struct job *job)
{
    struct str equal = job->outline.text;
    if (job->diff.same < job->outline.pos || !may_end(job)) return false;
    if (job->diff.same < equal.n) equal.n = job->diff.same + 1;
    uint32_t end = outline_skip_braces(equal, job->outline.pos);
    if (end > job->diff.same) return false;
    job->outline.pos = end;
    return true;
}

/* Sets the assumptions and the tables for the ISA version that the text has stated so far. */
static void settle_version(struct job *job, struct str before, struct str after)
{
    if (job->tables) return;
    if (!job->has_version) {
        job->options.isa_major = job->outline.isa_major;
        job->options.isa_minor = job->outline.isa_minor;
    }
    job->assume =
        check_assume_effective(&job->options, job->options.isa_major, job->options.isa_minor);
    job->tables = transfer_tables(job->assume);
    if (job->from_certificate)
        certificate_read_header(&job->certificate, job->assume, before, after);
    else if (job->options.certificate)
        certificate_header(&job->out, &job->options, job->assume, before, after);
}

static void check_collect_verdicts(struct job *job, struct check_result *result)
{
    for (uint32_t i = 0; i < job->functions.count; i++) {
        const struct check_function *function = &job->functions.at[i];
        bool worse = function->verdict == CHECK_REFUSED ? result->verdict != CHECK_REFUSED
                                                        : function->verdict == CHECK_CANNOT_TELL &&
                                                              result->verdict == CHECK_PROVEN;
        if (!worse) continue;
        result->verdict = function->verdict;
        result->message = function->message;
    }
    size_t bytes = job->functions.count * sizeof *job->functions.at;
    if (bytes) {
        struct check_function *kept = arena_alloc(job->arena, bytes, 1);
        memcpy(kept, job->functions.at, bytes);
        result->functions = kept;
    }
    result->function_count = job->functions.count;
    if (result->verdict == CHECK_PROVEN && job->options.certificate)
        result->certificate =
            (struct str){arena_copy(job->arena, job->out.data, job->out.len), job->out.len};
}

/* Checks all functions in order. Returns false if AFTER is not BEFORE with statements removed. */
static bool check_functions(struct job *job, struct str before, struct str after)
{
    struct outline_function function;
    while (outline_next(&job->outline, &function)) {
        if (pass_over_same(job)) continue;
        settle_version(job, before, after);
        if (!check_function(job, &function)) return false;
    }
    settle_version(job, before, after);
    return diff_end(&job->diff);
}

static void job_release(struct job *job)
{
    vec_free(&job->functions);
    buf_free(&job->out);
    mem_free(job->tables);
    called_free(job->text.bodies.called);
    body_release(&job->text.bodies);
}

static void run_once(struct job *job, struct str before, struct str after,
                     struct check_result *result)
{
    source_init(&job->text.source, job->arena, "", before);
    body_begin(&job->text.bodies, before);
    job->text.bodies.ask_called = called_ask;
    diff_begin(&job->diff, before, after);
    job->outline.text = before;
    if (!check_functions(job, before, after)) {
        struct place place = source_place(&job->text.source, job->diff.fault_before);
        result->verdict = CHECK_REFUSED;
        result->message = arena_printf(job->arena, "line %u, column %u: the rewrite %s", place.line,
                                       place.column, job->diff.fault);
        return;
    }
    if (job->certificate.other_format) {
        result->verdict = CHECK_REFUSED;
        result->message = "the certificate is in the format of another version: write it again";
        return;
    }
    check_collect_verdicts(job, result);
    bool unread = job->certificate.broken || job->certificate.pos < job->certificate.text.n;
    if (unread && result->verdict == CHECK_PROVEN) {
        result->verdict = CHECK_REFUSED;
        result->message = "the certificate is for two other texts";
    }
}

static void warn_of_version(const struct job *job, struct check_result *result)
{
    uint32_t major = job->has_version ? job->options.isa_major : job->outline.isa_major;
    uint32_t minor = job->has_version ? job->options.isa_minor : job->outline.isa_minor;
    result->version = job->outline.version;
    if (check_assume_knows(major, minor)) return;
    result->unknown_version = arena_printf(job->arena,
                                           "PTX ISA %" PRIu32 ".%" PRIu32
                                           " is newer than %d.%d: only what all known versions "
                                           "guarantee is used (or --isa %d.%d)",
                                           major, minor, CHECK_NEWEST_MAJOR, CHECK_NEWEST_MINOR,
                                           CHECK_NEWEST_MAJOR, CHECK_NEWEST_MINOR);
}

/* Whether a .version after a function changed the ISA version. It counts for all functions, so
 * everything is checked again. */
static bool is_version_late(const struct job *job)
{
    return !job->has_version && (job->options.isa_major != job->outline.isa_major ||
                                 job->options.isa_minor != job->outline.isa_minor);
}

/* Runs one check. certificate: NULL to search for a proof. */
static void check_texts(struct check_options options, bool has_version,
                        const struct str *certificate, struct str before, struct str after,
                        struct arena *arena, struct check_result *result)
{
    struct job job = {.options = options, .arena = arena, .has_version = has_version};
    *result = (struct check_result){.message = "", .unknown_version = ""};
    if (before.n > SOURCE_MAX || after.n > SOURCE_MAX) {
        result->verdict = CHECK_CANNOT_TELL;
        result->message = "cannot tell: a text is too large";
        return;
    }
    job.from_certificate = certificate;
    if (certificate) job.certificate.text = *certificate;
    run_once(&job, before, after, result);
    job_release(&job);
    if (!is_version_late(&job)) {
        warn_of_version(&job, result);
        return;
    }
    options.isa_major = job.outline.isa_major;
    options.isa_minor = job.outline.isa_minor;
    check_texts(options, true, certificate, before, after, arena, result);
}

void check_run(const struct check_options *options, struct str before, struct str after,
               struct arena *arena, struct check_result *result)
{
    check_texts(*options, options->isa_major || options->isa_minor, NULL, before, after, arena,
                result);
}

void check_certificate(const struct check_options *options, struct str before, struct str after,
                       struct str certificate, struct arena *arena, struct check_result *result)
{
    check_texts(*options, options->isa_major || options->isa_minor, &certificate, before, after,
                arena, result);
}

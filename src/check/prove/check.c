/* Is AFTER a rewrite of BEFORE that nobody can tell apart? In a row: outline, diff, one proof for
 * each function that lost something. See check.h. */
#include "check/check.h"

#include "check/prove/certificate.h"
#include "check/prove/proof.h"
#include "check/read/diff.h"

uint32_t check_assume_effective(const struct check_options *options, uint32_t isa_major,
                                uint32_t isa_minor)
{
    return (check_assume_default(isa_major, isa_minor) | options->assume) & ~options->deny;
}

/* One run over two texts. */
struct job {
    struct check_options options;
    struct arena *arena;
    struct proof_text text;
    struct VEC(struct check_function) functions;
    struct buf out;
    struct certificate certificate;
    bool from_certificate;
    uint32_t assume;
    struct transfer_tables *tables;
};

static void prove(struct job *job, uint32_t index, uint32_t assume,
                  const struct transfer_tables *tables, struct proof *proof,
                  struct check_function *out)
{
    if (!proof_prepare(proof, &job->text, job->arena, index, assume, tables, out)) return;
    if (job->from_certificate) {
        certificate_read_function(&job->certificate, proof, out->before);
        proof_test(proof, out);
    } else {
        proof_search(proof, job->options.certificate, out);
    }
}

/* The assumptions in force, each of which the proof fails without. */
static uint32_t needs(struct job *job, uint32_t index)
{
    uint32_t found = 0;
    for (uint32_t bit = 1; *check_assume_name(bit); bit <<= 1) {
        if (!(job->assume & bit)) continue;
        struct proof proof;
        struct check_function out = {.message = ""};
        struct transfer_tables *tables = transfer_tables(job->assume & ~bit);
        prove(job, index, job->assume & ~bit, tables, &proof, &out);
        if (out.verdict != CHECK_PROVEN) found |= bit;
        proof_free(&proof);
        mem_free(tables);
    }
    return found;
}

static void check_one(struct job *job, uint32_t index, uint32_t deletions)
{
    const struct outline_function *function = &job->text.outline.functions.at[index];
    struct check_function out = {.before = function->whole,
                                 .deletions = deletions,
                                 .message = "",
                                 .name = source_slice(&job->text.source, function->name)};
    struct proof proof;
    prove(job, index, job->assume, job->tables, &proof, &out);
    if (job->options.certificate && out.verdict == CHECK_PROVEN && !job->from_certificate)
        certificate_function(&job->out, &proof, &job->options, &out, needs(job, index));
    proof_free(&proof);
    vec_push(&job->functions, out);
}

static void check_functions(struct job *job)
{
    uint32_t site = 0, count = job->text.outline.sites.count;
    while (site < count) {
        uint32_t index = job->text.outline.sites.at[site].function, deletions = 0;
        for (; site < count && job->text.outline.sites.at[site].function == index; site++)
            deletions += job->text.outline.sites.at[site].deleted;
        if (deletions) check_one(job, index, deletions);
    }
}

static void sum_up(struct job *job, struct check_result *result)
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

static void run(struct job *job, struct str before, struct str after, struct check_result *result)
{
    *result = (struct check_result){.message = ""};
    if (before.n > SOURCE_MAX || after.n > SOURCE_MAX) {
        result->verdict = CHECK_CANNOT_TELL;
        result->message = "cannot tell: a text is too big";
        return;
    }
    source_init(&job->text.source, job->arena, "", before);
    outline_read(&job->text.outline, before);
    if (!job->options.isa_major && !job->options.isa_minor) {
        job->options.isa_major = job->text.outline.isa_major;
        job->options.isa_minor = job->text.outline.isa_minor;
    }
    job->assume =
        check_assume_effective(&job->options, job->options.isa_major, job->options.isa_minor);
    struct diff_fault fault;
    if (!diff_align(before, after, &job->text.outline, &fault)) {
        struct place place = source_place(&job->text.source, fault.before);
        result->verdict = CHECK_REFUSED;
        result->message = arena_printf(job->arena, "line %u, column %u: the rewrite %s", place.line,
                                       place.column, fault.what);
        return;
    }
    job->tables = transfer_tables(job->assume);
    if (job->from_certificate)
        certificate_read_header(&job->certificate, job->assume, before, after);
    else if (job->options.certificate)
        certificate_header(&job->out, &job->options, job->assume, before, after);
    if (job->certificate.other_format) {
        result->verdict = CHECK_REFUSED;
        result->message = "the certificate is in the format of another version: write it anew";
        return;
    }
    check_functions(job);
    sum_up(job, result);
    bool unread = job->certificate.broken || job->certificate.pos < job->certificate.text.n;
    if (unread && result->verdict == CHECK_PROVEN) {
        result->verdict = CHECK_REFUSED;
        result->message = "the certificate is not one of these two texts";
    }
}

static void release(struct job *job)
{
    outline_free(&job->text.outline);
    vec_free(&job->functions);
    buf_free(&job->out);
    mem_free(job->tables);
}

void check_run(const struct check_options *options, struct str before, struct str after,
               struct arena *arena, struct check_result *result)
{
    struct job job = {.options = *options, .arena = arena};
    run(&job, before, after, result);
    release(&job);
}

void check_certificate(const struct check_options *options, struct str before, struct str after,
                       struct str certificate, struct arena *arena, struct check_result *result)
{
    struct job job = {.options = *options,
                      .arena = arena,
                      .from_certificate = true,
                      .certificate = {.text = certificate}};
    run(&job, before, after, result);
    release(&job);
}

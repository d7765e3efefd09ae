/* libptxopt: proves which tcgen05 fences and waits of a PTX text are redundant and deletes exactly
 * those. Text in, result out; the library opens no file, writes no global, never ends the process
 * and may be used from any number of threads. A call that does not come to its end (memory is out,
 * it was cancelled, we are wrong) frees what it had and says so. */
#ifndef PTXOPT_H
#define PTXOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "MAJOR.MINOR.PATCH", static. */
const char *ptxopt_version(void);

/* ---- what there is to choose from ---- */

/* One rewrite rule. All strings are static. */
struct ptxopt_rule {
    const char *id;          /* "wait-covered" */
    const char *deletes;     /* "tcgen05.wait::ld, tcgen05.wait::st" */
    const char *summary;     /* one line: when */
    const char *explanation; /* paragraphs: before/after, why it is sound, when it declines */
    const char *isa_section; /* "9.7.16.6.2.1.2" */
    bool advice;             /* only ever a remark, never an edit */
};

/* One named assumption of the proofs (see src/rules/README.md). All strings are static. */
struct ptxopt_assumption {
    const char *name; /* "register-dependency" */
    bool on_by_default;
    const char *summary;
    const char *isa_section;
};

/* The rules / assumptions as an array of *count entries, static. */
const struct ptxopt_rule *ptxopt_rules(size_t *count);
const struct ptxopt_assumption *ptxopt_assumptions(size_t *count);

/* ---- options ---- */

enum ptxopt_style {
    PTXOPT_BLANK,    /* keep the line count (default) */
    PTXOPT_ANNOTATE, /* leave a comment that names the rule */
    PTXOPT_SQUEEZE,  /* drop lines that a deletion emptied */
};

struct ptxopt_options;

/* Defaults: every rule, default assumptions, ISA of the file, PTXOPT_BLANK. Both return NULL when
 * memory is out. Calls only read options, so several at a time may share them. */
struct ptxopt_options *ptxopt_options_new(void);
struct ptxopt_options *ptxopt_options_copy(const struct ptxopt_options *options);
void ptxopt_options_free(struct ptxopt_options *options);

/* Each returns false and changes nothing when the value is not known. names: rule ids, comma
 * separated, "all" or "none"; set: "tcgen05" or "none"; isa: "MAJOR.MINOR", at least 8.6. */
bool ptxopt_options_set_rules(struct ptxopt_options *options, const char *names);
bool ptxopt_options_set_optimizations(struct ptxopt_options *options, const char *set);
bool ptxopt_options_assume(struct ptxopt_options *options, const char *name, bool on);
bool ptxopt_options_set_isa(struct ptxopt_options *options, const char *isa);
void ptxopt_options_set_style(struct ptxopt_options *options, enum ptxopt_style style);

/* Makes only the edits named so (any number of calls), or all but those named so. id: as in struct
 * ptxopt_edit, 12 lower-case hexadecimal digits; an id that no candidate has does nothing. If there
 * is no memory to keep an id in, every call with these options is PTXOPT_NO_MEMORY. */
bool ptxopt_options_only(struct ptxopt_options *options, const char *id);
bool ptxopt_options_skip(struct ptxopt_options *options, const char *id);

/* Also writes down the proof of a rewrite: see ptxopt_result_certificate. Off by default. */
void ptxopt_options_set_certificate(struct ptxopt_options *options, bool on);

/* Whether each edit also gets its ordering chain (see struct ptxopt_edit); off by default. */
void ptxopt_options_set_chains(struct ptxopt_options *options, bool on);

/* Largest accepted input in bytes; 1 to 2^30, the default 256 MiB. */
bool ptxopt_options_set_max_input(struct ptxopt_options *options, size_t bytes);

/* The most memory that one call may have in use at once, in bytes; 0 for no limit but the system's.
 * The default is 64 MiB and 128 bytes for each byte of its texts: about twice what the densest PTX
 * takes, so that only a text made to take more, or an error of ours, gets there. What takes more is
 * PTXOPT_BAD_INPUT; a text either always is at the same limit, or never. */
void ptxopt_options_set_max_memory(struct ptxopt_options *options, size_t bytes);

/* How a call is given up: cancelled(context) is asked by the thread that made the call, often
 * (after a few milliseconds of work or less; but once in a call libtree-sitter puts the whole tree
 * in order and asks nobody, some 30 ms for each MB of text, 150 ms for the worst), and once it is
 * true the call returns with PTXOPT_CANCELLED. It must be quick, and it must return: no longjmp, no
 * exception. It may call the library. NULL, the default, is never asked. When calls share options,
 * several threads ask at a time. */
void ptxopt_options_set_cancel(struct ptxopt_options *options, bool (*cancelled)(void *context),
                               void *context);

/* ---- running ---- */

/* In all but PTXOPT_OK the text is the input, nothing is changed, and the first diagnostic says
 * why. */
enum ptxopt_status {
    PTXOPT_OK,        /* the text is the input or a proven rewrite of it */
    PTXOPT_BAD_INPUT, /* not PTX, or over max_input or max_memory ("too-much-memory") */
    PTXOPT_NO_MEMORY, /* the system has no more ("no-memory") */
    PTXOPT_CANCELLED, /* by set_cancel ("cancelled") */
    PTXOPT_INTERNAL,  /* we are wrong ("internal"): the message is what to report */
};

enum ptxopt_level { PTXOPT_ERROR, PTXOPT_WARNING, PTXOPT_REMARK };

/* Lines and columns are 1-based, columns in bytes; spans are byte offsets into the input. */
struct ptxopt_diagnostic {
    enum ptxopt_level level;
    uint32_t line, column;
    const char *code, *message;
};

/* A line that takes part in an ordering chain, and the part it has. */
struct ptxopt_step {
    uint32_t line;
    const char *part; /* "issued before", "deleted", … */
};

/* A deletion that was made. */
struct ptxopt_edit {
    const char *id; /* stable: function, text and surroundings; 12 hexadecimal digits */
    const char *rule, *function, *text;
    uint32_t line, column, start, end;
    const char *source_file; /* the CUDA source by .file and .loc; "" without them */
    uint32_t source_line;    /* 0 without them */
    const char *isa_section;
    const char *assumptions; /* names, comma separated; "" for none */
    const char *why;         /* one sentence that names the instructions it rests on */
    uint32_t witness_line;   /* the instruction that makes it redundant; 0 when it is the entry */
    /* What is ordered and by what instead, in this order; none without set_chains. At most a few of
     * the operations are named, the nearest; more_operations counts the others. */
    const struct ptxopt_step *chain;
    uint32_t chain_count, more_operations;
};

/* A candidate that stays, with the rule that came nearest. */
struct ptxopt_kept {
    const char *id; /* as of an edit */
    const char *rule, *function, *text;
    uint32_t line, column, start, end;
    const char *source_file;
    uint32_t source_line;
    const char *reason;    /* the stable word */
    const char *why;       /* one sentence */
    uint32_t witness_line; /* the instruction that needs it; 0 for none */
};

/* Why one rule declined one candidate (all rules, for tests and --dump=plan). */
struct ptxopt_decline {
    const char *rule, *reason;
    uint32_t line, witness_line;
};

/* Advice: something only the author may change. */
struct ptxopt_advice {
    const char *rule, *function, *why;
    uint32_t line, column;
};

/* A function that was left as it is, whole. */
struct ptxopt_skipped {
    const char *function, *reason, *why;
    uint32_t line, column;
};

struct ptxopt_stats {
    size_t input_bytes, output_bytes;
    size_t peak_bytes; /* largest resident set of the process so far */
    uint32_t functions, instructions, tcgen05, candidates, deleted;
    uint64_t parse_ns, analysis_ns, check_ns; /* wall clock */
    size_t memory_bytes; /* most that the call had in use at once: what max_memory limits */
};

struct ptxopt_result;

/* Optimizes text[0..len), which is only read and must outlive the result. name is used in messages.
 * Never NULL. If there is no memory even to say so, the result is a constant, PTXOPT_NO_MEMORY with
 * its diagnostic, which knows no text: NULL and 0. */
struct ptxopt_result *ptxopt_run(const struct ptxopt_options *options, const char *name,
                                 const char *text, size_t len);
void ptxopt_result_free(struct ptxopt_result *result);

/* What the accessors return is owned by the result; arrays are in order of place. */
enum ptxopt_status ptxopt_result_status(const struct ptxopt_result *result);
bool ptxopt_result_changed(const struct ptxopt_result *result);
const char *ptxopt_result_text(const struct ptxopt_result *result, size_t *len);
/* The proof, a text that ptxopt-verify --certificate takes (format: src/check/proof.h); empty when
 * it was not asked for or the input was bad. */
const char *ptxopt_result_certificate(const struct ptxopt_result *result, size_t *len);
const struct ptxopt_diagnostic *ptxopt_result_diagnostics(const struct ptxopt_result *, size_t *n);
const struct ptxopt_edit *ptxopt_result_edits(const struct ptxopt_result *, size_t *n);
const struct ptxopt_kept *ptxopt_result_kept(const struct ptxopt_result *, size_t *n);
const struct ptxopt_decline *ptxopt_result_declines(const struct ptxopt_result *, size_t *n);
const struct ptxopt_advice *ptxopt_result_advice(const struct ptxopt_result *, size_t *n);
const struct ptxopt_skipped *ptxopt_result_skipped(const struct ptxopt_result *, size_t *n);
const struct ptxopt_stats *ptxopt_result_stats(const struct ptxopt_result *result);

/* ---- verifying ---- */

enum ptxopt_verdict { PTXOPT_PROVEN, PTXOPT_REFUSED, PTXOPT_CANNOT_TELL };

/* One function that lost at least one statement. */
struct ptxopt_checked {
    const char *function;
    enum ptxopt_verdict verdict;
    const char *message;  /* where, what, what was expected; "" when proven */
    const uint32_t *path; /* lines of before in the order of execution; may be empty */
    uint32_t path_count, deletions;
};

struct ptxopt_verification;

/* Is after[0..after_len) the text before[0..before_len) less redundant synchronisation? What
 * ptxopt-verify says, by the independent checker that ptxopt_run asks, too. Of the options the
 * assumptions, the ISA, the certificate, max_memory and set_cancel count. Both texts are only read
 * and must outlive the verification. Never NULL. */
struct ptxopt_verification *ptxopt_verify(const struct ptxopt_options *options, const char *before,
                                          size_t before_len, const char *after, size_t after_len);
void ptxopt_verification_free(struct ptxopt_verification *verification);

/* PTXOPT_OK when it came to a verdict. Else that is cannot-tell, the message says why, and there
 * are no functions. */
enum ptxopt_status ptxopt_verification_status(const struct ptxopt_verification *verification);
/* Refused if any function is, else cannot-tell if any is. */
enum ptxopt_verdict ptxopt_verification_verdict(const struct ptxopt_verification *verification);
/* Of the first function that is not proven, or what else the texts differ in; "" when proven. */
const char *ptxopt_verification_message(const struct ptxopt_verification *verification);
const struct ptxopt_checked *ptxopt_verification_functions(const struct ptxopt_verification *,
                                                           size_t *n);
/* As ptxopt_result_certificate. */
const char *ptxopt_verification_certificate(const struct ptxopt_verification *, size_t *len);

/* ---- looking inside ---- */

/* A stage of the analysis as text (mem: free() it); stage: cst, view, cfg, facts or plan. NULL when
 * the stage is not known or memory is out; a text that is not PTX, and a call that was cancelled or
 * came to a limit, give their diagnostics instead. */
char *ptxopt_dump(const struct ptxopt_options *options, const char *stage, const char *name,
                  const char *text, size_t len, size_t *out_len);

#ifdef __cplusplus
}
#endif

#endif

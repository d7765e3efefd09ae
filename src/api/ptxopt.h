/* libptxopt proves which tcgen05 waits and fences of a PTX text are redundant, and removes these.
 * The result is a new text and a list of findings, which say what was done at each place, and why.
 *
 * Threads: the library opens no files and has no mutable global state. Any number of threads may
 * call it, and may share options and results that no thread changes.
 *
 * Ownership: a new struct ptxopt_… that a function returns belongs to the caller, who frees it with
 * the function ptxopt_…_free. All other pointers, and all strings, belong to the object from which
 * they were obtained, and are valid as long as that object. Input texts are only read, and must
 * exist as long as the objects that were made from them.
 *
 * Errors: a call never ends the process. A call that does not complete (out of memory, cancelled,
 * internal error) frees its memory, changes nothing, and returns a status and a message.
 *
 * Strings are NUL-terminated and never NULL; "" means none. They contain bytes of the input
 * unchanged. Lines and columns count from 1; columns and offsets are in bytes. */
#ifndef PTXOPT_H
#define PTXOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ignoring the result would be a leak, or an undetected error. */
#if defined(__GNUC__) || defined(__clang__)
#define PTXOPT_MUST_USE __attribute__((warn_unused_result))
#else
#define PTXOPT_MUST_USE
#endif

/* The version of this header; ptxopt_version gives that of the library at run time. */
#define PTXOPT_VERSION_MAJOR 0
#define PTXOPT_VERSION_MINOR 1
#define PTXOPT_VERSION_PATCH 0
#define PTXOPT_VERSION                                                                             \
    (PTXOPT_VERSION_MAJOR * 10000 + PTXOPT_VERSION_MINOR * 100 + PTXOPT_VERSION_PATCH)

/* The version of the library, "MAJOR.MINOR.PATCH". Static. */
const char *ptxopt_version(void);

/* Identifies the build, for keys of caches: eight hexadecimal digits, a digest of the sources that
 * determine the output (rules, checker, options). Static. */
const char *ptxopt_build(void);

/* ---- rules, assumptions, reasons and codes ---- */

/* A rewrite rule. All strings are static. */
struct ptxopt_rule {
    const char *id;          /* such as "wait-covered" */
    const char *deletes;     /* such as "tcgen05.wait::ld, tcgen05.wait::st" */
    const char *summary;     /* one line: when it applies */
    const char *explanation; /* paragraphs: before and after, why it is sound, when it declines */
    const char *isa_section; /* such as "9.7.16.6.2.1.2" */
    bool advice;             /* it only advises, and never removes anything */
};

/* An assumption of the proofs, beyond the text of the ISA. All strings are static. */
struct ptxopt_assumption {
    const char *name; /* such as "register-dependency" */
    bool on_by_default;
    const char *summary;
    const char *isa_section;
    const char *explanation; /* a paragraph: arguments for and against it, rules that use it */
};

/* A reason why a candidate, or a whole function, is kept. All strings are static. */
struct ptxopt_reason {
    const char *word;        /* such as "release": see struct ptxopt_finding */
    const char *summary;     /* why it is kept, in a few words */
    const char *explanation; /* a paragraph: what the reason means, and what the author can do */
};

/* A code of lint, which is a kind of hazard. All strings are static. */
struct ptxopt_lint_code {
    const char *id;          /* such as "published-incomplete" */
    const char *summary;     /* one line: what is wrong on some path */
    const char *explanation; /* paragraphs: broken and correct text, what is not reported */
    const char *sentence;    /* a quotation from the ISA */
    const char *isa_section;
};

/* Each returns a static array and sets *count to its length. */
const struct ptxopt_rule *ptxopt_rules(size_t *count);
const struct ptxopt_assumption *ptxopt_assumptions(size_t *count);
const struct ptxopt_reason *ptxopt_reasons(size_t *count);
const struct ptxopt_lint_code *ptxopt_lint_codes(size_t *count);

/* ---- options ---- */

enum ptxopt_style {
    PTXOPT_BLANK,    /* keeps the number of lines (default) */
    PTXOPT_ANNOTATE, /* leaves a comment: rule, id of the removal, removed text */
    PTXOPT_SQUEEZE,  /* drops lines that are empty after a removal */
};

/* Which part of a text must be PTX. */
enum ptxopt_parse {
    PTXOPT_PARSE_SHAPES, /* what the rules examine (default). A text without the words tcgen05 and
                            .proxy has nothing for the rules and is passed on unchanged. It is then
                            not parsed, unless lint is on; but its first word must be .version. */
    PTXOPT_PARSE_FULL,   /* all of it, as ptxas defines PTX; else PTXOPT_BAD_INPUT */
    PTXOPT_PARSE_TREE, /* all of it, as the grammar tree-sitter-ptx defines PTX, which also accepts
                          fragments, and words of future versions */
};

/* PTXOPT_ERROR: the input is not PTX, or a proven hazard. PTXOPT_WARNING: ptxopt failed, or
 * something is suspicious. PTXOPT_NOTE: a hazard that works with present compilers. PTXOPT_REMARK:
 * everything else. */
enum ptxopt_level { PTXOPT_ERROR, PTXOPT_WARNING, PTXOPT_REMARK, PTXOPT_NOTE };

struct ptxopt_options;

/* The defaults are: every rule, the default assumptions, the ISA version of the file, PTXOPT_BLANK,
 * PTXOPT_PARSE_SHAPES. Both functions return NULL if memory runs out. Runs only read the options,
 * so several runs may share them. */
PTXOPT_MUST_USE struct ptxopt_options *ptxopt_options_new(void);
PTXOPT_MUST_USE struct ptxopt_options *ptxopt_options_copy(const struct ptxopt_options *options);
void ptxopt_options_free(struct ptxopt_options *options);

/* Each returns false and changes nothing if the value is unknown. names: ids of rules, separated by
 * commas, "all" or "none". set: "tcgen05" or "none". isa: "MAJOR.MINOR", at least 8.6; for an
 * unknown version, only what all known versions guarantee is used. */
PTXOPT_MUST_USE bool ptxopt_options_set_rules(struct ptxopt_options *options, const char *names);
PTXOPT_MUST_USE bool ptxopt_options_set_optimizations(struct ptxopt_options *options,
                                                      const char *set);
PTXOPT_MUST_USE bool ptxopt_options_assume(struct ptxopt_options *options, const char *name,
                                           bool on);
PTXOPT_MUST_USE bool ptxopt_options_set_isa(struct ptxopt_options *options, const char *isa);
void ptxopt_options_set_style(struct ptxopt_options *options, enum ptxopt_style style);
void ptxopt_options_set_parse(struct ptxopt_options *options, enum ptxopt_parse parse);

/* Each adds an id: only removals with ids given to ptxopt_options_only are made (if there are any),
 * and none with ids given to ptxopt_options_skip. id: as in struct ptxopt_finding, 12 lower-case
 * hexadecimal digits; false for any other text. An id without a candidate has no effect. If there
 * is no memory to store an id, every call with these options has the status PTXOPT_NO_MEMORY. */
PTXOPT_MUST_USE bool ptxopt_options_only(struct ptxopt_options *options, const char *id);
PTXOPT_MUST_USE bool ptxopt_options_skip(struct ptxopt_options *options, const char *id);

/* As ptxopt_options_skip, for a removal that would cost too much in compiled code. If nothing else
 * prevents the removal, the finding has the reason "registers", and why, which is copied, completes
 * its message "kept because". */
PTXOPT_MUST_USE bool ptxopt_options_give_up(struct ptxopt_options *options, const char *id,
                                            const char *why);

/* Whether the result also has the proof: see ptxopt_result_certificate. Off by default. */
void ptxopt_options_set_certificate(struct ptxopt_options *options, bool on);

/* Whether the result has findings of level PTXOPT_REMARK: removals, kept candidates, advice. On by
 * default. Off saves time if only the text is needed; the statistics count them nevertheless. */
void ptxopt_options_set_remarks(struct ptxopt_options *options, bool on);

/* Whether each removal also has its steps (see struct ptxopt_finding), and a message that says who
 * reads the loaded registers, who needs them complete, and whether other paths depend on other
 * instructions; and whether there are ptxopt_result_operations. Off by default. */
void ptxopt_options_set_steps(struct ptxopt_options *options, bool on);

/* Whether each removal also has an estimate, from the text alone, of the registers that may be live
 * with it. Off by default. The estimate takes about as long as the rest of the analysis. */
void ptxopt_options_set_estimates(struct ptxopt_options *options, bool on);

/* ptxopt_options_set_lint: whether to run lint as well, which adds findings PTXOPT_HAZARD and
 * changes nothing. Off by default. ptxopt_options_set_lint_level: the lowest level to report,
 * PTXOPT_ERROR, PTXOPT_WARNING (default) or PTXOPT_NOTE; false for any other. If lint would take
 * too long in a function, some codes are not run there, and a PTXOPT_DIAGNOSTIC "lint-gave-up" of
 * level PTXOPT_WARNING says so, whatever the lowest level is. Codes that search only a part of a
 * function are named by a "lint-gave-up" of level PTXOPT_NOTE. */
void ptxopt_options_set_lint(struct ptxopt_options *options, bool on);
PTXOPT_MUST_USE bool ptxopt_options_set_lint_level(struct ptxopt_options *options,
                                                   enum ptxopt_level least);

/* Whether the output is the input with insertions that fix the reported hazards, where the fix is
 * one instruction at one place. Off by default. Requires set_lint; nothing is removed then,
 * whatever the rules. Each insertion is a line of its own. The text with all insertions has been
 * examined: lint no longer reports what is fixed, and the optimizer removes none of them.
 * ptxopt_options_only and ptxopt_options_skip then select hazards. */
void ptxopt_options_set_fix(struct ptxopt_options *options, bool on);

/* Accepts the finding with that id. A hazard becomes PTXOPT_SUPPRESSED. A removal is made
 * nevertheless, with the reason "baseline". Can be called any number of times; otherwise as
 * ptxopt_options_only. */
PTXOPT_MUST_USE bool ptxopt_options_accept(struct ptxopt_options *options, const char *id);

/* The largest accepted input in bytes, 1 to 2^30. Default: 256 MiB. False if out of range. */
PTXOPT_MUST_USE bool ptxopt_options_set_max_input(struct ptxopt_options *options, size_t bytes);

/* The most memory that one call may use at any time, in bytes; 0: no limit except that of the
 * system. Default: 64 MiB and 128 bytes for each byte of the texts, which is about twice what the
 * densest PTX needs; only a malicious text, or an error of ptxopt, needs more. A call that needs
 * more has the status PTXOPT_BAD_INPUT. Whether a text does is the same in every run with the same
 * limit. */
void ptxopt_options_set_max_memory(struct ptxopt_options *options, size_t bytes);

/* The number of threads, including the caller's, that may work on one text, 1 (default) to 64;
 * false if out of range. The result is the same for any number. The threads end with the call. */
PTXOPT_MUST_USE bool ptxopt_options_set_threads(struct ptxopt_options *options, unsigned threads);

/* How a call is cancelled. The thread that made the call calls cancelled(context) often, and when
 * it returns true, the call returns with PTXOPT_CANCELLED. The interval is at most a few
 * milliseconds, except that once in each call libtree-sitter balances the whole tree without
 * interruption, which takes about 30 ms for each MB of text, 150 ms for the worst text. The
 * function must be quick and must return: no longjmp and no exception. It may call the library.
 * NULL (default): never called. If calls share options, or several threads work on a text, several
 * threads call it at the same time. */
void ptxopt_options_set_cancel(struct ptxopt_options *options, bool (*cancelled)(void *context),
                               void *context);

/* Sets a callback for the progress of ptxopt_run. progress(context, bytes) is called after each
 * function; bytes is the length of the text that was read and analysed since the previous call. The
 * sum is the length of the text, or more if a part was read again; the proof of the output is not
 * counted. The callback must be quick, must return, and must not call the library. NULL, the
 * default, is never called. If calls share options, or several threads work on a text, several
 * threads call it in parallel. */
void ptxopt_options_set_progress(struct ptxopt_options *options,
                                 void (*progress)(void *context, size_t bytes), void *context);

/* ---- running ---- */

/* For all but PTXOPT_OK, the output is the input, nothing is changed, and the first diagnostic says
 * why. */
enum ptxopt_status {
    PTXOPT_OK,        /* the output is the input, or a proven rewrite of it */
    PTXOPT_BAD_INPUT, /* not PTX (see set_parse), or over max_input or max_memory
                         ("too-much-memory") */
    PTXOPT_NO_MEMORY, /* the system has no more memory ("no-memory") */
    PTXOPT_CANCELLED, /* by set_cancel ("cancelled") */
    PTXOPT_INTERNAL,  /* internal error ("internal"): please report the message */
};

/* What a finding is about. */
enum ptxopt_kind {
    PTXOPT_DELETED,    /* a candidate that is removed */
    PTXOPT_KEPT,       /* a candidate that is kept */
    PTXOPT_ADVICE,     /* a change that only the author can make */
    PTXOPT_SKIPPED,    /* a function that is not changed at all */
    PTXOPT_DIAGNOSTIC, /* about the input */
    PTXOPT_HAZARD,     /* synchronisation that is missing, or does nothing: see set_lint */
    PTXOPT_SUPPRESSED, /* a hazard that a comment in the text or ptxopt_options_accept accepts */
    PTXOPT_KINDS
};

/* A place in the CUDA source, from .file and .loc. */
struct ptxopt_origin {
    const char *file;
    uint32_t line, column; /* column 0: not known */
};

/* A line on which the argument of a finding depends, and the part of its instruction in it. */
struct ptxopt_step {
    uint32_t line;
    const char *part;            /* such as "issued before, must stay ordered" */
    struct ptxopt_origin origin; /* of the outermost call site; line 0: not known or, except for
                                    PTXOPT_HAZARD, not requested (set_steps) */
};

/* Why one rule does not remove a candidate. */
struct ptxopt_decline {
    const char *rule, *reason;
    uint32_t witness_line; /* as in struct ptxopt_finding */
};

/* An estimate of live 32-bit registers; both 0: there is none. */
struct ptxopt_estimate {
    uint32_t before, after; /* without removals, and with all of them */
};

/* A line that is inserted. */
struct ptxopt_insertion {
    uint32_t at;      /* offset in the input of the line before which it is inserted */
    uint32_t line;    /* number of that line in the input */
    const char *text; /* the inserted line with its line end */
};

/* A finding about one place. */
struct ptxopt_finding {
    enum ptxopt_kind kind;
    enum ptxopt_level level;
    const char *code; /* the rule or code; for PTXOPT_SKIPPED and PTXOPT_DIAGNOSTIC a stable word */
    const char *id;   /* for candidates and hazards 12 digits, computed from function, text and
                         surroundings */
    const char *reason; /* for PTXOPT_KEPT why it is kept, a stable word; for an accepted finding
                           "comment" or "baseline" */
    const char *function, *text; /* text: the instruction with its guard */
    const char *brief;   /* why, in at most 96 bytes; "" for PTXOPT_SKIPPED and PTXOPT_DIAGNOSTIC,
                            whose message is short */
    const char *message; /* one sentence that names the instructions that decide */
    const char *isa_section; /* of the PTX ISA, with the sentence on which the argument depends */
    const char *assumptions; /* that a removal needs: names, separated by commas */
    uint32_t start, end;     /* offsets in the input, the end exclusive */
    uint32_t line, column, end_line, end_column;
    /* The place in the CUDA source: the line of the instruction, then the calls at which it was
     * inlined, innermost first. */
    const struct ptxopt_origin *origins;
    uint32_t origin_count;
    uint32_t witness_line; /* of the instruction that decides; 0: none, or the entry */
    /* What is ordered, and what orders it instead, in this order; for a removal only with
     * set_steps. Only the nearest operations are named; more_operations counts the others. */
    const struct ptxopt_step *steps;
    uint32_t step_count, more_operations;
    /* For PTXOPT_KEPT: every rule that was run, with its last verdict. */
    const struct ptxopt_decline *declines;
    uint32_t decline_count;
    /* For PTXOPT_DELETED, the edit: the replacement of [replaced_start, replaced_end), which
     * includes blanks around the instruction that would otherwise be at the end of a line. NULL:
     * none. */
    const char *replacement;
    uint32_t replaced_start, replaced_end;
    int32_t shift; /* for PTXOPT_DELETED: added to an offset on a later line of the input, it gives
                      the offset in the output */
    /* For PTXOPT_HAZARD and PTXOPT_SUPPRESSED: the sentence of the ISA, what can go wrong, what to
     * write; otherwise "". Their steps are the path from the first instruction to the second, in
     * the order of execution. */
    const char *sentence, *risk, *fix;
    const char *justification; /* for what a comment accepts or keeps: the justification in the
                                  comment, or "" */
    /* For PTXOPT_DELETED, with set_estimates: live after the load of tensor memory that follows a
     * wait::ld, and the highest number in the function. The estimate assumes that ptxas then issues
     * the loads back to back, before their uses. It is not the number of registers that ptxas
     * allocates. */
    struct ptxopt_estimate live, most_live;
    /* For PTXOPT_HAZARD, with set_fix: the insertions that fix it; more than one if the hazard
     * appears at another place after the first insertion. Two hazards may share an insertion.
     * not_fixed: why there is none; "" without set_fix. */
    const struct ptxopt_insertion *insertions;
    uint32_t insertion_count;
    const char *not_fixed;
};

struct ptxopt_stats {
    size_t input_bytes, output_bytes;
    size_t peak_bytes; /* largest resident set of the process so far */
    /* 0 if the text was passed on without parsing (see set_parse). */
    uint32_t functions, instructions, tcgen05, candidates, deleted;
    uint64_t parse_ns, analysis_ns, check_ns; /* wall-clock time in nanoseconds */
    size_t memory_bytes;    /* the most that the call used at any time: limited by max_memory */
    bool linted, optimized; /* set_lint was on; some rule was on */
    /* Lint: functions that it examined, and findings below the level of set_lint_level. */
    uint32_t examined, hidden_warnings, hidden_notes;
};

struct ptxopt_result;

/* Optimizes text[0..len). name: the name of the text in messages. Never returns NULL. If there is
 * no memory even for the result, it is a constant with the status PTXOPT_NO_MEMORY and its
 * diagnostic; its texts are NULL with length 0. */
PTXOPT_MUST_USE struct ptxopt_result *ptxopt_run(const struct ptxopt_options *options,
                                                 const char *name, const char *text, size_t len);
void ptxopt_result_free(struct ptxopt_result *result);

enum ptxopt_status ptxopt_result_status(const struct ptxopt_result *result);
/* The message of the first error, which says why the status is not PTXOPT_OK; "" for PTXOPT_OK. */
const char *ptxopt_result_message(const struct ptxopt_result *result);
bool ptxopt_result_changed(const struct ptxopt_result *result);
/* The input and the output: the bytes of the caller, or new ones with a NUL after them. *len: their
 * number. */
const char *ptxopt_result_input(const struct ptxopt_result *result, size_t *len);
const char *ptxopt_result_text(const struct ptxopt_result *result, size_t *len);
/* The proof, a text for ptxopt-verify --certificate (format: src/check/prove/certificate.h); empty
 * if it was not requested or the input was bad. */
const char *ptxopt_result_certificate(const struct ptxopt_result *result, size_t *len);
const struct ptxopt_stats *ptxopt_result_stats(const struct ptxopt_result *result);
/* The settings with which the text was judged, for people: "all rules, PTX ISA 9.0, assumes
 * commit-fences, …"; "" if it was not judged. */
const char *ptxopt_result_settings(const struct ptxopt_result *result);

/* All findings, an array of *count in the order of their places. */
const struct ptxopt_finding *ptxopt_result_findings(const struct ptxopt_result *result,
                                                    size_t *count);
/* The first finding of that kind after the finding `behind`, or the first of all if it is NULL;
 * NULL: there is none. */
const struct ptxopt_finding *ptxopt_result_next(const struct ptxopt_result *result,
                                                enum ptxopt_kind kind,
                                                const struct ptxopt_finding *behind);
size_t ptxopt_result_count(const struct ptxopt_result *result, enum ptxopt_kind kind);

/* All inserted lines, each once, an array of *count in the order of their places. Empty without
 * set_fix. */
const struct ptxopt_insertion *ptxopt_result_insertions(const struct ptxopt_result *result,
                                                        size_t *count);

/* How an instruction affects the order of others. */
enum ptxopt_operation_kind {
    PTXOPT_LOAD,  /* tcgen05.ld */
    PTXOPT_STORE, /* tcgen05.st */
    PTXOPT_PIPE,  /* tcgen05.mma, cp, shift: asynchronous operations that a commit tracks */
    PTXOPT_WAIT_LOAD,
    PTXOPT_WAIT_STORE,
    PTXOPT_FENCE,  /* of tcgen05 */
    PTXOPT_COMMIT, /* makes an mbarrier track the operations of PTXOPT_PIPE */
    PTXOPT_SYNC,   /* signals or waits for another thread: barriers, arrivals, fences, atomics */
    PTXOPT_LEAVE   /* call, return, exit, allocation */
};

/* An instruction of the input with such an effect. */
struct ptxopt_operation {
    enum ptxopt_operation_kind kind;
    const char *function;
    uint32_t start, end, line; /* including its guard */
};

/* All operations of the functions that were judged, an array of *count in the order of their
 * places. Empty without set_steps. */
const struct ptxopt_operation *ptxopt_result_operations(const struct ptxopt_result *result,
                                                        size_t *count);

/* ---- reports ---- */

/* A report format. Strings are static. */
struct ptxopt_report_format {
    const char *name;    /* such as "sarif" */
    const char *summary; /* what it is, and which programs read it */
};

/* The formats, a static array of *count. */
const struct ptxopt_report_format *ptxopt_report_formats(size_t *count);

/* The result as a report in that format. path: the name of the text in the report. Returns *len
 * bytes and a NUL, for free(). NULL if the format is unknown, the report has more than 256 MiB, or
 * memory runs out. */
PTXOPT_MUST_USE char *ptxopt_report(const struct ptxopt_result *result, const char *format,
                                    const char *path, size_t *len);

/* ---- verification ---- */

enum ptxopt_verdict { PTXOPT_PROVEN, PTXOPT_REFUSED, PTXOPT_CANNOT_TELL };

/* A function that lost at least one statement. */
struct ptxopt_checked {
    const char *function;
    enum ptxopt_verdict verdict;
    const char *message;  /* where, what, and what was expected; "" if proven */
    const uint32_t *path; /* lines of the text before, in the order of execution; may be empty */
    uint32_t path_count, deletions;
};

struct ptxopt_verification;

/* Checks that after[0..after_len) is before[0..before_len) without redundant synchronisation, as
 * ptxopt-verify does. It is done by the independent checker that ptxopt_run also uses. Of the
 * options, the assumptions, the ISA, the certificate, max_memory and set_cancel are used. Both
 * texts are only read, and must exist as long as the verification. Never returns NULL. */
PTXOPT_MUST_USE struct ptxopt_verification *ptxopt_verify(const struct ptxopt_options *options,
                                                          const char *before, size_t before_len,
                                                          const char *after, size_t after_len);
void ptxopt_verification_free(struct ptxopt_verification *verification);

/* PTXOPT_OK if there is a verdict. Otherwise the verdict is PTXOPT_CANNOT_TELL, the message says
 * why, and there are no functions. */
enum ptxopt_status ptxopt_verification_status(const struct ptxopt_verification *verification);
/* PTXOPT_REFUSED if any function is refused, otherwise PTXOPT_CANNOT_TELL if any cannot be
 * decided. */
enum ptxopt_verdict ptxopt_verification_verdict(const struct ptxopt_verification *verification);
/* About the first function that is not proven, or another difference of the texts; "" if proven. */
const char *ptxopt_verification_message(const struct ptxopt_verification *verification);
const struct ptxopt_checked *ptxopt_verification_functions(const struct ptxopt_verification *,
                                                           size_t *n);
/* Warnings about the text before, of the kind PTXOPT_DIAGNOSTIC: its version of the PTX ISA is
 * unknown. */
const struct ptxopt_finding *ptxopt_verification_findings(const struct ptxopt_verification *,
                                                          size_t *n);
/* As ptxopt_result_certificate. */
const char *ptxopt_verification_certificate(const struct ptxopt_verification *, size_t *len);

/* ---- internal stages ---- */

/* A stage of the analysis as text, for free(). stage: cst, view, cfg, facts or plan. Returns NULL
 * if the stage is unknown, or memory runs out. For a text that is not PTX, or a call that was
 * cancelled or exceeded a limit, the result is the diagnostics. The parse is always full, whatever
 * set_parse says. */
PTXOPT_MUST_USE char *ptxopt_dump(const struct ptxopt_options *options, const char *stage,
                                  const char *name, const char *text, size_t len, size_t *out_len);

#ifdef __cplusplus
}
#endif

#endif

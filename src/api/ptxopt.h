/* libptxopt: proves which tcgen05 fences and waits of a PTX text are redundant and removes exactly
 * those. Text in, result out: a new text, and one list of findings that says of each place what was
 * done and why.
 *
 * Threads: the library opens no file and writes no global; any number of threads may call it, and
 * share options and results that no thread changes.
 * Ownership: the caller of a function that returns a new struct ptxopt_… frees it
 * by the function named so; all other pointers, and all strings, belong to the object they are from
 * and live as long. Texts that are handed in are only read, and must live as long as what was made
 * of them. Errors: a call never ends the process. One that does not complete (out of memory,
 * cancelled, internal error) frees what it had, changes nothing, and returns a status and a
 * message. Strings are NUL-terminated, never NULL, and "" for none; bytes of the input are in
 * them unchanged. Lines and columns are from 1, columns and offsets in bytes. */
#ifndef PTXOPT_H
#define PTXOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An ignored result is a leak, or an unseen error. */
#if defined(__GNUC__) || defined(__clang__)
#define PTXOPT_MUST_USE __attribute__((warn_unused_result))
#else
#define PTXOPT_MUST_USE
#endif

/* Of this header; ptxopt_version says that of the library that runs. */
#define PTXOPT_VERSION_MAJOR 0
#define PTXOPT_VERSION_MINOR 1
#define PTXOPT_VERSION_PATCH 0
#define PTXOPT_VERSION                                                                             \
    (PTXOPT_VERSION_MAJOR * 10000 + PTXOPT_VERSION_MINOR * 100 + PTXOPT_VERSION_PATCH)

/* "MAJOR.MINOR.PATCH", static. */
const char *ptxopt_version(void);

/* Which build of that version: eight hexadecimal digits, static; a digest of the sources that
 * decide an output (rules, checker, options). For the keys of caches. */
const char *ptxopt_build(void);

/* ---- what there is to choose from ---- */

/* One rewrite rule. All strings are static. */
struct ptxopt_rule {
    const char *id;          /* "wait-covered" */
    const char *deletes;     /* "tcgen05.wait::ld, tcgen05.wait::st" */
    const char *summary;     /* one line: when */
    const char *explanation; /* paragraphs: before/after, why it is sound, when it declines */
    const char *isa_section; /* "9.7.16.6.2.1.2" */
    bool advice;             /* always a remark, never an edit */
};

/* One named assumption of the proofs, beyond the ISA's plain text. All strings are static. */
struct ptxopt_assumption {
    const char *name; /* "register-dependency" */
    bool on_by_default;
    const char *summary;
    const char *isa_section;
    const char *explanation; /* a paragraph: why it is or is not believed, which rules use it */
};

/* One reason why a candidate, or a whole function, is kept. All strings are static. */
struct ptxopt_reason {
    const char *word;        /* "release": see struct ptxopt_finding */
    const char *summary;     /* a few words: why it is kept */
    const char *explanation; /* a paragraph: what that means, and what there is to do */
};

/* One code of what may be missing. All strings are static. */
struct ptxopt_lint_code {
    const char *id;          /* "published-incomplete" */
    const char *summary;     /* one line: what, on some path */
    const char *explanation; /* paragraphs: the broken and the right text, what is not reported */
    const char *sentence;    /* a quotation from the ISA */
    const char *isa_section;
};

/* The rules / assumptions / reasons / codes as an array of *count entries, static. */
const struct ptxopt_rule *ptxopt_rules(size_t *count);
const struct ptxopt_assumption *ptxopt_assumptions(size_t *count);
const struct ptxopt_reason *ptxopt_reasons(size_t *count);
const struct ptxopt_lint_code *ptxopt_lint_codes(size_t *count);

/* ---- options ---- */

enum ptxopt_style {
    PTXOPT_BLANK,    /* keep the line count (default) */
    PTXOPT_ANNOTATE, /* leave a comment: the rule, the edit's id and what was there */
    PTXOPT_SQUEEZE,  /* drop lines that a removal emptied */
};

/* How much of a text must be PTX. */
enum ptxopt_parse {
    PTXOPT_PARSE_SHAPES, /* what the rules look at (default): a text that names neither tcgen05 nor
                            .proxy holds nothing for them and is passed on as it is, unread but
                            for set_lint, and for its first word, which has to be .version */
    PTXOPT_PARSE_FULL,   /* all of it, whatever it names: what is not PTX, as ptxas has it, is
                            PTXOPT_BAD_INPUT */
    PTXOPT_PARSE_TREE, /* all of it, as the grammar tree-sitter-ptx has it: fragments, and words of
                          versions to come, are accepted, too */
};

/* Errors are diagnostics of what is not PTX, and hazards that are proven; warnings say that we
 * failed, or something is suspicious; notes are hazards that work as compilers are today. */
enum ptxopt_level { PTXOPT_ERROR, PTXOPT_WARNING, PTXOPT_REMARK, PTXOPT_NOTE };

struct ptxopt_options;

/* Defaults: every rule, default assumptions, ISA of the file, PTXOPT_BLANK, PTXOPT_PARSE_SHAPES.
 * Both return NULL when out of memory. Calls only read options, so several at a time may share
 * them. */
PTXOPT_MUST_USE struct ptxopt_options *ptxopt_options_new(void);
PTXOPT_MUST_USE struct ptxopt_options *ptxopt_options_copy(const struct ptxopt_options *options);
void ptxopt_options_free(struct ptxopt_options *options);

/* Each returns false and changes nothing when the value is not known. names: rule ids, comma
 * separated, "all" or "none"; set: "tcgen05" or "none"; isa: "MAJOR.MINOR", at least 8.6; of one
 * that is not known what every known one grants counts. */
PTXOPT_MUST_USE bool ptxopt_options_set_rules(struct ptxopt_options *options, const char *names);
PTXOPT_MUST_USE bool ptxopt_options_set_optimizations(struct ptxopt_options *options,
                                                      const char *set);
PTXOPT_MUST_USE bool ptxopt_options_assume(struct ptxopt_options *options, const char *name,
                                           bool on);
PTXOPT_MUST_USE bool ptxopt_options_set_isa(struct ptxopt_options *options, const char *isa);
void ptxopt_options_set_style(struct ptxopt_options *options, enum ptxopt_style style);
void ptxopt_options_set_parse(struct ptxopt_options *options, enum ptxopt_parse parse);

/* Makes only the edits named so (any number of calls), or all but those named so. id: as in struct
 * ptxopt_finding, 12 lower-case hexadecimal digits; an id that no candidate has does nothing. If
 * there is no memory to keep an id in, every call with these options is PTXOPT_NO_MEMORY. */
PTXOPT_MUST_USE bool ptxopt_options_only(struct ptxopt_options *options, const char *id);
PTXOPT_MUST_USE bool ptxopt_options_skip(struct ptxopt_options *options, const char *id);

/* As ptxopt_options_skip, for what the edit would cost once the text is compiled. Where nothing
 * else prevents the edit the finding has the reason "registers", and why, which is copied,
 * finishes its message "kept because". */
PTXOPT_MUST_USE bool ptxopt_options_give_up(struct ptxopt_options *options, const char *id,
                                            const char *why);

/* Also writes down the proof of a rewrite: see ptxopt_result_certificate. Off by default. */
void ptxopt_options_set_certificate(struct ptxopt_options *options, bool on);

/* Whether findings of level PTXOPT_REMARK are given: removals, kept ones, advice; on by default.
 * Off saves time for callers that need only the text; its statistics count them all the same. */
void ptxopt_options_set_remarks(struct ptxopt_options *options, bool on);

/* Whether each removal also tells its steps (see struct ptxopt_finding), and its message who reads
 * what it loaded, who needs it complete, and whether other paths rest on other instructions; and
 * whether there are ptxopt_result_operations. Off by default. */
void ptxopt_options_set_steps(struct ptxopt_options *options, bool on);

/* Whether each removal also gives how many registers may be live with it, by the text alone; off
 * by default. It takes about as long as the rest of the analysis. */
void ptxopt_options_set_estimates(struct ptxopt_options *options, bool on);

/* Whether to look for what is missing, too: findings PTXOPT_HAZARD, which nothing is changed for;
 * off by default. The level, PTXOPT_ERROR, PTXOPT_WARNING (default) or PTXOPT_NOTE, is that of the
 * least that is given. What takes too long in a function is not looked for there: a
 * PTXOPT_DIAGNOSTIC "lint-gave-up", a warning, or a note where notes are requested. */
void ptxopt_options_set_lint(struct ptxopt_options *options, bool on);
PTXOPT_MUST_USE bool ptxopt_options_set_lint_level(struct ptxopt_options *options,
                                                   enum ptxopt_level least);

/* Whether the text that comes out is the input with what fixes the hazards that are given, where
 * that is one instruction at one place; off by default. It is for set_lint, and nothing is then
 * removed, whatever the rules. Each insertion is a separate line. The text with all of them was
 * examined: lint reports nothing that is fixed, and the optimizer removes none of them.
 * ptxopt_options_only and _skip choose hazards then. */
void ptxopt_options_set_fix(struct ptxopt_options *options, bool on);

/* Accepts the hazard with that id, which is then PTXOPT_SUPPRESSED, or the removal, which then has
 * the reason "baseline" and is made all the same (any number of calls); the rest as
 * ptxopt_options_only. */
PTXOPT_MUST_USE bool ptxopt_options_accept(struct ptxopt_options *options, const char *id);

/* Largest accepted input in bytes; 1 to 2^30, the default 256 MiB. */
PTXOPT_MUST_USE bool ptxopt_options_set_max_input(struct ptxopt_options *options, size_t bytes);

/* The most memory that one call may have in use at once, in bytes; 0 for no limit but the system's.
 * The default is 64 MiB and 128 bytes for each byte of its texts: about twice what the densest PTX
 * takes, so that only a text made to take more, or an error of ours, gets there. What takes more is
 * PTXOPT_BAD_INPUT; a text either always is at the same limit, or never. */
void ptxopt_options_set_max_memory(struct ptxopt_options *options, size_t bytes);

/* How many threads, the caller's among them, may work on one text; 1, the default, to 64. What
 * comes of it is the same for any number. They end with the call. */
PTXOPT_MUST_USE bool ptxopt_options_set_threads(struct ptxopt_options *options, unsigned threads);

/* How a call is cancelled: cancelled(context) is called by the thread that made the call, often
 * (after a few milliseconds of work or less; but once in a call libtree-sitter puts the whole tree
 * in order and asks nobody, some 30 ms for each MB of text, 150 ms for the worst), and once it is
 * true the call returns with PTXOPT_CANCELLED. It must be quick, and it must return: no longjmp, no
 * exception. It may call the library. NULL, the default, is never called. When calls share options,
 * or several threads may work on a text, several call it at a time. */
void ptxopt_options_set_cancel(struct ptxopt_options *options, bool (*cancelled)(void *context),
                               void *context);

/* ---- running ---- */

/* In all but PTXOPT_OK the text is the input, nothing is changed, and the first diagnostic says
 * why. */
enum ptxopt_status {
    PTXOPT_OK,        /* the text is the input or a proven rewrite of it */
    PTXOPT_BAD_INPUT, /* not PTX (see set_parse), or over max_input or max_memory
                         ("too-much-memory") */
    PTXOPT_NO_MEMORY, /* the system has no more ("no-memory") */
    PTXOPT_CANCELLED, /* by set_cancel ("cancelled") */
    PTXOPT_INTERNAL,  /* internal error ("internal"): please report the message */
};

/* What a finding is about. */
enum ptxopt_kind {
    PTXOPT_DELETED,    /* an instruction that is removed from the output */
    PTXOPT_KEPT,       /* a kept candidate */
    PTXOPT_ADVICE,     /* something that only the author may change */
    PTXOPT_SKIPPED,    /* a function that was left as it is, whole */
    PTXOPT_DIAGNOSTIC, /* about the input */
    PTXOPT_HAZARD,     /* synchronisation that is missing, or does nothing: see set_lint */
    PTXOPT_SUPPRESSED, /* a hazard that a comment in the text, or ptxopt_options_accept, accepts */
    PTXOPT_KINDS
};

/* A place in the CUDA source, by .file and .loc. */
struct ptxopt_origin {
    const char *file;
    uint32_t line, column; /* the column may be 0: not known */
};

/* A line that a finding rests on, and the part it has. */
struct ptxopt_step {
    uint32_t line;
    const char *part; /* "issued before, must stay ordered", "removed", "orders it instead", … */
    struct ptxopt_origin origin; /* the outermost, the line that its author wrote; line 0: not known
                                    or, but for PTXOPT_HAZARD, not requested (set_steps) */
};

/* What one rule says against a candidate. */
struct ptxopt_decline {
    const char *rule, *reason;
    uint32_t witness_line; /* as of a finding */
};

/* Live registers of 32 bits, by an estimate; both 0: there is none. */
struct ptxopt_estimate {
    uint32_t before, after; /* without the removals, and with all of them */
};

/* A line that is inserted. */
struct ptxopt_insertion {
    uint32_t at;      /* offset into the input, where a line begins: the new one comes before it */
    uint32_t line;    /* the number of that line in the input */
    const char *text; /* the new line with its line end */
};

/* One finding about one place. */
struct ptxopt_finding {
    enum ptxopt_kind kind;
    enum ptxopt_level level;
    const char *code;   /* the rule; of PTXOPT_SKIPPED and PTXOPT_DIAGNOSTIC a stable word */
    const char *id;     /* of candidates and hazards: function, text and surroundings; 12 digits */
    const char *reason; /* of PTXOPT_KEPT: why it is kept, a stable word; of what is accepted
                           "comment" or "baseline": by what */
    const char *function, *text; /* text: the instruction without its guard */
    const char *brief;           /* why, in a few words: at most 80 bytes; "" of PTXOPT_SKIPPED and
                                    PTXOPT_DIAGNOSTIC, whose message is short */
    const char *message;         /* one sentence that names the instructions it rests on */
    const char *isa_section;     /* of the PTX ISA: what carries the argument */
    const char *assumptions;     /* that a removal needs: names, comma separated */
    uint32_t start, end;         /* offsets into the input, the end exclusive */
    uint32_t line, column, end_line, end_column;
    /* Where in the CUDA source, innermost first; after it the calls that it was inlined at. */
    const struct ptxopt_origin *origins;
    uint32_t origin_count;
    uint32_t witness_line; /* the instruction that decides it; 0: none, or the entry */
    /* What is ordered and by what instead, in this order; of a removal only with set_steps. At
     * most a few of the operations are named, the nearest; more_operations counts the others. */
    const struct ptxopt_step *steps;
    uint32_t step_count, more_operations;
    /* Of PTXOPT_KEPT: every rule that was run, with its last verdict. */
    const struct ptxopt_decline *declines;
    uint32_t decline_count;
    /* Of PTXOPT_DELETED, the fix: the replacement of [replaced_start, replaced_end), which has
     * on its lines the blanks around the instruction that would then end a line. NULL for none. */
    const char *replacement;
    uint32_t replaced_start, replaced_end;
    int32_t shift; /* of PTXOPT_DELETED: offsets on later lines, in the output less in the input */
    /* Of PTXOPT_HAZARD and PTXOPT_SUPPRESSED, whose steps are the path from the first instruction
     * to the second, as executed: the ISA's words, what could go wrong, what to write. "" for
     * all others. */
    const char *sentence, *risk, *fix;
    const char *justification; /* of what a comment accepts or keeps: what it says for it, or "" */
    /* Of PTXOPT_DELETED, with set_estimates: after the load of tensor memory that follows a
     * wait::ld, and at most in the function. That ptxas then issues the loads back to back, and in
     * front of what uses them, is assumed; what it allocates is another number. */
    struct ptxopt_estimate live, most_live;
    /* Of PTXOPT_HAZARD with set_fix: what fixes it, more than one where it occurs again elsewhere
     * once the first is there. Two hazards may share one. Else why there is none; "" without
     * set_fix. */
    const struct ptxopt_insertion *insertions;
    uint32_t insertion_count;
    const char *not_fixed;
};

struct ptxopt_stats {
    size_t input_bytes, output_bytes;
    size_t peak_bytes; /* largest resident set of the process so far */
    /* 0 where the text was passed on unread (see set_parse). */
    uint32_t functions, instructions, tcgen05, candidates, deleted;
    uint64_t parse_ns, analysis_ns, check_ns; /* wall clock */
    size_t memory_bytes;    /* most that the call had in use at once: what max_memory limits */
    bool linted, optimized; /* set_lint was on; some rule was on */
    /* Of lint: functions that it examined, and findings that set_lint_level leaves out. */
    uint32_t examined, hidden_warnings, hidden_notes;
};

struct ptxopt_result;

/* Optimizes text[0..len). name is used in messages. Never NULL. If there is no memory even to say
 * so, the result is a constant, PTXOPT_NO_MEMORY with its diagnostic, which has no text: NULL and
 * 0. */
PTXOPT_MUST_USE struct ptxopt_result *ptxopt_run(const struct ptxopt_options *options,
                                                 const char *name, const char *text, size_t len);
void ptxopt_result_free(struct ptxopt_result *result);

enum ptxopt_status ptxopt_result_status(const struct ptxopt_result *result);
/* Why the status is not PTXOPT_OK: the message of the first error; "" for PTXOPT_OK. */
const char *ptxopt_result_message(const struct ptxopt_result *result);
bool ptxopt_result_changed(const struct ptxopt_result *result);
/* What was read, and what came out of it: the caller's own bytes, or new ones with a NUL after
 * them. */
const char *ptxopt_result_input(const struct ptxopt_result *result, size_t *len);
const char *ptxopt_result_text(const struct ptxopt_result *result, size_t *len);
/* The proof, a text that ptxopt-verify --certificate takes (format: src/check/prove/certificate.h);
 * empty when it was not requested or the input was bad. */
const char *ptxopt_result_certificate(const struct ptxopt_result *result, size_t *len);
const struct ptxopt_stats *ptxopt_result_stats(const struct ptxopt_result *result);
/* By what it was judged, for people: "all rules, PTX ISA 9.0, assumes commit-fences, …"; "" when
 * nothing was. */
const char *ptxopt_result_settings(const struct ptxopt_result *result);

/* All there is to say, an array of *count in order of place. */
const struct ptxopt_finding *ptxopt_result_findings(const struct ptxopt_result *result,
                                                    size_t *count);
/* Of these the first of a kind after one of them, or, for NULL, the first; NULL when there is
 * none. */
const struct ptxopt_finding *ptxopt_result_next(const struct ptxopt_result *result,
                                                enum ptxopt_kind kind,
                                                const struct ptxopt_finding *behind);
size_t ptxopt_result_count(const struct ptxopt_result *result, enum ptxopt_kind kind);

/* All lines that were inserted, an array of *count in order of place, each once; only with set_fix.
 */
const struct ptxopt_insertion *ptxopt_result_insertions(const struct ptxopt_result *result,
                                                        size_t *count);

/* What an instruction does to the order of others. */
enum ptxopt_operation_kind {
    PTXOPT_LOAD,  /* tcgen05.ld … */
    PTXOPT_STORE, /* … st … */
    PTXOPT_PIPE,  /* … mma, cp, shift: at work until it is complete */
    PTXOPT_WAIT_LOAD,
    PTXOPT_WAIT_STORE,
    PTXOPT_FENCE,  /* of tcgen05 */
    PTXOPT_COMMIT, /* makes an mbarrier track what the pipe does */
    PTXOPT_SYNC, /* signals or learns from another thread: barriers, arrivals, fences, atomics … */
    PTXOPT_LEAVE /* call, return, exit, allocation */
};

/* One of them, in the text that was read. */
struct ptxopt_operation {
    enum ptxopt_operation_kind kind;
    const char *function;
    uint32_t start, end, line; /* with its guard */
};

/* All of the functions that were judged, an array of *count in order of place; only with set_steps,
 * else there are none. */
const struct ptxopt_operation *ptxopt_result_operations(const struct ptxopt_result *result,
                                                        size_t *count);

/* ---- reports ---- */

/* One format. Strings are static. */
struct ptxopt_report_format {
    const char *name;    /* "sarif" */
    const char *summary; /* what it is and which programs read it */
};

/* The formats as an array of *count, static. */
const struct ptxopt_report_format *ptxopt_report_formats(size_t *count);

/* The result as a report in that format; path is its name for the text. free() it; *len bytes and
 * a NUL. NULL when the format is not known, the report has more than 256 MiB, or out of
 * memory. */
PTXOPT_MUST_USE char *ptxopt_report(const struct ptxopt_result *result, const char *format,
                                    const char *path, size_t *len);

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

/* Whether after[0..after_len) is the text before[0..before_len) less redundant synchronisation, as
 * ptxopt-verify decides, by the independent checker that ptxopt_run uses, too. Of the options the
 * assumptions, the ISA, the certificate, max_memory and set_cancel count. Both texts are only read
 * and must outlive the verification. Never NULL. */
PTXOPT_MUST_USE struct ptxopt_verification *ptxopt_verify(const struct ptxopt_options *options,
                                                          const char *before, size_t before_len,
                                                          const char *after, size_t after_len);
void ptxopt_verification_free(struct ptxopt_verification *verification);

/* PTXOPT_OK when it reached a verdict. Else that is cannot-tell, the message says why, and there
 * are not functions. */
enum ptxopt_status ptxopt_verification_status(const struct ptxopt_verification *verification);
/* Refused if any function is, else cannot-tell if any is. */
enum ptxopt_verdict ptxopt_verification_verdict(const struct ptxopt_verification *verification);
/* Of the first function that is not proven, or what else the texts differ in; "" when proven. */
const char *ptxopt_verification_message(const struct ptxopt_verification *verification);
const struct ptxopt_checked *ptxopt_verification_functions(const struct ptxopt_verification *,
                                                           size_t *n);
/* Warnings about the text before, PTXOPT_DIAGNOSTIC: its version of the PTX ISA is not known. */
const struct ptxopt_finding *ptxopt_verification_findings(const struct ptxopt_verification *,
                                                          size_t *n);
/* As ptxopt_result_certificate. */
const char *ptxopt_verification_certificate(const struct ptxopt_verification *, size_t *len);

/* ---- looking inside ---- */

/* A stage of the analysis as text (mem: free() it); stage: cst, view, cfg, facts or plan. NULL when
 * the stage is not known, or out of memory; a text that is not PTX, and a call that was cancelled
 * or came to a limit, give their diagnostics instead. By a full parse, whatever set_parse says. */
PTXOPT_MUST_USE char *ptxopt_dump(const struct ptxopt_options *options, const char *stage,
                                  const char *name, const char *text, size_t len, size_t *out_len);

#ifdef __cplusplus
}
#endif

#endif

/* Rewrites the text of one call of ptxas. */
#ifndef PTXOPT_WRAPPER_REWRITE_H
#define PTXOPT_WRAPPER_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/fingerprint.h"
#include "wrapper/assemble.h"

/* The result of the rewriting. */
enum rewrite_end {
    REWRITE_FAILED,  /* the reason is in rewrite.reason */
    REWRITE_NOTHING, /* there is nothing to remove */
    REWRITE_DONE,    /* the new text is in rewrite_job.output */
};

struct rewrite {
    enum rewrite_end end;
    char reason[256]; /* of the failure, of edits that were left out, or of a report that was not
                         written */
    char digest[FINGERPRINT_DIGITS + 1]; /* hash of the text, names its reports; "": none */
    size_t input_bytes, output_bytes;
    uint32_t functions, candidates, deleted; /* 0 if a server did the rewriting */
    bool by_server;
    /* Edits were left out because their cost was not known in time; reason says so. */
    bool is_cut;
    /* With REWRITE_FAILED: the same text fails each time (it is not PTX, or the flags are
     * wrong). */
    bool is_settled;
    uint64_t end_ns;   /* time of clock_ns when the result was known; 0: it never was */
    bool is_handed_on; /* with REWRITE_DONE: the process went on to execute ptxas */
    int status;        /* status of that process, by waitpid */
};

struct rewrite_job {
    const char *flags;         /* the value of PTXOPT_FLAGS; NULL: none */
    const char *name;          /* the name of the text in reports */
    int input;                 /* descriptor, positioned at the start of the text */
    const char *output;        /* path of the new file, only created for REWRITE_DONE */
    const char *report_folder; /* created if missing; NULL: no reports */
    const char *ptxas;         /* path of the ptxas that measures the cost of a kernel */
    const char *server;        /* a URL, as --server takes it; NULL: none */
    size_t timeout_ms;         /* time limit in milliseconds, unless the flags have --timeout */
    bool needs_lines; /* removals must not change line numbers, whatever style the flags request */
    const struct holding *next; /* the run of ptxas that the process starts after REWRITE_DONE */
};

/* Rewrites the text in a child process, so that a crash or a text that exceeds its time limit ends
 * only the child. After REWRITE_DONE this child executes ptxas on the new text, because a second
 * process would cost as much time as a small text. Call it between supervise_begin and
 * supervise_end. */
struct rewrite rewrite_run(const struct rewrite_job *job);

#endif

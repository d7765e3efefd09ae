/* ptxopt's part of a call of ptxas. */
#ifndef PTXOPT_WRAPPER_REWRITE_H
#define PTXOPT_WRAPPER_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/fingerprint.h"
#include "wrapper/assemble.h"

/* What became of the text. */
enum rewrite_end {
    REWRITE_FAILED,  /* reason says why */
    REWRITE_NOTHING, /* there is nothing to remove */
    REWRITE_DONE,    /* the new text is in its file */
};

struct rewrite {
    enum rewrite_end end;
    char reason[256];                    /* also of a report that could not be written */
    char digest[FINGERPRINT_DIGITS + 1]; /* of the text, names its reports; "": not known */
    size_t input_bytes, output_bytes;
    uint32_t functions, candidates, deleted; /* not known where a server has done it */
    bool by_server;
    bool is_cut; /* edits were left out, as what they cost was not known in its time; reason: why */
    bool is_settled;   /* with REWRITE_FAILED: so it will end each time (no PTX, wrong flags) */
    uint64_t end_ns;   /* by clock_ns, when this was known; 0: it never was */
    bool is_handed_on; /* with REWRITE_DONE: the process went on to ptxas */
    int status;        /* and ended so, by waitpid */
};

struct rewrite_job {
    const char *flags;          /* as PTXOPT_FLAGS; NULL: none */
    const char *name;           /* what reports call the text */
    int input;                  /* a descriptor, at the start of the text */
    const char *output;         /* the new file, only made for REWRITE_DONE */
    const char *report_folder;  /* is made; NULL: no reports */
    const char *ptxas;          /* the program that measures what a kernel costs */
    const char *server;         /* a URL, as --server takes it; NULL: none */
    size_t timeout_ms;          /* unless the flags have --timeout */
    bool needs_lines;           /* no line may go, whatever the flags say */
    const struct holding *next; /* what the process becomes after REWRITE_DONE */
};

/* Does it in a separate process, so that any failure of the rewriting, and a text that takes
 * longer than its time, end only that. That process then becomes ptxas on the new text: starting
 * another one would cost as much as a small text. Between supervise_begin and supervise_end. */
struct rewrite rewrite_run(const struct rewrite_job *job);

#endif

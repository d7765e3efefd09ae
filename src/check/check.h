/* Proves one rewrite independently: AFTER is BEFORE without synchronisation that no observer
 * needs.
 *
 * A second implementation of the ordering model, with its own reader, opcode table and
 * analysis, so that it can disagree with the code that made AFTER. It removes nothing itself. */
#ifndef PTXOPT_CHECK_CHECK_H
#define PTXOPT_CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "check/model/assume.h"
#include "text/span.h"

/* What the author of a rewrite states about one removal, for the certificate: at is the statement's
 * first byte in BEFORE; assumes names assumptions, separated by commas, or is "". */
struct check_note {
    uint32_t at;
    const char *rule, *assumes;
};

/* All zero means: the defaults, and the version the file states. */
struct check_options {
    uint32_t assume, deny;         /* bits of enum check_assume on top of the defaults; deny wins */
    uint32_t isa_major, isa_minor; /* 0.0: from the .version of BEFORE */
    bool certificate;              /* also write the proof down */
    bool faults_only;              /* of the functions, list only those that are not proven */
    const struct check_note *notes; /* ascending by at; they say, and prove nothing */
    uint32_t note_count;
};

enum check_verdict { CHECK_PROVEN, CHECK_REFUSED, CHECK_CANNOT_TELL };

/* One function that lost at least one statement. */
struct check_function {
    struct span before; /* its bytes in BEFORE, from .entry or .func to the closing brace */
    struct str name;    /* borrowed from BEFORE */
    enum check_verdict verdict;
    const char *message;  /* one line: where, what, what was expected; "" when proven */
    const uint32_t *path; /* lines in BEFORE, in the order of execution; may be empty */
    uint32_t path_count;
    uint32_t deletions;
};

struct check_result {
    enum check_verdict verdict; /* refused if any function is, else cannot-tell if any is */
    const char *message;        /* of the first function that is not proven, or of the diff */
    const struct check_function *functions; /* in file order */
    uint32_t function_count;
    struct str certificate; /* empty unless requested and proven */
    /* A warning about the version that was used, "" for none, and where BEFORE states it; empty
     * where it does not. */
    const char *unknown_version;
    struct span version;
};

/* Compares and proves. Everything in the result lives in arena or borrows from before.
 * Never fails otherwise than by its verdict; input is untrusted and of any size. */
void check_run(const struct check_options *options, struct str before, struct str after,
               struct arena *arena, struct check_result *result);

/* As check_run, but takes the sets of the proof from certificate (text that check_run wrote for
 * the same two texts and options) and tests in one pass that they hold; nothing is searched
 * for. A certificate that does not fit is a refusal. */
void check_certificate(const struct check_options *options, struct str before, struct str after,
                       struct str certificate, struct arena *arena, struct check_result *result);

/* The bits in force for a text of that ISA version. */
uint32_t check_assume_effective(const struct check_options *options, uint32_t isa_major,
                                uint32_t isa_minor);

#endif

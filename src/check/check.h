/* Proves one rewrite independently: AFTER is BEFORE without synchronisation that no observer needs.
 *
 * The checker is a second implementation of the ordering model, with its own reader, opcode table
 * and analysis, so that it can disagree with the code that made AFTER. It removes nothing
 * itself. */
#ifndef PTXOPT_CHECK_CHECK_H
#define PTXOPT_CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "check/model/assume.h"
#include "text/span.h"

/* What the author of a rewrite states about one removal, for the certificate. at: offset in BEFORE
 * of the first byte of the statement. assumes: names of assumptions, separated by commas, or "". */
struct check_note {
    uint32_t at;
    const char *rule, *assumes;
};

/* Zero-initialised options mean the default assumptions of the ISA version in BEFORE. */
struct check_options {
    uint32_t assume, deny; /* bits of enum check_assume that change the defaults; deny wins */
    uint32_t isa_major, isa_minor; /* 0.0: from the .version of BEFORE */
    bool certificate;              /* also write a certificate */
    bool faults_only;              /* list only the functions that are not proven */
    /* The proof will probably need the loads of which only stores need a value (model/value.h).
     * Changes no verdict, only the order of the work: they are found in the first reading. */
    bool expects_values;
    const struct check_note *notes; /* ascending by at; not used by the proof */
    uint32_t note_count;
};

enum check_verdict { CHECK_PROVEN, CHECK_REFUSED, CHECK_CANNOT_TELL };

/* A function from which at least one statement was removed. */
struct check_function {
    struct span before; /* span in BEFORE, from .entry or .func to the closing brace */
    struct str name;    /* borrowed from BEFORE */
    enum check_verdict verdict;
    const char *message;  /* one line: the place, the fault, and what was expected; "" if proven */
    const uint32_t *path; /* lines in BEFORE, in the order of execution; may be empty */
    uint32_t path_count;
    uint32_t deletions;
};

struct check_result {
    /* Refused if any function is refused, otherwise cannot-tell if any is. */
    enum check_verdict verdict;
    /* Of the first function that is not proven, or of the comparison of the texts. */
    const char *message;
    const struct check_function *functions; /* in file order */
    uint32_t function_count;
    struct str certificate; /* empty unless requested and proven */
    /* unknown_version: a warning about the ISA version that was used, "" for none. version: the
     * span where BEFORE states it; empty if it does not. */
    const char *unknown_version;
    struct span version;
};

/* Compares the texts and proves the rewrite. The result has pointers into arena and before. Errors
 * are reported as a verdict only. Both texts are untrusted and of any size. */
void check_run(const struct check_options *options, struct str before, struct str after,
               struct arena *arena, struct check_result *result);

/* As check_run, but takes the sets of the proof from certificate, which check_run wrote for the
 * same texts and options. It tests in one pass that they hold, and searches for nothing. A
 * certificate that does not fit gives CHECK_REFUSED. */
void check_certificate(const struct check_options *options, struct str before, struct str after,
                       struct str certificate, struct arena *arena, struct check_result *result);

/* Returns the bits of enum check_assume in force for a text of this ISA version. */
uint32_t check_assume_effective(const struct check_options *options, uint32_t isa_major,
                                uint32_t isa_minor);

#endif

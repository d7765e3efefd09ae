/* Everything that is to be shown about one function, and the sets that show it. */
#ifndef PTXOPT_CHECK_PROVE_PROOF_H
#define PTXOPT_CHECK_PROVE_PROOF_H

#include "base/buf.h"
#include "check/check.h"
#include "check/model/hazard.h"
#include "check/model/lower.h"
#include "check/model/meant.h"
#include "check/prove/monitor.h"
#include "text/source.h"

struct proof {
    const struct source *source;
    struct arena *arena;
    struct program program;
    struct lower lower;
    struct monitor_proofs sets;
    struct hazard hazard;
    struct meant meant;
    uint32_t assume;
    struct transfer_tables *own_tables; /* where the function cannot have those it was given */
};

/* Reads the function; false, and a verdict in out, when nothing can be shown about it. Release
 * with proof_free in any case. */
bool proof_prepare(struct proof *proof, const struct source *source, struct arena *arena,
                   const struct outline *outline, uint32_t index, uint32_t assume,
                   const struct transfer_tables *tables, struct check_function *out);

/* Searches for the sets; the verdict goes to out. keep: the sets stay, for a certificate. */
void proof_search(struct proof *proof, bool keep, struct check_function *out);

/* Tests the sets that proof already has. */
void proof_test(struct proof *proof, struct check_function *out);

void proof_free(struct proof *proof);

/* Why a function is refused or undecided: out->verdict, message and path. */
void report_strange(const struct proof *proof, struct check_function *out);
void report_deletion(const struct proof *proof, uint32_t instruction, const char *why,
                     struct check_function *out);
void report_facts(const struct proof *proof, const struct monitor_fault *fault,
                  struct check_function *out);
void report_hazard(const struct proof *proof, const struct hazard_fault *fault,
                   struct check_function *out);
void report_undecided(const struct proof *proof, const char *why, struct check_function *out);

/* A certificate is text in lines:
 *
 *   ptxopt-certificate 2
 *   assume BITS / isa M.m / before BYTES HASH / after BYTES HASH
 *   function OFFSET NAME             for each function that lost something, in order
 *   delete LINE SPELLING rule NAME|- assumes NAME,…|-
 *   needs NAME …                     assumptions without which it is not proven
 *   facts FACT plain|literal CLASS|* then `BLOCK PAIR …` for each block that is reached
 *   registers                        then `BLOCK p BIT … r BIT …`
 *   meant                            then `BLOCK STATES STATES`
 *   end
 *
 * Blocks number the checker's basic blocks, pairs are those of monitor.h and states those of
 * meant.c in hexadecimal. The number in the first line goes up whenever any of it changes its
 * meaning. */
void certificate_header(struct buf *out, const struct check_options *options, uint32_t assume,
                        struct str before, struct str after);
void certificate_function(struct buf *out, const struct proof *proof,
                          const struct check_options *options,
                          const struct check_function *function, uint32_t needs);

struct certificate {
    struct str text;
    size_t pos;
    bool broken;       /* something did not fit */
    bool other_format; /* another version's */
};

/* Reads what certificate_header and certificate_function wrote. */
void certificate_read_header(struct certificate *certificate, uint32_t assume, struct str before,
                             struct str after);
void certificate_read_function(struct certificate *certificate, struct proof *proof,
                               struct span whole);

#endif

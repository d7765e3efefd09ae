/* Everything that is to be shown about one function, and the sets that show it. */
#ifndef PTXOPT_CHECK_PROVE_PROOF_H
#define PTXOPT_CHECK_PROVE_PROOF_H

#include "check/check.h"
#include "check/model/body.h"
#include "check/model/hazard.h"
#include "check/model/held.h"
#include "check/model/lower.h"
#include "check/model/meant.h"
#include "check/model/proxy.h"
#include "check/prove/monitor.h"
#include "text/source.h"

/* What the proofs of one BEFORE share. */
struct proof_text {
    struct source source;
    struct body_text bodies;
};

struct proof {
    const struct source *source;
    struct arena *arena;
    struct program program;
    struct lower lower;
    struct hazard hazard;
    struct meant meant;
    struct proxy proxy;
    struct held held;
    struct flow hazard_flow, meant_flow, proxy_flow, held_flow;
    struct monitor_proofs facts;
    struct solution hazard_sets, meant_sets, proxy_sets, held_sets;
    uint32_t assume;
    bool is_split;       /* see proof_split */
    bool follows_values; /* see proof_follow */
    const struct transfer_tables *tables;
    struct transfer_tables *own_tables; /* where the function cannot have those it was given */
};

/* Reads the function under these assumptions; returns the end of its closing brace. Release with
 * proof_free. */
uint32_t proof_read(struct proof *proof, struct proof_text *text, struct arena *arena,
                    const struct outline_function *function, uint32_t assume);

/* Builds what must be proven of it without the removed sites; false, and a verdict in out,
 * when nothing can be. tables: of the same assumptions. */
bool proof_prepare(struct proof *proof, const struct statement_sites *sites,
                   const struct transfer_tables *tables, struct check_function *out);

/* From here on the stores of loaded values end the loads for what ptxas holds back; false when they
 * do by now, or nothing is loaded. */
bool proof_follow(struct proof *proof);

/* Distinguishes loads and stores by their columns from here on; false when they already are, or
 * nothing is known of them. */
bool proof_tell_columns(struct proof *proof);

/* Builds the same again for only those paths on which branches by the same agree; false when there
 * are no fewer, or it is too much. */
bool proof_split(struct proof *proof);

/* Searches for the sets; out gets the verdict. keep: the sets are kept, for a certificate. */
void proof_search(struct proof *proof, bool keep, struct check_function *out);

/* Tests the sets that proof already has. */
void proof_test(struct proof *proof, struct check_function *out);

/* The line of an offset in BEFORE. */
static inline uint32_t proof_line(const struct proof *proof, uint32_t offset)
{
    return source_place(proof->source, offset).line;
}

void proof_free(struct proof *proof);

#endif

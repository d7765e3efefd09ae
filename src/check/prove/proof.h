/* Everything that must be shown about one function, and the sets that show it. */
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

/* Data that the proofs of all functions of one BEFORE share. */
struct proof_text {
    struct source source;
    struct body_text bodies;
};

struct proof {
    const struct source *source;
    struct arena *arena;
    /* What the program was read from, and the room that there was for it. */
    struct body_text *bodies;
    struct outline_function function;
    uint32_t room;
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
    uint32_t carried;    /* as carried_culprit returns it */
    bool is_split;       /* see proof_split */
    bool follows_values; /* see proof_follow */
    const struct transfer_tables *tables;
    /* Tables of this function only, if it must not use those that proof_prepare was given. */
    struct transfer_tables *own_tables;
};

/* Reads the function under these assumptions (bits of enum check_assume). with_values: so that
 * proof_follow need not read it again. Returns the offset after its closing brace. Release proof
 * with proof_free. */
uint32_t proof_read(struct proof *proof, struct proof_text *text, struct arena *arena,
                    const struct outline_function *function, uint32_t assume, bool with_values);

/* Prepares the proof of the function without the removed sites. tables: of the same assumptions;
 * must outlive proof. Returns false with a verdict in out if nothing can be proven. */
bool proof_prepare(struct proof *proof, const struct statement_sites *sites,
                   const struct transfer_tables *tables, struct check_function *out);

/* Changes the analysis of what ptxas holds back: from now on the last store ends a load of which
 * only stores need a value. Reads the function again unless it was read with values. Returns false
 * if a store already ends such loads, or if there are none. */
bool proof_follow(struct proof *proof);

/* Divides loads and stores by their columns from now on. Returns false if they are divided already,
 * or if no columns are known. */
bool proof_tell_columns(struct proof *proof);

/* Builds the analyses again for only the paths on which branches with the same condition agree.
 * Returns false if there are no fewer paths, or too many blocks. */
bool proof_split(struct proof *proof);

/* Searches for the sets and writes the verdict to out. keep: keeps complete sets in proof, for a
 * certificate. */
void proof_search(struct proof *proof, bool keep, struct check_function *out);

/* Tests the sets in proof, and writes the verdict to out. */
void proof_test(struct proof *proof, struct check_function *out);

/* Returns the line of an offset in BEFORE. */
static inline uint32_t proof_line(const struct proof *proof, uint32_t offset)
{
    return source_place(proof->source, offset).line;
}

void proof_free(struct proof *proof);

#endif

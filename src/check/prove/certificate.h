/* Writes a proof as text, and reads it. The lines are:
 *
 *   ptxopt-certificate 6
 *   assume BITS / isa M.m / before BYTES HASH / after BYTES HASH
 *   function OFFSET NAME             for each function that lost something, in order
 *   delete LINE SPELLING rule NAME|- assumes NAME,…|-
 *   needs NAME …                     assumptions without which it is not proven
 *   values                           when the loads that only stores need are known
 *   split                            when the blocks are those of split.h
 *   columns                          when loads and stores are distinguished by their columns
 *   class NUMBER at REGISTER|* + NUMBER columns COUNT   each of their classes but the last
 *   facts FACT plain|literal CLASS|* then `BLOCK PAIR …` for each block that is reached
 *   registers                        then `BLOCK p BIT … r BIT …`
 *   meant                            then `BLOCK STATES STATES`
 *   proxy                            then `BLOCK STATES`
 *   held                             then `BLOCK STATES`
 *   end
 *
 * BLOCK is the number of a basic block of the checker, REGISTER the number of a register. A PAIR is
 * a pair of monitor.h; STATES are those of meant.c, proxy.c and held.c in hexadecimal. The number
 * in the first line increases with every change of the meaning of a line. */
#ifndef PTXOPT_CHECK_PROVE_CERTIFICATE_H
#define PTXOPT_CHECK_PROVE_CERTIFICATE_H

#include "base/buf.h"
#include "check/prove/proof.h"

void certificate_header(struct buf *out, const struct check_options *options, uint32_t assume,
                        struct str before, struct str after);
void certificate_function(struct buf *out, const struct proof *proof,
                          const struct check_options *options,
                          const struct check_function *function, uint32_t needs);

struct certificate {
    struct str text;
    size_t pos;
    bool broken;       /* the text is not a certificate for these texts and options */
    bool other_format; /* the first line has another number */
};

/* Reads what certificate_header and certificate_function wrote. Sets certificate->broken if the
 * text does not fit. whole: span of the function in BEFORE. */
void certificate_read_header(struct certificate *certificate, uint32_t assume, struct str before,
                             struct str after);
void certificate_read_function(struct certificate *certificate, struct proof *proof,
                               struct span whole);

#endif

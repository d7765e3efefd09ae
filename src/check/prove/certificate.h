/* A proof written down, and read again. It is text in lines:
 *
 *   ptxopt-certificate 6
 *   assume BITS / isa M.m / before BYTES HASH / after BYTES HASH
 *   function OFFSET NAME             for each function that lost something, in order
 *   delete LINE SPELLING rule NAME|- assumes NAME,…|-
 *   needs NAME …                     assumptions without which it is not proven
 *   values                           when the stores of loaded values are known
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
 * Blocks number the checker's basic blocks, a REGISTER its registers, pairs are those of monitor.h
 * and states those of meant.c, proxy.c and held.c in hexadecimal. The number in the first line is
 * raised whenever any of it changes its meaning. */
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
    bool broken;       /* something did not fit */
    bool other_format; /* another version's */
};

/* Reads what certificate_header and certificate_function wrote. */
void certificate_read_header(struct certificate *certificate, uint32_t assume, struct str before,
                             struct str after);
void certificate_read_function(struct certificate *certificate, struct proof *proof,
                               struct span whole);

#endif

/* What do the statements of this body do? */
#ifndef PTXOPT_CHECK_MODEL_BODY_H
#define PTXOPT_CHECK_MODEL_BODY_H

#include "check/model/program.h"
#include "check/read/outline.h"

/* Reads function number index of the outline under assumptions (bits of enum check_assume). Without
 * register-dependency the registers an ordinary instruction reads are recorded too. opcodes: of the
 * same text, or zero. Release with program_free; on strange the rest of the program is not usable.
 */
void body_read(struct program *program, struct str text, const struct outline *outline,
               struct opcode_memo *opcodes, uint32_t index, uint32_t assume);

#endif

/* Reads the statements of a function's body into a program. */
#ifndef PTXOPT_CHECK_MODEL_BODY_H
#define PTXOPT_CHECK_MODEL_BODY_H

#include "check/model/program.h"
#include "check/read/outline.h"

/* What the bodies of one text share. */
struct body_text {
    struct str text;
    bool has_clocks; /* the name of a clock occurs in it */
    uint32_t room;   /* of scope_init, for all of them together */
    struct opcode_memo opcodes;
    called_asker *ask_called; /* says what its functions call; NULL: that may do anything */
    struct called *called;    /* for that, once there; whoever sets ask_called has called_free */
};

/* of: zero at first. */
void body_begin(struct body_text *of, struct str text);

/* Reads a function under assumptions (bits of enum check_assume); returns the end of its closing
 * brace. Without register-dependency the registers an ordinary instruction reads are recorded too.
 * follows_values: so are the stores of loaded values (value.h), which takes longer. Release with
 * program_free; on strange only its sites are usable. */
uint32_t body_read(struct program *program, struct body_text *of,
                   const struct outline_function *function, uint32_t assume, bool follows_values);

/* Marks the instructions of sites that are removed; all are those of the program. */
void body_delete(struct program *program, const struct statement_sites *sites);

#endif

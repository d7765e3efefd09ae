/* Reads a function body into a program. */
#ifndef PTXOPT_CHECK_MODEL_BODY_H
#define PTXOPT_CHECK_MODEL_BODY_H

#include "check/model/program.h"
#include "check/read/outline.h"

/* Data that all bodies of one text share. */
struct body_text {
    struct str text;
    bool has_clocks; /* the text contains the name of a clock */
    uint32_t room;   /* for scope_init: shared by all functions of the text */
    struct opcode_memo *opcodes;
    called_asker *ask_called; /* says what a call may do; NULL: a call may do anything */
    struct called *called;    /* data of ask_called, NULL at first; the caller that sets ask_called
                                 frees it with called_free */
};

/* Initialises *of, which must be zero, for a text. Release it with body_release, which leaves
 * `called` alone. */
void body_begin(struct body_text *of, struct str text);
void body_release(struct body_text *of);

/* Reads a function under these assumptions (bits of enum check_assume). Returns the offset after
 * its closing brace. Without register-dependency, the registers that ordinary instructions read are
 * recorded, too. follows_values: also records which loads only stores need (value.h), which
 * takes longer. Release program with program_free. If program->strange is set, only its sites
 * may be used. */
uint32_t body_read(struct program *program, struct body_text *of,
                   const struct outline_function *function, uint32_t assume, bool follows_values);

/* Marks the instructions of the removed sites. sites: all sites of the program. */
void body_delete(struct program *program, const struct statement_sites *sites);

#endif

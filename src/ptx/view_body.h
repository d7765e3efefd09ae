/* A function's body on its way into the view: statements go in, arrays come out. */
#ifndef PTXOPT_PTX_VIEW_BODY_H
#define PTXOPT_PTX_VIEW_BODY_H

#include "ptx/names.h"
#include "ptx/stored.h"

#define SPELLING_NONE UINT32_MAX

/* What an opcode with its modifiers says by itself. */
struct spelling {
    const struct opcode *row;
    uint8_t proxy, shape, space, cta_group; /* as in struct instr; 0, 1 or 2 */
};

enum { FORM_BITS = 7, FORM_USES_MAX = 7 };

/* What an instruction without a guard that only computes names: the same for all that have these
 * parts, which are a shape's, and this head. */
struct form {
    const struct part *parts; /* NULL: none */
    uint32_t head, spelling, use_count;
    struct form_use {
        uint16_t token;
        bool write;
    } uses[FORM_USES_MAX];
};

/* Zero-initialise but for source and arena. Its arrays serve one function after the other. */
struct view_body {
    const struct source *source;
    struct arena *arena;
    const struct statement *statement; /* that is being read */
    struct function *function;
    struct names names;
    struct VEC(struct instr) instrs;
    struct VEC(uint32_t) notable;
    struct VEC(struct operand) operands;
    struct VEC(struct use) uses;
    struct VEC(struct label) labels;
    struct VEC(struct target_list) lists;
    struct VEC(struct str) targets;
    uint32_t ranged_targets;
    struct VEC(struct loc) locs;
    struct stored_search stored;
    struct intern spelled; /* of all functions: numbered as spellings */
    struct VEC(struct spelling) spellings;
    struct VEC(uint32_t) of_heads;     /* by a statement's head: into spellings, or SPELLING_NONE */
    struct form forms[1 << FORM_BITS]; /* met lately */
    unsigned cta_group;                /* 0 none yet, 1, 2 */
    bool keeps_all;                    /* see view_keep_all */
    bool names_clock;                  /* the instruction that is being read does */
};

/* What is read from here on belongs to function. */
void view_body_begin(struct view_body *body, struct function *function);

/* The blocks' brackets, the body's own included, and what is between them. */
void view_body_read(struct view_body *body, const struct statement *statement);

/* The function, whose span is known by now, has all that was read: in body's arrays, until the next
 * one begins. */
void view_body_end(struct view_body *body);

void view_body_free(struct view_body *body);

#endif

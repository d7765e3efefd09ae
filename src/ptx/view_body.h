/* Builds the view of a function's body: receives statements, produces arrays. */
#ifndef PTXOPT_PTX_VIEW_BODY_H
#define PTXOPT_PTX_VIEW_BODY_H

#include "ptx/names.h"
#include "ptx/stored.h"

#define SPELLING_NONE UINT32_MAX

/* What an opcode with its modifiers determines. */
struct spelling {
    const struct opcode *row;
    uint8_t proxy, shape, space, cta_group; /* as in struct instr; cta_group: 0, 1 or 2 */
};

enum { FORM_BITS = 7, FORM_USES_MAX = 7, FORM_OPERANDS_MAX = 5 };

/* The uses of an unguarded instruction. They are the same for all instructions with these parts,
 * which belong to a shape, and this head. */
struct form {
    const struct part *parts; /* NULL: none, and the rest has no value */
    uint32_t head, spelling, use_count;
    struct form_use {
        uint16_t token;
        bool write;
    } uses[FORM_USES_MAX];
};

/* The operands of the instruction of a form. */
struct form_operands {
    uint32_t count;
    struct form_operand {
        uint16_t first, last;         /* tokens */
        uint8_t kind;                 /* enum operand_kind */
        uint8_t first_use, use_count; /* first_use: index in the uses of the form */
    } at[FORM_OPERANDS_MAX];
};

/* Zero-initialised by the caller, except source and arena. Its arrays are used for one function
 * after the other. */
struct view_body {
    const struct source *source;
    struct arena *arena;
    const struct statement *statement; /* the one that is being read */
    struct function *function;
    struct names names;
    struct VEC(struct instr) instrs;
    struct VEC(uint32_t) notable;
    struct VEC(struct operand) operands;
    struct VEC(struct use) uses, kept; /* kept: without those of forget_uses, unless keeps_all */
    struct VEC(uint32_t) first_use;    /* by instruction, and one more: index in uses; as kept */
    struct VEC(struct label) labels;
    struct VEC(struct target_list) lists;
    struct VEC(struct str) targets;
    uint32_t ranged_targets;
    struct VEC(struct loc) locs;
    struct stored_search stored;
    struct intern spelled; /* of all functions: numbered as spellings */
    struct VEC(struct spelling) spellings;
    struct VEC(uint32_t) of_heads; /* by head of a statement: into spellings, or SPELLING_NONE */
    struct form *forms; /* a cache of recent forms, 1 << FORM_BITS; NULL until view_body_begin */
    struct form_operands *operands_of; /* by number of the form; NULL: not keeps_all */
    unsigned cta_group;                /* 0: none yet */
    bool keeps_all;                    /* see view_keep_all */
    bool leaves_out_locs;              /* see view_leave_out_locs */
    bool names_clock;                  /* the current instruction reads a clock */
};

/* Begins a function: what is read from now on belongs to it. */
void view_body_begin(struct view_body *body, struct function *function);

/* Reads a statement of the body: the brackets of blocks, including those of the body, and
 * everything between them. */
void view_body_read(struct view_body *body, const struct statement *statement);

/* Completes the function, whose span must be known. Its data is in the arrays of body until the
 * next function begins. */
void view_body_end(struct view_body *body);

void view_body_free(struct view_body *body);

#endif

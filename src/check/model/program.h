/* One function body as instructions and basic blocks. */
#ifndef PTXOPT_CHECK_MODEL_PROGRAM_H
#define PTXOPT_CHECK_MODEL_PROGRAM_H

#include "check/model/effect.h"
#include "check/model/flow.h"
#include "check/read/statement.h"
#include "check/model/scope.h"

#define PROGRAM_NONE UINT32_MAX

enum { PROGRAM_PIPE_REGISTERS = 16, PROGRAM_PIPE_SCALES = 2 };

/* What decides whether two mma/cp/shift are a pipelined pair. Operands are numbered so that
 * equal numbers are the same text over the same registers; NONE where there is none. */
struct program_pipe {
    uint32_t effect;     /* CHECK_EFFECT_MMA, _CP or _SHIFT */
    uint32_t is_strange; /* not understood: pairs with nothing */
    uint32_t is_4x256b;
    uint32_t form;        /* the modifiers, without the collector's */
    uint32_t descriptor;  /* mma: idesc */
    uint32_t place;       /* in tensor memory: an mma's D, or what a cp or shift writes */
    uint32_t a, metadata; /* of an mma, where they are in tensor memory */
    uint32_t scales[PROGRAM_PIPE_SCALES];
    uint32_t register_count;
    uint32_t registers[PROGRAM_PIPE_REGISTERS]; /* that all these operands are made of */
};

struct program_instruction {
    struct span span;
    uint8_t effect, flags; /* effect.h */
    bool guarded, negated;
    bool deleted;                /* not in AFTER */
    bool joined;                 /* a commit whose guard a deleted fence before it shares */
    bool leads;                  /* a label stands in front */
    uint32_t guard;              /* register */
    uint32_t writes, reads, end; /* registers.at[writes, reads) and [reads, end) */
    uint32_t detail;             /* pipes index; branch: jumps index; proxy fence: its spelling */
};

/* Spellings of fence.proxy.async*: the full form, and those that it is wider than. */
enum { PROGRAM_PROXY_FULL, PROGRAM_PROXY_NARROW_FIRST, PROGRAM_PROXY_NARROW_LAST = 3 };

/* A branch before its labels are known. */
struct program_jump {
    uint32_t scope;
    struct span name;
    bool is_table; /* name is that of a .branchtargets list */
};

struct program_table {
    uint32_t scope, first, count; /* names.at[first …] */
    uint32_t block, used_at; /* its own, and the first branch through it; 0 when there is none */
};

struct program {
    struct str text;
    bool is_entry;
    const char *strange; /* why there is no verdict, NULL when understood */
    uint32_t strange_at; /* offset */
    struct VEC(struct program_instruction) instructions;
    struct VEC(uint32_t) registers;
    struct VEC(struct program_pipe) pipes;
    /* Block 0 is the entry. Blocks of tables are empty and stand behind those of the text, so that
     * n branches over n targets are 2n edges. */
    struct VEC(struct flow_block) blocks;
    struct VEC(uint32_t) succs;
    uint32_t register_count;
    /* While reading. */
    struct scope scope;
    struct intern operands, spellings;
    struct VEC(struct program_jump) jumps;
    struct VEC(struct program_jump) suspects; /* names in an unknown instruction: labels? */
    struct VEC(struct program_table) tables;
    struct VEC(struct str) names;
    uint32_t assume;
    bool all_reads, has_group;
    uint32_t cta_group;
};

void program_free(struct program *program);

/* Remembers the first reason for no verdict. */
void program_give_up(struct program *program, uint32_t at, const char *why);

#endif

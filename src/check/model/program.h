/* One function body as instructions and basic blocks. */
#ifndef PTXOPT_CHECK_MODEL_PROGRAM_H
#define PTXOPT_CHECK_MODEL_PROGRAM_H

#include "check/model/effect.h"
#include "check/model/flow.h"
#include "check/model/opcode.h"
#include "check/model/scope.h"

#define PROGRAM_NONE UINT32_MAX

enum { PROGRAM_PIPE_REGISTERS = 16, PROGRAM_PIPE_SCALES = 2 };
/* Numbers of registers are below the one; of ranges up to the other. */
enum { PROGRAM_REGISTERS = 1 << 30, PROGRAM_REGISTERS_DECLARED = 1 << 28 };

/* What decides whether two mma/cp/shift are a pipelined pair. Operands are numbered so that
 * equal numbers are the same text over the same registers; NONE where there is none. */
struct program_pipe {
    uint32_t effect;     /* CHECK_EFFECT_MMA, _CP or _SHIFT */
    uint32_t is_strange; /* not understood: pairs with nothing */
    uint32_t is_4x256b;
    uint32_t form;        /* the modifiers */
    uint32_t descriptor;  /* mma: idesc */
    uint32_t place;       /* in tensor memory: an mma's D, or what a cp or shift writes */
    uint32_t a, metadata; /* of an mma, where they are in tensor memory */
    uint32_t scales[PROGRAM_PIPE_SCALES];
    uint32_t register_count;
    uint32_t registers[PROGRAM_PIPE_REGISTERS]; /* that all these operands are made of */
};

/* One that does more than work on registers and ordinary memory, or begins a block. */
struct program_instruction {
    struct span span;
    uint8_t effect, flags; /* effect.h */
    bool guarded : 1, negated : 1;
    bool receives : 1, receives_relaxed : 1, publishes_relaxed : 1; /* enum check_effect_word */
    bool deleted;                                                   /* not in AFTER */
    bool joined;                 /* a commit with the guard of a removed fence before it */
    bool leads;                  /* a label is in front */
    uint8_t work_touches;        /* memory, by the work after it: enum touch */
    uint32_t guard;              /* register */
    uint32_t writes, reads, end; /* registers.at[writes, reads) and [reads, end) */
    uint32_t detail;             /* pipes index; branch: jumps index; proxy fence: its spelling */
    uint32_t work;               /* what follows it up to the next: touches.at[work …) */
    /* Of a load: the instruction that stores its value further on in straight code, or after which
     * that is done by work; NONE when nothing does. */
    uint32_t stored;
};

/* A register that an instruction writes (or reads, where that counts) which does nothing else. */
struct program_touch {
    uint32_t at; /* where the statement starts */
    uint32_t reg : 30, guarded : 1, reads : 1;
};

/* Spellings of fence.proxy.async*: the full form, and those that it is wider than. */
enum { PROGRAM_PROXY_FULL, PROGRAM_PROXY_NARROW_FIRST, PROGRAM_PROXY_NARROW_LAST = 3 };

struct called;
struct called_summary;

/* What a call of the function of that name in the text does under these assumptions; never NULL.
 * *called is NULL at first, and stores what it has read. It is called_ask (called.h), given from
 * above since it reads bodies itself. */
typedef const struct called_summary *called_asker(struct called **called, struct str text,
                                                  struct str name, uint32_t assume);

/* A branch before its labels are known. */
struct program_jump {
    uint32_t scope;
    struct span name;
    bool is_table; /* name is that of a .branchtargets list */
    bool is_back;  /* without a name, to instruction number back */
    uint32_t back;
};

struct program_table {
    uint32_t scope, first, count; /* names.at[first …] */
    uint32_t block, used_at; /* its own, and the first branch through it; 0 when there is none */
};

/* Where a number may be of either, it is one of an instruction, or this and one of a touch. */
#define PROGRAM_TOUCH (1u << 31)

/* The load that a register's value comes from. Only while a body is read. */
struct program_values {
    struct VEC(uint32_t) load_in; /* by register: an instruction, or NONE */
    uint32_t first;               /* loads in front of this one do not count any more */
    uint32_t pending;             /* loads whose value nothing has stored yet */
};

struct program {
    struct str text;
    struct span body; /* behind its opening brace, to behind the closing one */
    bool is_entry;
    const char *strange; /* why there is no verdict, NULL when understood */
    uint32_t strange_at; /* offset */
    struct statement_sites sites;
    struct VEC(struct program_instruction) instructions;
    struct VEC(struct program_touch) touches;
    struct VEC(uint32_t) registers;
    struct VEC(struct program_pipe) pipes;
    /* Block 0 is the entry. Blocks of tables are empty and follow those of the text, so that
     * n branches over n targets are 2n edges. */
    struct VEC(struct flow_block) blocks;
    struct VEC(uint32_t) succs;
    uint32_t register_count;
    /* While reading. */
    struct arena arena;
    struct opcode_memo *opcodes; /* of the text */
    called_asker *ask_called;    /* of it, too; NULL: calls may do anything */
    struct called **called;      /* for that */
    struct scope scope;
    struct intern operands, spellings;
    struct VEC(struct program_jump) jumps;
    struct VEC(struct program_jump) suspects; /* names in an unknown instruction, perhaps labels */
    struct VEC(struct program_table) tables;
    struct VEC(struct str) names;
    struct program_values values;
    uint32_t assume;
    bool all_reads, follows_values;
    bool has_group, has_clocks; /* has_clocks: of the whole text */
    bool calls_access;          /* what it calls may load or store tensor memory */
    uint32_t callees_register;  /* in one for all, if so */
    uint32_t cta_group;
};

void program_free(struct program *program);

/* The statement of an instruction or of a touch. */
struct span program_span(const struct program *program, uint32_t number);

/* The first of the touches after instruction number i, which end where those of the next begin. */
static inline uint32_t program_touches(const struct program *program, uint32_t i)
{
    return i < program->instructions.count ? program->instructions.at[i].work
                                           : program->touches.count;
}

/* The last instruction; there is one. */
static inline struct program_instruction *program_last(const struct program *program)
{
    return &program->instructions.at[program->instructions.count - 1];
}

/* Whether the next instruction is in the middle of a block, unless a label is in front. */
static inline bool program_in_block(const struct program *program)
{
    if (!program->instructions.count) return false;
    uint8_t last = program_last(program)->effect;
    return last != CHECK_EFFECT_BRANCH && last != CHECK_EFFECT_INDEXED &&
           last != CHECK_EFFECT_RET && last != CHECK_EFFECT_EXIT;
}

/* Adds a touch after the last instruction. */
static inline void program_touch(struct program *program, uint32_t at, uint32_t reg, bool guarded,
                                 bool reads)
{
    vec_push(&program->touches, (struct program_touch){.at = at,
                                                       .reg = reg & (PROGRAM_REGISTERS - 1),
                                                       .guarded = guarded,
                                                       .reads = reads});
}

/* Remembers the first reason for no verdict. */
void program_give_up(struct program *program, uint32_t at, const char *why);

#endif

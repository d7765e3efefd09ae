/* One function body as instructions and basic blocks. */
#ifndef PTXOPT_CHECK_MODEL_PROGRAM_H
#define PTXOPT_CHECK_MODEL_PROGRAM_H

#include "check/model/effect.h"
#include "check/model/flow.h"
#include "check/model/opcode.h"
#include "check/model/scope.h"

#define PROGRAM_NONE UINT32_MAX

enum { PROGRAM_PIPE_REGISTERS = 16, PROGRAM_PIPE_SCALES = 2 };
/* Limits: register numbers are below PROGRAM_REGISTERS; declared ranges use those below
 * PROGRAM_REGISTERS_DECLARED. */
enum { PROGRAM_REGISTERS = 1 << 30, PROGRAM_REGISTERS_DECLARED = 1 << 28 };

/* The properties that decide whether two mma, cp or shift are a pipelined pair. Operands are
 * numbered: equal numbers mean equal text with the same registers; NONE: there is none. */
struct program_pipe {
    uint32_t effect;     /* CHECK_EFFECT_MMA, _CP or _SHIFT */
    uint32_t is_strange; /* not understood; pairs with nothing */
    uint32_t is_4x256b;
    uint32_t form;        /* the modifiers */
    uint32_t descriptor;  /* mma: idesc */
    uint32_t place;       /* in tensor memory: D of an mma, or the destination of a cp or shift */
    uint32_t a, metadata; /* of an mma, if they are in tensor memory */
    uint32_t scales[PROGRAM_PIPE_SCALES];
    uint32_t register_count;
    uint32_t registers[PROGRAM_PIPE_REGISTERS]; /* all registers in these operands */
};

/* An instruction that does more than work on registers and ordinary memory, or that begins a
 * block. */
struct program_instruction {
    struct span span;
    uint8_t effect, flags; /* effect.h */
    bool guarded : 1, negated : 1;
    bool receives : 1, receives_relaxed : 1, publishes_relaxed : 1; /* enum check_effect_word */
    bool deleted;                                                   /* removed in AFTER */
    bool early;                  /* or may do something that is; see CHECK_EFFECT_EARLY */
    bool joined;                 /* a commit with the guard of a removed fence before it */
    bool leads;                  /* a label is in front */
    uint8_t work_touches;        /* enum touch: memory that the touches after it access */
    uint32_t guard;              /* register */
    uint32_t writes, reads, end; /* registers.at[writes, reads) and [reads, end) */
    uint32_t detail;             /* pipes index; branch: jumps index; proxy fence: its spelling */
    uint32_t work; /* its touches, up to those of the next instruction: touches.at[work …) */
    /* Of a load of which only stores in straight-line code need a value, if values are followed:
     * the last one, or the instruction after which it comes; NONE otherwise. */
    uint32_t stored;
};

/* A register that an ordinary instruction writes (or reads, if reads are recorded). */
struct program_touch {
    uint32_t at; /* offset of the statement */
    uint32_t reg : 30, guarded : 1, reads : 1;
};

/* Spellings of fence.proxy.async*: the full form, and the narrower forms. */
enum { PROGRAM_PROXY_FULL, PROGRAM_PROXY_NARROW_FIRST, PROGRAM_PROXY_NARROW_LAST = 3 };

struct called;
struct called_summary;

/* Returns what a call of the function `name` in the text does under these assumptions; never NULL.
 * *called is NULL at first, and stores the summaries. It is called_ask (called.h), passed as a
 * pointer because it uses body.h. */
typedef const struct called_summary *called_asker(struct called **called, struct str text,
                                                  struct str name, uint32_t assume);

/* A branch before its labels are known. */
struct program_jump {
    uint32_t scope;
    struct span name;
    bool is_table; /* name is the label of a .branchtargets list */
    bool is_back;  /* a branch without a name, to instruction number back */
    uint32_t back;
};

struct program_table {
    uint32_t scope, first, count; /* names.at[first …] */
    /* Its own block, and the first branch that uses it; 0: none. */
    uint32_t block, used_at;
};

/* A number that may mean either is that of an instruction, or this bit with that of a touch. */
#define PROGRAM_TOUCH (1u << 31)

/* While values are followed (value.h); loads are numbered from 1, 0 is none. */
struct value_register {
    uint32_t load;   /* that its value may come from */
    bool reads_left; /* there is a read of the register that is not known to end in a store */
};

struct value_load {
    uint32_t instruction, stored; /* stored: as in struct program_instruction */
    uint32_t with;                /* a later load with a value in common */
    bool needed;                  /* by something other than a store */
};

/* A register with a value of a load at the end of straight-line code. */
struct value_rest {
    uint32_t reg, load;
};

struct program_values {
    struct VEC(struct value_register) registers; /* by number */
    struct VEC(struct value_load) loads;
    struct VEC(struct value_rest) rests;
    struct VEC(uint32_t) holders; /* registers that got a value in this straight-line code */
    struct VEC(uint32_t) written; /* loads with values in memory that may be loaded again */
    uint32_t first;               /* number of loads before this straight-line code */
};

struct program {
    struct str text;
    struct span body; /* from after its opening to after its closing brace */
    bool is_entry;
    const char *strange; /* why there is no verdict; NULL: the body is understood */
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
    called_asker *ask_called;    /* of the text; NULL: calls may do anything */
    struct called **called;      /* data of ask_called */
    struct scope scope;
    struct intern operands, spellings;
    struct VEC(struct program_jump) jumps;
    struct VEC(struct program_jump) suspects; /* names in unknown instructions, perhaps labels */
    struct VEC(struct program_table) tables;
    struct VEC(struct str) names;
    struct program_values values;
    uint32_t assume;
    bool all_reads, follows_values;
    bool has_group, has_clocks; /* has_clocks: of the whole text */
    bool calls_access;          /* callees may load or store tensor memory */
    uint32_t callees_register;  /* if calls_access: the one register of all callees */
    uint32_t cta_group;
};

void program_free(struct program *program);

/* Returns the span of the statement of an instruction or touch. */
struct span program_span(const struct program *program, uint32_t number);

/* Returns the first touch after instruction i; they end where those of the next instruction
 * begin. */
static inline uint32_t program_touches(const struct program *program, uint32_t i)
{
    return i < program->instructions.count ? program->instructions.at[i].work
                                           : program->touches.count;
}

/* Returns the last instruction; there must be one. */
static inline struct program_instruction *program_last(const struct program *program)
{
    return &program->instructions.at[program->instructions.count - 1];
}

/* Whether the next instruction continues a block, unless a label is before it. */
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

/* Stores a reason for no verdict, if it is the first one. */
void program_give_up(struct program *program, uint32_t at, const char *why);

#endif

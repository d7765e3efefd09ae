/* The typed view of a module: functions, instructions, operands with resolved registers. Immutable
 * once built; spans are byte offsets into the source. */
#ifndef PTXOPT_PTX_VIEW_H
#define PTXOPT_PTX_VIEW_H

#include "ptx/opcode.h"
#include "syntax/reader.h"
#include "text/source.h"

/* A register, symbol or special register: name and the scope that declares it. Dense per
 * function. */
typedef uint32_t reg_id;
#define REG_NONE UINT32_MAX

struct use {
    reg_id reg;
    bool write;
};

enum operand_kind { OPERAND_NAME, OPERAND_ADDRESS, OPERAND_VECTOR, OPERAND_OTHER };

struct operand {
    struct span span;
    enum operand_kind kind;
    uint32_t first_use, use_count; /* into function.uses */
};

struct instr {
    struct span span; /* from the guard or opcode through the ';' */
    const struct opcode *opcode;
    uint32_t first_operand, operand_count; /* into function.operands */
    uint32_t first_use, use_count;         /* guard included; into function.uses */
    reg_id guard;                          /* REG_NONE when it always runs */
    bool guard_negated;
    uint8_t proxy;     /* enum proxy_fence */
    uint8_t shape;     /* enum tcgen05_shape */
    uint8_t space;     /* enum memory_space */
    uint32_t spelling; /* equal for equally spelled opcodes, modifiers included */
    uint32_t scope;    /* the innermost block around it */
};

struct label {
    uint32_t scope, target; /* index of the instruction that follows it */
    struct str name;
};

/* A place in the CUDA source: the file by its number in .file; line 0 is none. */
struct loc_place {
    uint32_t file, line, column;
};

/* A .loc: the line of the CUDA source that instructions from first on come from. */
struct loc {
    uint32_t first;
    struct loc_place at, inlined_at;
};

/* A .file: the source that .loc calls by number; the name without its quotes. */
struct source_file {
    uint32_t number;
    struct str name;
};

/* A tensor-memory load with a value that a later store of the same straight code needs. Behind
 * is the first event, an instruction that is not neutral, after that store. */
struct stored {
    uint32_t load, behind;
};

/* A .branchtargets table: names [first, first + count) of function.targets. */
struct target_list {
    uint32_t scope, first, count;
    struct str name;
};

struct function {
    struct str name;
    struct span span;
    bool is_entry;
    uint8_t cta_group; /* that its tcgen05 instructions name; 0: none does */
    /* What the optimizer cannot judge; the function is not changed. NULL when it can. */
    const char *unsupported, *unsupported_why;
    uint32_t unsupported_at; /* byte offset */

    struct instr *instrs; /* the last one is the end of the body, an exit without text */
    uint32_t count;
    uint32_t
        *notable; /* instructions that may order anything, or branch; the others only compute */
    uint32_t notable_count;
    struct operand *operands;
    struct use *uses;
    uint32_t operand_count, use_count;
    uint32_t *scope_parent; /* scope 0 is the body, its own parent */
    uint32_t scope_count;
    struct label *labels;
    uint32_t label_count;
    struct target_list *target_lists;
    uint32_t target_list_count;
    struct str *targets;
    struct loc *locs; /* ascending by first */
    uint32_t loc_count;
    struct stored *stored; /* ascending by load; see stored.h */
    uint32_t stored_count;
    uint32_t reg_count;
};

struct view {
    const struct source *source;
    struct function *functions; /* those that name tcgen05 or a proxy fence in the text */
    uint32_t count;
    uint32_t function_count;       /* all definitions in the file */
    uint32_t isa_major, isa_minor; /* of .version; 0.0 without one */
    uint32_t version_at;           /* byte offset of that */
    bool has_version;
    struct span unknown_target; /* the first name after a .target that is not known; or empty */
    struct source_file *files;
    uint32_t file_count;
    struct view_registers *registers; /* see view_declares_registers */
};

/* Begins to read a view; what is not a function's is in arena. reader is borrowed until the
 * end. */
struct view_reader;
struct view_reader *view_read(struct view *view, struct reader *reader, const struct source *source,
                              struct arena *arena);

/* From here on all operands and uses are kept, of what only computes, too. */
void view_keep_all(struct view_reader *reader);

/* From here on every function is worth a view. */
void view_keep_unmentioned(struct view_reader *reader);

/* The next function that is worth a view, until the one after it is read; false when there is
 * none. */
bool view_next(struct view_reader *reader, struct function *function);

/* Ends it. False when the reader met what it cannot read: the view does not count then. */
bool view_read_end(struct view_reader *reader);

/* Whether the text declares registers outside of functions. Found when first needed, by a pass
 * over the text but for the body of one function, and kept in the arena of view_read. function: its
 * span. */
bool view_declares_registers(const struct view *view, struct span function);

/* Only the text in front of the first function. */
void view_read_head(struct view *view, struct reader *reader, const struct source *source,
                    struct arena *arena);

/* The same for all functions at once, in arena. all: see view_keep_all. */
bool view_build(struct view *view, struct reader *reader, const struct source *source, bool all,
                struct arena *arena);

/* The .loc in force at an instruction; NULL without one. */
const struct loc *view_loc(const struct function *function, uint32_t instr);

/* The instruction's text without guard, blanks and comments between its words: "tcgen05.wait::ld.
 * sync.aligned"; for messages. Lives in arena. */
const char *view_text(const struct view *view, const struct instr *instr, struct arena *arena);

/* The same of an instruction with that span, which is not the end of the body. */
const char *view_span_text(const struct source *source, struct span span, struct arena *arena);

struct buf;
void view_dump(const struct view *view, struct arena *arena, struct buf *out);

#endif

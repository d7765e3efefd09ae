/* The typed view of a module: functions, instructions, and operands with resolved registers.
 * Immutable once built. Spans are byte offsets in the source. */
#ifndef PTXOPT_PTX_VIEW_H
#define PTXOPT_PTX_VIEW_H

#include "ptx/opcode.h"
#include "syntax/reader.h"
#include "text/source.h"

/* A register, symbol or special register: a name and the scope that declares it. Numbered from 0 in
 * each function. */
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
    uint32_t first_use, use_count; /* index of function.uses */
};

struct instr {
    struct span span; /* from the guard or opcode to the ';', included */
    const struct opcode *opcode;
    uint32_t first_operand, operand_count; /* index of function.operands */
    uint32_t first_use, use_count;         /* including the guard; index of function.uses */
    reg_id guard;                          /* REG_NONE: it always runs */
    bool guard_negated;
    uint8_t proxy;     /* enum proxy_fence */
    uint8_t shape;     /* enum tcgen05_shape */
    uint8_t space;     /* enum memory_space */
    uint32_t spelling; /* the same for opcodes with equal text, including modifiers */
    uint32_t scope;    /* the innermost block around it */
};

struct label {
    uint32_t scope, target; /* target: index of the instruction after it */
    struct str name;
};

/* A place in the CUDA source. file: its number in .file. line 0: none. */
struct loc_place {
    uint32_t file, line, column;
};

/* A .loc directive: the CUDA line for the instructions from first on. */
struct loc {
    uint32_t first;
    struct loc_place at, inlined_at;
};

/* A .file directive: the source file to which .loc refers by number. name: without its quotes. */
struct source_file {
    uint32_t number;
    struct str name;
};

/* A tensor memory load of which only stores in the same straight code need a value. behind: the
 * first event (an instruction that is not neutral) after the last of them. */
struct stored {
    uint32_t load, behind;
};

/* A .branchtargets table: the names [first, first + count) of function.targets. */
struct target_list {
    uint32_t scope, first, count;
    struct str name;
};

struct function {
    struct str name;
    struct span span;
    bool is_entry;
    uint8_t cta_group; /* of its tcgen05 instructions; 0: none has one */
    /* Why the optimizer cannot judge the function, which is then not changed; NULL: it can. */
    const char *unsupported, *unsupported_why;
    uint32_t unsupported_at; /* byte offset */

    struct instr *instrs; /* the last one is the end of the body, an exit without text */
    uint32_t count;
    uint32_t
        *notable; /* instructions that may order something, or branch; the others only compute */
    uint32_t notable_count;
    struct operand *operands;
    struct use *uses;
    uint32_t operand_count, use_count;
    uint32_t *scope_parent; /* scope 0 is the body and its own parent */
    uint32_t scope_count;
    struct label *labels;
    uint32_t label_count;
    struct target_list *target_lists;
    uint32_t target_list_count;
    struct str *targets;
    struct loc *locs; /* sorted by first */
    uint32_t loc_count;
    struct stored_search *search; /* finds stored when stored_of asks; NULL: stored is known */
    struct stored *stored;        /* sorted by load; call stored_of */
    uint32_t stored_count;
    uint32_t reg_count;
    uint32_t spelling_count; /* instr.spelling is less */
};

struct view {
    const struct source *source;
    struct function *functions; /* those that mention tcgen05 or a proxy fence in the text */
    uint32_t count;
    uint32_t function_count;       /* number of functions that the text defines */
    uint32_t isa_major, isa_minor; /* of .version; 0.0 without one */
    uint32_t version_at;           /* byte offset of .version's number */
    bool has_version;
    struct span unknown_target; /* the first unknown name in a .target; empty: none */
    struct source_file *files;
    uint32_t file_count;
    struct view_registers *registers; /* see view_declares_registers */
};

/* Begins to read a view. Its data, except that of functions, is in arena. reader is borrowed until
 * view_read_end. */
struct view_reader;
struct view_reader *view_read(struct view *view, struct reader *reader, const struct source *source,
                              struct arena *arena);

/* From now on, all operands and uses are kept, also those of instructions that only compute. */
void view_keep_all(struct view_reader *reader);

/* From now on, the .loc of functions are not kept. Only reports need them. */
void view_leave_out_locs(struct view_reader *reader);

/* From now on, view_next returns every function, whatever it mentions. */
void view_keep_unmentioned(struct view_reader *reader);

/* The next function that mentions something for a rule. It is valid until the next call. False if
 * there is none. */
bool view_next(struct view_reader *reader, struct function *function);

/* Ends reading. False if the reader found something that it cannot read: then the view must not be
 * used. */
bool view_read_end(struct view_reader *reader);

/* True if the text declares registers outside of functions. Found on the first call, by a pass over
 * the text except the body of the function with that span, and kept in the arena of view_read. */
bool view_declares_registers(const struct view *view, struct span function);

/* Reads only the text before the first function. */
void view_read_head(struct view *view, struct reader *reader, const struct source *source,
                    struct arena *arena);

/* Reads all functions at once, into arena. all: see view_keep_all. False as view_read_end. */
bool view_build(struct view *view, struct reader *reader, const struct source *source, bool all,
                struct arena *arena);

/* The .loc that applies to the instruction; NULL: none. */
const struct loc *view_loc(const struct function *function, uint32_t instr);

/* The text of the instruction for messages, without guard, blanks and comments between its words:
 * "tcgen05.wait::ld.sync.aligned". In arena. */
const char *view_text(const struct view *view, const struct instr *instr, struct arena *arena);

/* The same for the instruction with that span, which must not be the end of the body. */
const char *view_span_text(const struct source *source, struct span span, struct arena *arena);

struct buf;
void view_dump(const struct view *view, struct arena *arena, struct buf *out);

#endif

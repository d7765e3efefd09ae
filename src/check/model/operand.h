/* Reads the operands of an instruction, and the registers in them. */
#ifndef PTXOPT_CHECK_MODEL_OPERAND_H
#define PTXOPT_CHECK_MODEL_OPERAND_H

#include "check/model/program.h"

enum { OPERANDS_MAX = 24 };

/* One operand. */
struct operand {
    struct str canon; /* text with registers replaced by numbers; empty if not needed */
    bool is_address;
    uint32_t first, end; /* its registers are names[first, end) */
};

struct operands {
    struct operand at[OPERANDS_MAX];
    uint32_t count;
    uint32_t names[256];
    uint32_t name_count;
    uint32_t end; /* offset up to which they were read: the `;`, or after the first comma */
    bool as_written;
    char canon[2048];
    size_t canon_len;
};

enum operands_need { OPERANDS_FIRST, OPERANDS_ALL, OPERANDS_AS_WRITTEN };

/* Splits the operands up to `;`, or up to the first comma with OPERANDS_FIRST. Returns false if
 * they cannot be read. */
bool operands_read(struct program *program, uint32_t pos, enum operands_need need,
                   struct operands *operands);

/* Whether operand i of the instruction is a result. */
bool instruction_writes(const struct program_instruction *made, const struct operands *operands,
                        uint32_t i);

/* Returns the register with the name in span. */
uint32_t operand_register(struct program *program, struct span span);

#endif

/* Reads the shapes of mma from their descriptors. See mma_shape.h. */
#include "lint/mma_shape.h"

#include "value/instruction.h"

int64_t mma_shape(const struct lint *lint, uint32_t instr)
{
    enum { DESCRIPTOR = 3, SHAPE = 0x1f << 24 | 0x3f << 17 };
    struct value descriptor = value_of_operand(lint->subject, instr, DESCRIPTOR);
    bool known = lint_effect(lint, instr) == EFFECT_ASYNC_MMA && value_is_constant(descriptor) &&
                 !instruction_has(lint->subject, instr, ".block_scale") &&
                 !instruction_has(lint->subject, instr, ".ws");
    return known ? descriptor.offset & SHAPE : -1;
}

bool mma_shape_differs(const struct lint *lint, const struct tensor_op *a, int64_t shape_of_a,
                       const struct tensor_op *b, int64_t shape_of_b)
{
    return shape_of_a >= 0 && shape_of_b >= 0 && a->range_count && b->range_count &&
           (shape_of_a != shape_of_b || a->ranges[0].first != b->ranges[0].first) &&
           a->ranges[0].access == TMEM_WRITES && b->ranges[0].access == TMEM_WRITES &&
           tmem_overlap(lint->subject, &a->ranges[0], &b->ranges[0]);
}

/* What the rules of strict.h see: a node's children one after the other. */
#ifndef PTXOPT_SYNTAX_STRICT_RULE_H
#define PTXOPT_SYNTAX_STRICT_RULE_H

#include "syntax/strict.h"

/* A node that the walk is in, and what a rule keeps of the children that it has seen. */
struct strict_frame {
    enum cst_kind kind;
    uint32_t start;
    struct str word;    /* the last one that the rule tests again */
    enum cst_kind last; /* kind of the last child that counts */
    uint32_t count;     /* of children that count */
    uint8_t rank;       /* how far the rule's order has come */
    bool flag;
};

struct strict_child {
    enum cst_kind kind;
    enum cst_field field;
    struct str text;
    uint32_t at;
};

struct strict {
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    struct VEC(struct strict_frame) frames; /* from the root to the node */
    uint32_t found;
    bool is_newer; /* than the words that are known */
};

enum { STRICT_COMPLAINTS = 8 }; /* that are shown */

/* Says that text at that byte is a syntax error to ptxas. */
void strict_complain(struct strict *strict, uint32_t at, const char *text);

/* The node above the frame's; not of the root. */
static inline struct strict_frame *strict_above(struct strict_frame *frame)
{
    return frame - 1;
}

static inline bool strict_is_constant(const struct strict_child *child)
{
    return child->kind == CST_INTEGER ||
           (child->kind == CST_IDENTIFIER && str_is(child->text, "WARP_SZ"));
}

/* The test of a rule on one child of a node, and of a node after its last one. */
typedef void strict_rule(struct strict *strict, struct strict_frame *frame,
                         const struct strict_child *child);
typedef void strict_end(struct strict *strict, struct strict_frame *frame);

/* By the kind of the node; NULL for none. */
strict_rule *strict_operand_rule(enum cst_kind kind);
strict_rule *strict_declaration_rule(enum cst_kind kind);
strict_rule *strict_module_rule(enum cst_kind kind);
strict_end *strict_operand_end(enum cst_kind kind);
strict_end *strict_declaration_end(enum cst_kind kind);
strict_end *strict_module_end(enum cst_kind kind);

#endif

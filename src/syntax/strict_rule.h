/* The interface of the rules of strict.h: a rule gets the children of a node one after the other.
 */
#ifndef PTXOPT_SYNTAX_STRICT_RULE_H
#define PTXOPT_SYNTAX_STRICT_RULE_H

#include "syntax/strict.h"

/* A node on the path of the walk, and what its rule stores about the children that it has seen. */
struct strict_frame {
    enum cst_kind kind;
    uint32_t start;
    struct str word;    /* the last word that the rule tests again */
    enum cst_kind last; /* kind of the last child that counts */
    uint32_t count;     /* of children that count */
    uint8_t rank;       /* the rank of the last child, if the rule requires an order */
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
    bool is_newer; /* the version of the text is newer than the lists of words */
};

enum { STRICT_COMPLAINTS = 8 }; /* the most errors that are reported */

/* Reports that the text at byte `at` of the source is a syntax error for ptxas. text is the
 * message, borrowed. */
void strict_complain(struct strict *strict, uint32_t at, const char *text);

/* The node above the frame's node, which must not be the root. */
static inline struct strict_frame *strict_above(struct strict_frame *frame)
{
    return frame - 1;
}

static inline bool strict_is_constant(const struct strict_child *child)
{
    return child->kind == CST_INTEGER ||
           (child->kind == CST_IDENTIFIER && str_is(child->text, "WARP_SZ"));
}

/* Called for each child of a node, and for the node after its last child. */
typedef void strict_rule(struct strict *strict, struct strict_frame *frame,
                         const struct strict_child *child);
typedef void strict_end(struct strict *strict, struct strict_frame *frame);

/* The rule for a kind of node; NULL: none. */
strict_rule *strict_operand_rule(enum cst_kind kind);
strict_rule *strict_declaration_rule(enum cst_kind kind);
strict_rule *strict_module_rule(enum cst_kind kind);
strict_end *strict_operand_end(enum cst_kind kind);
strict_end *strict_declaration_end(enum cst_kind kind);
strict_end *strict_module_end(enum cst_kind kind);

#endif

/* The candidates that comments in the text keep. See text/directive.h. */
#ifndef PTXOPT_ENGINE_KEEPS_H
#define PTXOPT_ENGINE_KEEPS_H

#include "text/directive.h"

/* What one or more comments say of the same place. */
struct keep {
    struct span about;
    uint32_t rules, used;       /* bits 1 << index: rules that it excludes; that would remove it */
    const struct directive *by; /* the first of them */
};

struct keep_list VEC(struct keep);

/* A list of places is in order, and none in it meets another. Free with keeps_free. */
struct keeps {
    struct directive_list directives; /* all, in order */
    struct keep_list lines, nexts;    /* places that are lines, and others */
};

/* Fills *keeps, zero before, with what comments in the span of source say; see directive_find. */
void keeps_find(struct keeps *keeps, const struct source *source, struct span span);
void keeps_free(struct keeps *keeps);

/* The rules against which the comments keep the instruction in span; these comments are marked as
 * used. by is one such comment. */
uint32_t keeps_ask(struct keeps *keeps, struct span span, uint32_t rules,
                   const struct directive **by);

/* Appends what was found, and noted as used, in a later part of the text, which must outlive keeps.
 */
void keeps_append(struct keeps *keeps, const struct keeps *later);

/* Whether a comment of the list keeps something, among what was examined. */
bool keeps_used(const struct keeps *keeps, const struct directive *directive);

/* An edit that is not to be made because of its cost. Where the rules would allow it, why
 * finishes "kept because". */
struct given_up {
    uint64_t id;
    const char *why;
};

/* Why the edit with that id is one of them; NULL when it is none. */
const char *keeps_given_up(const struct given_up *given_up, uint32_t count, uint64_t id);

#endif

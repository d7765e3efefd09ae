/* Which candidates the comments in the text keep. See text/directive.h. */
#ifndef PTXOPT_ENGINE_KEEPS_H
#define PTXOPT_ENGINE_KEEPS_H

#include "text/directive.h"

/* What the comments about one place say. */
struct keep {
    struct span about;
    /* Bits 1 << index: rules that it excludes, and those of them that would remove the
     * instruction. */
    uint32_t rules, used;
    const struct directive *by; /* the first of these comments */
};

struct keep_list VEC(struct keep);

/* The places in each list are ascending and do not overlap. Free it with keeps_free. */
struct keeps {
    struct directive_list directives; /* all comments for ptxopt, in order */
    struct keep_list lines, nexts;    /* about a line, and about the next candidate */
};

/* Fills *keeps, which must be zero, with the comments in the span of source; see directive_find. */
void keeps_find(struct keeps *keeps, const struct source *source, struct span span);
void keeps_free(struct keeps *keeps);

/* Returns those of rules (bits 1 << index) that comments exclude for the instruction in span, and
 * marks these comments as used. *by is set to one of them. */
uint32_t keeps_ask(struct keeps *keeps, struct span span, uint32_t rules,
                   const struct directive **by);

/* Appends the comments of a later part of the text, and which of them were used. later must outlive
 * keeps. */
void keeps_append(struct keeps *keeps, const struct keeps *later);

/* Whether the comment has kept a candidate. */
bool keeps_used(const struct keeps *keeps, const struct directive *directive);

/* An edit that is not made because of its cost. why completes the sentence "kept because". */
struct given_up {
    uint64_t id;
    const char *why;
};

/* Returns why the edit with this id is not made; NULL if it may be made. */
const char *keeps_given_up(const struct given_up *given_up, uint32_t count, uint64_t id);

#endif

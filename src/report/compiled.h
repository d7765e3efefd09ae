/* Compiles a text with ptxas, once for all readers. */
#ifndef PTXOPT_REPORT_COMPILED_H
#define PTXOPT_REPORT_COMPILED_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "report/tool.h"

struct compiled {
    struct str text;   /* borrowed; set it, and zero the rest */
    const char *ptxas; /* borrowed: the program; NULL: the one on PATH */
    char *entries;     /* borrowed: the only kernels to assemble, with commas between; NULL: all */
    struct tool_clock *clock; /* borrowed: see tool.h */
    bool made;                /* the fields below are known */
    char *problem;            /* why there is no cubin, one line; NULL when there is one */
    struct buf cubin; /* with the table of lines that -lineinfo writes, which changes no code */
    char *messages;   /* what ptxas -v printed */
    char *arch;       /* of the text's .target; NULL when there is none */
};

/* Assembles the text for its own .target when it is first needed. Leaves no file
 * after, however the process ends. */
void compiled_make(struct compiled *compiled);

/* compiled_make of two texts at once, each of which counts for the clock; one after the other where
 * there is no thread for it. */
void compiled_make_both(struct compiled *one, struct compiled *other);

void compiled_free(struct compiled *compiled);

#endif

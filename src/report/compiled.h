/* Compiles a text with ptxas once. Figures, tables of lines and SASS use the result. */
#ifndef PTXOPT_REPORT_COMPILED_H
#define PTXOPT_REPORT_COMPILED_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "report/tool.h"

struct compiled {
    struct str text;          /* borrowed; the caller sets it, and sets the rest to zero */
    const char *ptxas;        /* borrowed: the program; NULL: ptxas on PATH */
    char *entries;            /* borrowed: only these kernels, separated by commas; NULL: all */
    struct tool_clock *clock; /* borrowed: see tool.h */
    bool made;                /* compiled_make has filled the fields below */
    char *problem;            /* one line that says why there is no cubin; NULL: there is one */
    struct buf cubin;         /* with the table of lines from -lineinfo, which changes no code */
    char *messages;           /* the output of ptxas -v */
    char *arch;               /* the first .target of the text; NULL: none */
};

/* Compiles the text for its own .target, unless that is already done. Leaves no file behind,
 * however the process ends. */
void compiled_make(struct compiled *compiled);

/* Calls compiled_make for two texts in parallel, or one after the other if no thread can be
 * created. Each counts for its clock. */
void compiled_make_both(struct compiled *one, struct compiled *other);

void compiled_free(struct compiled *compiled);

#endif

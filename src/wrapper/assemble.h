/* The real ptxas at work. */
#ifndef PTXOPT_WRAPPER_ASSEMBLE_H
#define PTXOPT_WRAPPER_ASSEMBLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "wrapper/text.h"

/* One call of the real ptxas. */
struct assembly {
    const char *real; /* its path */
    char **argv;      /* as we were called; argv[0] becomes real */
    int input;        /* the place of the text in argv; below 0: none */
    struct text text;
};

/* Becomes ptxas with the text as it is. Returns only when it cannot: the exit status, and a line on
 * standard error that says why. */
int assemble_as_it_is(const struct assembly *assembly);

/* What ptxas printed while it was held back. */
struct messages {
    struct buf out, error;
};

enum assembled {
    ASSEMBLED,
    REFUSED, /* ptxas ended with an error */
    CUT_OFF, /* it was killed, could not run, or there is no memory: another time it may end
                otherwise */
};

/* Runs ptxas with the file at path in place of the text (NULL: as we were called), and holds back
 * what it prints, in which the text has its own name. Unless it is ASSEMBLED, messages is as
 * before. After supervise_prepare. */
enum assembled assemble_held(const struct assembly *assembly, const char *path,
                             struct messages *messages);

/* Prints and frees them. After supervise_end: who does not listen ends us as it would end ptxas. */
void messages_print(struct messages *messages);

#endif

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

/* A run of ptxas with its output held back. */
struct holding {
    const struct assembly *assembly;
    const char *path; /* of the file in place of the text; NULL: as we were called */
    int out, error;   /* descriptors of what it prints */
};

/* Makes room for what ptxas prints; in any case end it with holding_end. False: there is none. */
bool holding_begin(struct holding *holding, const struct assembly *assembly, const char *path);
void holding_end(const struct holding *holding);

/* In a child: becomes ptxas. Returns only when it cannot. */
void holding_become_ptxas(const struct holding *holding);

/* What the end of that child means, a status of waitpid; when it is ASSEMBLED, messages has what
 * ptxas printed, in which the text has its own name, and else is as before. */
enum assembled holding_judge(const struct holding *holding, int status, struct messages *messages);

/* All of this: runs ptxas as we were called. After supervise_prepare. */
enum assembled assemble_held(const struct assembly *assembly, struct messages *messages);

/* Prints and frees them. After supervise_end: a closed reader ends us as it would end ptxas. */
void messages_print(struct messages *messages);

#endif

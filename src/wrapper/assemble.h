/* The real ptxas at work. */
#ifndef PTXOPT_WRAPPER_ASSEMBLE_H
#define PTXOPT_WRAPPER_ASSEMBLE_H

#include <stdbool.h>

/* One call of the real ptxas. */
struct assembly {
    const char *real; /* its path */
    char **argv;      /* as we were called; argv[0] becomes real */
    int input;        /* the place of the text in argv; below 0: none */
    int text;         /* the text as a descriptor, where argv has none that can be read again */
    bool by_stdin;    /* argv[input] is "-" */
};

/* Becomes ptxas with the text as it is. Returns only when it cannot: the exit status, and a line on
 * standard error that says why. */
int assemble_as_it_is(const struct assembly *assembly);

/* Runs ptxas with the file at path in place of the text. When it succeeds, its messages, which call
 * the text by its own name, are printed, and it is true; else nothing is printed. */
bool assemble_rewritten(const struct assembly *assembly, const char *path);

/* Runs ptxas with argv as it is and everything inherited, and waits; the status is waitpid's, or
 * 127 as an exit status. */
int assemble_and_wait(const struct assembly *assembly);

#endif

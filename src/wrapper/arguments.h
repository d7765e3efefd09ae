/* Reads a command line of ptxas as far as ptxopt-ptxas needs it. */
#ifndef PTXOPT_WRAPPER_ARGUMENTS_H
#define PTXOPT_WRAPPER_ARGUMENTS_H

#include <stdbool.h>

enum arguments_use {
    ARGUMENTS_ASSEMBLE, /* one text becomes one object */
    ARGUMENTS_VERSION,  /* ptxas prints its version */
    ARGUMENTS_OTHER, /* any other call, and one that is not understood: ptxas runs it unchanged */
};

struct arguments {
    enum arguments_use use;
    const char *why;    /* with ARGUMENTS_OTHER: the reason in a few words, static */
    int input;          /* index of the input in argv; negative: none */
    const char *output; /* path of the object, a pointer into argv; NULL: none */
    bool needs_lines;   /* an option requests line information, so lines must keep their numbers */
};

/* Reads argv[1..argc) by the rules of ptxas 12.9 to 13.4: the value of an option is the next word,
 * or follows "=". The value of a one-letter option that takes a number may also follow the letter
 * directly (-O3, -m64). An unknown option is only accepted in the form with "=", since otherwise
 * the next word may be its value. The result borrows from argv. */
struct arguments arguments_read(int argc, char *const *argv);

#endif

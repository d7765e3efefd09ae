/* A command line of ptxas, as far as it concerns us. */
#ifndef PTXOPT_WRAPPER_ARGUMENTS_H
#define PTXOPT_WRAPPER_ARGUMENTS_H

#include <stdbool.h>

enum arguments_use {
    ARGUMENTS_ASSEMBLE, /* one text becomes one object */
    ARGUMENTS_VERSION,  /* ptxas says which version it is */
    ARGUMENTS_OTHER,    /* anything else, and all that is not understood: not for us */
};

struct arguments {
    enum arguments_use use;
    const char *why;    /* with ARGUMENTS_OTHER: a few words, static */
    int input;          /* its place in argv; below 0: none was seen */
    const char *output; /* argv's; NULL: none was seen */
    bool needs_lines;   /* debuggers and profilers will look up lines of the text */
};

/* Understands argv[1..argc) as ptxas 12.9 to 13.4 does: an option's value is the next word, or
 * follows '='; of one-letter options that take a number it may also follow directly (-O3,
 * -m64). An option that is not known has no value but one after '='. */
struct arguments arguments_read(int argc, char *const *argv);

#endif

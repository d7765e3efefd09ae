/* The text of a call, read without ptxas missing it. */
#ifndef PTXOPT_WRAPPER_TEXT_H
#define PTXOPT_WRAPPER_TEXT_H

struct text {
    int fd;         /* all of it, from its start on; below 0: it cannot be read, or not twice */
    int descriptor; /* as which ptxas gets it ("-": 0); below 0: it opens the path itself */
    int instead;    /* what has to become that descriptor; below 0: nothing was taken from it */
};

/* Opens what path names as ptxas's input: a file, or a descriptor that is read once only, which is
 * kept in memory. Anything else (a named pipe, a device, a folder) is not touched. Where memory
 * does not take all of it, only ptxas can read it: fd is below 0, and instead is a pipe. */
struct text text_open(const char *path);

#endif

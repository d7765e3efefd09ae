/* A file that goes through as it is. */
#ifndef PTXOPT_CLI_PASSAGE_H
#define PTXOPT_CLI_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Open on what is in it from start on. */
struct passage {
    int fd;
    off_t start;
    size_t len;
};

/* Looks whether path ("-": standard input) is a regular file, too large to be read at once, of at
 * most limit bytes, that mentions nothing a rule could want. False: it is another, or cannot be
 * read; nothing is open, and nothing was taken from it. */
bool passage_open(struct passage *passage, const char *path, size_t limit);
void passage_close(struct passage *passage);

#endif

/* Copies an input that has nothing for the rules. */
#ifndef PTXOPT_CLI_PASSAGE_H
#define PTXOPT_CLI_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* An open file, whose content begins at start. */
struct passage {
    int fd;
    off_t start;
    size_t len;
};

/* Searches from start to the end of the file, and sets passage->len. False if there is a word that
 * a rule could use, an error, or more than limit bytes. */
bool passage_search(struct passage *passage, size_t limit);

/* True if path ("-": standard input) is a regular file that is worth copying in blocks, has at most
 * limit bytes and has nothing that a rule could use; then *passage is open, for passage_close.
 * Otherwise nothing is open, and nothing was read from standard input. */
bool passage_open(struct passage *passage, const char *path, size_t limit);
void passage_close(struct passage *passage);

/* How a pipe was handled. */
enum stream_end {
    STREAM_READ,   /* what was read is in text; the rest must still be read */
    STREAM_PASSED, /* all of it is in output, and has nothing that a rule could use */
    STREAM_FAILED, /* output cannot be written; error says why */
};

/* If standard input is a pipe, copies it to the regular file output, up to limit bytes, as long as
 * it has nothing that a rule could use. */
enum stream_end passage_stream(const char *output, size_t limit, struct buf *text,
                               struct buf *error);

#endif

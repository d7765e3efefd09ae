/* Copies an input that has nothing for a rule. */
#ifndef PTXOPT_CLI_PASSAGE_H
#define PTXOPT_CLI_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Open on its content from start on. */
struct passage {
    int fd;
    off_t start;
    size_t len;
};

/* Searches from start until the end of the file, which gives passage its length. False when there
 * is a word that a rule could use, an error, or more than limit bytes. */
bool passage_search(struct passage *passage, size_t limit);

/* Checks whether path ("-": standard input) is a regular file, too large to be read at once, of at
 * most limit bytes, that mentions nothing a rule could use. False: it is not, or cannot be
 * read; nothing is open, and nothing was taken from it. */
bool passage_open(struct passage *passage, const char *path, size_t limit);
void passage_close(struct passage *passage);

/* How far a pipe went. */
enum stream_end {
    STREAM_READ,   /* what was taken is in text; the rest is still to be read */
    STREAM_PASSED, /* all of it is in output, and mentions nothing that a rule could use */
    STREAM_FAILED, /* error says why output cannot be written */
};

/* Passes standard input, where that is a pipe, on to the regular file output as long as it mentions
 * nothing, up to limit bytes. */
enum stream_end passage_stream(const char *output, size_t limit, struct buf *text,
                               struct buf *error);

#endif

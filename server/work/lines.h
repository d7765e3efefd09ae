/* The lines of a batch: bytes as they are sent go in, lines come out. One thread may add while
 * another takes. */
#ifndef SERVER_WORK_LINES_H
#define SERVER_WORK_LINES_H

#include "server/base/service.h"

struct lines;

/* coding: of the body, NULL for none. */
struct lines *lines_new(struct service *service, const char *coding);
void lines_free(struct lines *lines);

/* Bytes of the body; they are reserved until they are decoded. False: --max-buffered or
 * the system has no room. */
bool lines_add(struct lines *lines, const char *bytes, size_t len);

/* The body is complete. */
void lines_finish(struct lines *lines);

/* Bytes that were added and are not decoded. */
size_t lines_undecoded(struct lines *lines);

enum lines_event {
    LINES_NONE,      /* nothing until more is added */
    LINES_SOME,      /* a block was decoded, no line is whole */
    LINES_LINE,      /* out is one, its bytes are reserved; the caller's now */
    LINES_BLANK,     /* one with nothing in it */
    LINES_LONG,      /* one over --max-body: left out */
    LINES_BUSY,      /* one that --max-buffered had no room for: left out */
    LINES_CORRUPT,   /* not what the coding says: nothing more comes */
    LINES_WINDOW,    /* a zstd window that is too large: nothing more comes */
    LINES_NO_MEMORY, /* to decode it: nothing more comes */
    LINES_MANY,      /* more than --max-batch-bytes: nothing more comes */
    LINES_END        /* the body is complete, and was taken */
};

/* The next one; decodes at most a block. */
enum lines_event lines_next(struct lines *lines, struct buf *out);

#endif

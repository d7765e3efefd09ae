/* Messages as they lie in a stream of bytes: a head, an empty line, a body. */
#ifndef PTXOPT_LSP_FRAME_H
#define PTXOPT_LSP_FRAME_H

#include "base/buf.h"
#include "base/str.h"

/* In bytes. */
struct frame {
    size_t head, body;
};

enum frame_end {
    FRAME_READ,   /* the head is whole; the body need not be */
    FRAME_MORE,   /* the head continues after these bytes */
    FRAME_BROKEN, /* where the next one begins is not known; error says what was expected */
};

/* Reads the head that bytes begin with ("Content-Length: N", other fields are passed over). error:
 * one line. */
enum frame_end frame_read(struct str bytes, struct frame *frame, struct buf *error);

#endif

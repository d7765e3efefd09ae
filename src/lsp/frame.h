/* Messages in a stream of bytes: a head, an empty line, a body. */
#ifndef PTXOPT_LSP_FRAME_H
#define PTXOPT_LSP_FRAME_H

#include "base/buf.h"
#include "base/str.h"

/* Lengths in bytes. */
struct frame {
    size_t head, body;
};

enum frame_end {
    FRAME_READ,   /* the head is complete; the body may not be */
    FRAME_MORE,   /* the head is not complete yet */
    FRAME_BROKEN, /* it is not known where the next message begins; error says what was expected */
};

/* Reads the head at the beginning of bytes ("Content-Length: N"; other fields are ignored). On
 * FRAME_BROKEN, error has one line. */
enum frame_end frame_read(struct str bytes, struct frame *frame, struct buf *error);

#endif

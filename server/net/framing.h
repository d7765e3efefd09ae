/* The strict parser of HTTP/1.x framing: finds where each request begins and ends. Bytes that
 * another program on the path might read differently (RFC 9112, sections 2.2, 3 to 7) are
 * refused, with everything after them. */
#ifndef SERVER_NET_FRAMING_H
#define SERVER_NET_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "server/net/fault.h"

/* Of one connection. Zero-initialise but for most_bytes: of a target, and of all header lines. */
struct framing {
    size_t most_bytes;
    enum {
        FRAMING_HEAD,
        FRAMING_BODY,
        FRAMING_SIZE,
        FRAMING_CHUNK,
        FRAMING_CHUNK_END,
        FRAMING_TRAILER,
        FRAMING_WHOLE, /* the request has ended; framing_next begins another */
        FRAMING_ENDED  /* nothing more is read as a request */
    } state;
    struct buf line;             /* the beginning of one */
    struct buf head;             /* lines that are right */
    size_t method_len, path_len; /* in head; 0: there is no request line yet */
    size_t field_bytes, field_count;
    unsigned hosts, lengths, codings;
    bool is_old;               /* HTTP/1.0 */
    uint64_t left;             /* of a body or chunk */
    const struct fault *fault; /* of the last request: its head, or its body when in_body */
    bool in_body;
};

/* Reads bytes as they came, at most to the end of the request, and appends to out what may be taken
 * for that request: chunks without extensions and trailers, header lines without needless blanks,
 * and without cookies, which are not used here. A request that is not right becomes one without
 * header lines and body, the last one; a body that is not right ends. Returns how many bytes it
 * took: fewer than len only when the request is WHOLE; what comes after ENDED is taken and dropped.
 */
size_t framing_add(struct framing *framing, const char *bytes, size_t len, struct buf *out);

/* So many bytes that come next are a body's: they may be handed on without framing_add, when
 * framing_pass is called with how many. */
size_t framing_passes(const struct framing *framing);
void framing_pass(struct framing *framing, size_t len);

/* After WHOLE: what comes next is another request. */
void framing_next(struct framing *framing);

void framing_free(struct framing *framing);

#endif

/* Queues messages of the client that are not handled yet. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_INBOX_H
#define PTXOPT_LSP_INBOX_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"

struct json_t;

/* Error codes of JSON-RPC and LSP 3.17. */
enum fault {
    FAULT_PARSE = -32700,
    FAULT_REQUEST = -32600,
    FAULT_METHOD = -32601,
    FAULT_PARAMS = -32602,
    FAULT_NOT_INITIALIZED = -32002,
    FAULT_CANCELLED = -32800,
};

/* A message. If value is NULL, fault and problem (one line, for mem_free) say why. */
struct letter {
    struct json_t *value;
    enum fault fault;
    char *problem;
};

/* Zero-initialised by the caller, except fd and limit. */
struct inbox {
    int fd;
    size_t limit; /* bytes of a message body; a larger one is skipped */
    struct buf bytes;
    size_t passing; /* bytes still to be skipped */
    struct VEC(struct letter) letters;
    uint32_t taken;
    bool ended;       /* the input has ended */
    struct buf error; /* why it ended; empty: the stream ended */
};

/* Reads once what is available. wait: waits until something is. */
void inbox_read(struct inbox *inbox, bool wait);

/* Removes the next message, which the caller then owns; false if there is none. */
bool inbox_take(struct inbox *inbox, struct letter *letter);
void letter_free(struct letter *letter);

/* The number of messages in the queue; the first is letters.at[taken]. */
static inline uint32_t inbox_waiting(const struct inbox *inbox)
{
    return inbox->letters.count - inbox->taken;
}

void inbox_free(struct inbox *inbox);

#endif

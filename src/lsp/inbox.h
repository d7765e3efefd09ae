/* Queues messages that the client has sent and that are not handled yet. Include
 * jansson.h before it. */
#ifndef PTXOPT_LSP_INBOX_H
#define PTXOPT_LSP_INBOX_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"

struct json_t;

/* Of JSON-RPC and LSP 3.17. */
enum fault {
    FAULT_PARSE = -32700,
    FAULT_REQUEST = -32600,
    FAULT_METHOD = -32601,
    FAULT_PARAMS = -32602,
    FAULT_NOT_INITIALIZED = -32002,
    FAULT_CANCELLED = -32800,
};

/* A message; where value is NULL, fault and problem (one line, for mem_free) say why. */
struct letter {
    struct json_t *value;
    enum fault fault;
    char *problem;
};

/* Zero-initialise but for fd and limit. */
struct inbox {
    int fd;
    size_t limit; /* bytes of a body; a larger one is passed over */
    struct buf bytes;
    size_t passing; /* bytes still to be passed over */
    struct VEC(struct letter) letters;
    uint32_t taken;
    bool ended;       /* nothing more comes */
    struct buf error; /* why, where it is not the end of the stream */
};

/* Reads what is there, once; wait: until something is. */
void inbox_read(struct inbox *inbox, bool wait);

/* The next letter, which is the caller's; false when there is none. */
bool inbox_take(struct inbox *inbox, struct letter *letter);
void letter_free(struct letter *letter);

/* The letters that are still to be taken; the first is at[taken]. */
static inline uint32_t inbox_waiting(const struct inbox *inbox)
{
    return inbox->letters.count - inbox->taken;
}

void inbox_free(struct inbox *inbox);

#endif

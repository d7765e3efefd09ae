/* Messages between ptxopt and ptxopt-post, over a connected stream socket. A message is a number of
 * fields that both sides know: first the length of each, then the bytes of each. */
#ifndef PTXOPT_CLI_RELAY_H
#define PTXOPT_CLI_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* The socket of ptxopt-post is its standard input. It first sends one field: why it cannot work, or
 * nothing. Then it answers each request. */
enum { RELAY_SOCKET = 0, RELAY_GREETING = 1 };
enum relay_request {
    RELAY_URL, /* this and the next five are strings with their NUL; no bytes: none */
    RELAY_UNIX,
    RELAY_TOKEN,
    RELAY_CA_FILE,
    RELAY_CLIENT_CERT,
    RELAY_CLIENT_KEY,
    RELAY_TEXT,
    RELAY_MOST,       /* size_t */
    RELAY_TIMEOUT_MS, /* long */
    RELAY_REQUEST
};
enum relay_answer {
    RELAY_OUTCOME, /* struct post_answer up to its body */
    RELAY_BODY,
    RELAY_ANSWER
};

/* Sends a message. False if the other side has gone, or at until_ns, a time of clock_ns (0: no time
 * limit). */
bool relay_send(int socket, const struct str *fields, size_t count, uint64_t until_ns);

/* Receives a message into fields, which point into bytes; the caller frees bytes with buf_free.
 * False also if the message is longer than most bytes. */
bool relay_receive(int socket, struct str *fields, size_t count, size_t most, struct buf *bytes,
                   uint64_t until_ns);

#endif

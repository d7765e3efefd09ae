/* Sends one request to a server, and receives its answer. */
#ifndef PTXOPT_CLI_POST_H
#define PTXOPT_CLI_POST_H

#include "base/buf.h"
#include "base/str.h"
#include "cli/loaded.h"

struct post {
    const char *url;
    const char *socket; /* path of a Unix socket; NULL: the host of the URL */
    const char *token;  /* NULL: none */
    /* PEM files. NULL: the authorities of the system, no certificate, and the key is in the file of
     * the certificate. */
    const char *ca_file, *client_cert, *client_key;
    struct str text; /* PTX */
    size_t most;     /* limit of the answer, in bytes */
    long timeout_ms;
};

/* Zero-initialised by the caller, who frees body with buf_free. */
struct post_answer {
    long status;          /* of HTTP; 0: there was no answer, and why has the cause */
    long retry_after_s;   /* seconds that the server requests; 0: none */
    bool for_good;        /* a repeated request would get the same answer */
    bool has_more_to_say; /* there are messages that are not in the body: functions that were not
                             changed, warnings */
    struct buf body;
    char why[128];
};

void post_send(const struct loaded *loaded, const struct post *post, struct post_answer *answer);

#endif

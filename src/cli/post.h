/* One request to a server, and its answer. */
#ifndef PTXOPT_CLI_POST_H
#define PTXOPT_CLI_POST_H

#include "base/buf.h"
#include "base/str.h"
#include "cli/loaded.h"

struct post {
    const char *url;
    const char *socket; /* the path of a unix socket; NULL: the URL's host */
    const char *token;  /* NULL: none */
    /* PEM files; NULL: the system's authorities, no certificate, a key in the certificate's file.
     */
    const char *ca_file, *client_cert, *client_key;
    struct str text; /* PTX */
    size_t most;     /* bytes of an answer */
    long timeout_ms;
};

/* Zero-initialise; buf_free(&body). */
struct post_answer {
    long status;          /* of HTTP; 0: there was none, and why has the cause */
    long retry_after_s;   /* as the server requests; 0: it does not */
    bool for_good;        /* it would be the same if repeated */
    bool has_more_to_say; /* functions that it did not change, warnings: they are not in the body */
    struct buf body;
    char why[128];
};

void post_send(const struct loaded *loaded, const struct post *post, struct post_answer *answer);

#endif

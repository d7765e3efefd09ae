/* Lets the program ptxopt-post send requests to a server, because a static program cannot load
 * libcurl. */
#ifndef PTXOPT_CLI_POST_H
#define PTXOPT_CLI_POST_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"

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

struct post_answer {
    long status;          /* of HTTP; 0: there was no answer, and why has the cause */
    long retry_after_s;   /* seconds that the server requests; 0: none */
    bool for_good;        /* a repeated request would get the same answer */
    bool has_more_to_say; /* there are messages that are not in the body: functions that were not
                             changed, warnings */
    char why[128];
    struct buf body;
};

/* A ptxopt-post that has no request at the moment. */
struct post_helper {
    pid_t process;
    int socket;
};

/* The programs that were started. Each sends one request at a time, so there are as many as
 * threads that have sent one at the same time. */
struct posts {
    char program[PATH_MAX];
    pthread_mutex_t mutex; /* protects idle */
    struct VEC(struct post_helper) idle;
};

/* Finds ptxopt-post and starts the first. False if it cannot be used, and error says why; then
 * there is nothing to close. */
bool posts_open(struct posts *posts, struct buf *error);

/* No request may be under way. */
void posts_close(struct posts *posts);

/* Sends one request. answer is zero-initialised by the caller, who frees its body with buf_free.
 * Can be called from several threads. */
void posts_send(struct posts *posts, const struct post *post, struct post_answer *answer);

#endif

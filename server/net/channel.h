/* The ways from connections to libmicrohttpd: socket pairs, one for each request under way. What
 * is written to ours is what framing.h accepted; what is read from it is the answer, or only its
 * head, if the link sends the body from the memory of the request. Of one thread.
 *
 * A channel that libmicrohttpd keeps open after an answer is used again within a second. */
#ifndef SERVER_NET_CHANNEL_H
#define SERVER_NET_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/str.h"
#include "server/net/source.h"
#include "server/net/timeouts.h"

struct link;

struct channel {
    struct source source; /* first: a source is cast to its channel */
    struct channels *of;
    struct link *link; /* its user; NULL: none, or one that has closed */
    void *request;     /* the engine's, NULL without one */
    struct str
        body; /* the part of the answer's body that is not sent yet; in the memory of request */
    int fd;   /* our end; -1: closed */
    bool can_read, can_write;
    bool is_watched;   /* for room to write, too */
    bool is_announced; /* the length of body was sent to the client */
    bool is_answered;  /* all of the answer but body was written to it */
    bool is_joined;    /* the engine has the other end, and would take another request */
    struct timeout idle;
};

/* Gives the other end of a channel to the engine, which closes it; false: it did already. */
typedef bool join_function(void *engine, struct channel *channel, int fd);

/* Of a thread. */
struct channels {
    int epoll, wake_fd; /* an eventfd that the thread waits for */
    join_function *join;
    void (*abandon)(void *request);              /* its answer is no longer needed */
    void (*finish)(void *request, bool is_sent); /* and what it owns; is_sent: all of its answer */
    void *engine;
    atomic_uint *busy;    /* how many are in use, of all threads: neither idle nor closed at both
                           * ends */
    struct timeouts idle; /* those that are */
    unsigned idle_count;
};

void channels_init(struct channels *channels);

/* NULL: the system has no more files or memory. */
struct channel *channel_take(struct channels *channels, struct link *link);

/* The channel takes no more bytes now: an event (EPOLLOUT) follows when it does. */
void channel_wait(struct channel *channel);

/* The request is answered and the engine keeps the channel open: another may use it. now_us: by
 * clock_now_us. */
void channel_release(struct channel *channel, uint64_t now_us);

/* The user releases the channel, whatever is in progress. */
void channel_leave(struct channel *channel);

/* Ends its request, if there is one, and with it body. is_sent: all of the answer was. */
void channel_finish(struct channel *channel, bool is_sent);

/* The engine has closed its end. */
void channel_part(struct channel *channel);

/* Tells the engine's thread that there is work; any thread may call it. */
void channels_wake(struct channels *channels);

/* Closes those that are idle for too long by now_us; UINT64_MAX: all of them. */
void channels_tidy(struct channels *channels, uint64_t now_us);

#endif

/* A client's connection. Bytes from the client go to framing.h, accepted requests to a channel,
 * and answers from the channel to the client. A link has a channel only while a request is
 * being answered. One thread uses it, except for link_new. */
#ifndef SERVER_NET_LINK_H
#define SERVER_NET_LINK_H

#include <netinet/in.h>

#include "base/buf.h"
#include "server/base/metrics.h"
#include "server/base/network.h"
#include "server/base/settings.h"
#include "server/net/addresses.h"
#include "server/net/channel.h"
#include "server/net/framing.h"
#include "server/net/timeouts.h"
#include "server/net/wire.h"

enum { LINK_BLOCK = 128 << 10 };

/* What happens next on it, and the time limit of that. */
enum link_phase {
    LINK_IDLE,   /* the client begins another request: --idle-timeout */
    LINK_HEAD,   /* it sends a head: --header-timeout */
    LINK_BODY,   /* it sends a body: --body-timeout, and --idle-timeout between two pieces */
    LINK_WORK,   /* the service works, which has another deadline */
    LINK_ANSWER, /* the client takes the answer: as a body */
    LINK_LINGER, /* it may still be sending while the last answer is on its way to it */
    LINK_CLOSED
};

union link_address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

/* Bytes that wait, from at. */
struct link_bytes {
    struct buf buf;
    size_t at;
};

struct link {
    struct source source; /* first: a source is cast to its link */
    struct links *of;
    struct link *next, *prev;
    struct link *next_ready;
    enum link_phase phase;
    bool is_ready;  /* in the list of those that can move on */
    bool hangs_up;  /* the end of what the client sends is there to be read */
    bool has_ended; /* and was read: the client sends no more */
    bool can_read, can_write;
    bool may_be_proxied;        /* it is a trusted proxy's, and has not begun yet */
    bool is_counted;            /* in addresses */
    union link_address address; /* the peer's, or what the PROXY protocol said */
    struct wire wire;
    struct timeout limit, quiet; /* of the phase; of nothing that moves */
    struct framing framing;
    struct channel *channel;
    struct link_bytes early; /* came with what was read, and belong to the next request */
    struct link_bytes in;    /* accepted, on their way to the channel */
    struct link_bytes out;   /* of the answer, on their way to the client */
};

/* The links of a thread. */
struct links {
    int epoll;
    struct channels channels;
    struct tls *tls; /* NULL: plain */
    struct addresses *addresses;
    const struct networks *trusted_proxies;
    struct metrics *metrics;
    size_t max_header;
    struct timeouts header, idle, body, linger;
    struct timeouts retry; /* for a channel */
    struct link *all, *closed;
    struct link *ready, **ready_end; /* in the order in which they became so */
    atomic_uint count;               /* those that are on their way here, too */
    uint64_t now_us;                 /* when epoll returned */
    bool is_fed;                     /* the engine has something to do */
    char block[LINK_BLOCK];
};

void links_init(struct links *links, const struct limits *limits);

/* Takes over fd; NULL when out of memory. */
struct link *link_new(int fd, const union link_address *address);

/* Adds a new link, or closes it when the system refuses. It is counted already: in links, metrics
 * and, if is_counted, addresses, until it is closed. */
void link_add(struct links *links, struct link *link);

/* Closes it, and abandons its request. links_tidy frees it: there may still be an event of it. */
void link_close(struct link *link);

/* Bytes of it may be moved; see flow.h. */
void link_make_ready(struct link *link);

/* Empties the list of those that are ready, and returns its first. Each is in it until is_ready is
 * false again. */
struct link *links_take_ready(struct links *links);

/* epoll reported events of the link or of its channel. */
void link_event(struct link *link, unsigned events);
void link_channel_event(struct channel *channel, unsigned events);

/* The engine has written the last byte of an answer. */
void link_answered(struct channel *channel);

/* Enters a phase, with all the time that it has. */
void link_wait(struct link *link, enum link_phase phase);

/* The fault of the head, or the body, of the request under way; NULL: none so far. */
const struct fault *link_fault(const struct link *link, bool in_body);

/* Closes those past their time, and frees the closed ones. */
void links_tidy(struct links *links);

/* When links_tidy has something to do, by clock_now_us; UINT64_MAX: never; 0: at once. */
uint64_t links_next(const struct links *links);

/* Tries to read on each link: those idle then wait for nothing. */
void links_read_all(struct links *links);

/* Closes those without a request for a second: a client that sends requests repeatedly may be
 * just about to. */
void links_close_idle(struct links *links);

void links_close(struct links *links);

#endif

/* The sockets that are listened on, and what systemd says about them. */
#ifndef SERVER_NET_LISTEN_H
#define SERVER_NET_LISTEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "server/base/settings.h"

struct listen {
    int fd;
    bool is_passed;   /* by systemd, which keeps what comes for the next start */
    bool is_local;    /* only this machine reaches it */
    char name[160];   /* the address with its real port */
    char unlink[120]; /* the path to remove at the end, or "" */
    dev_t device;     /* its identity when it was made: it is removed only if that is the same */
    ino_t inode;
    int lock; /* of a unix socket: held by the listening process; -1 for none */
};

enum { LISTEN_MOST = NAMES_MOST };

struct listens {
    struct listen at[LISTEN_MOST];
    unsigned count;
};

/* Opens the addresses of --listen, or takes the sockets that systemd passed. False: problem has one
 * line that says why. Nothing listens before listen_begin. */
bool listen_open(struct listens *listens, const struct settings *settings, char problem[256]);
bool listen_begin(const struct listens *listens, char problem[256]);

/* Once; a later call does nothing. */
void listen_close(struct listens *listens);

/* An IP address as text; NULL when it is none, as on a unix socket. */
struct sockaddr;
const char *listen_print(const struct sockaddr *address, struct arena *arena);

/* Notifies systemd ("READY=1", "STOPPING=1"); does nothing without it. */
void listen_notify(const char *state);
void listen_notify_reloading(void);

/* How often systemd expects WATCHDOG=1 from this process, in ms; 0: it does not. */
uint64_t listen_watchdog_ms(void);

#endif

/* Opens the sockets that are listened on, or takes those that systemd passes. */
#include "server/net/listen.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/base/clock.h"

enum { BACKLOG = 1024, SYSTEMD_FIRST = 3, PROBLEM = 256 };

static bool listen_fail(char *problem, const char *what, const char *why)
{
    snprintf(problem, PROBLEM, "%.120s: %.120s", what, why);
    return false;
}

static bool address_is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_UNIX) return true;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const void *)address;
        return ntohl(in->sin_addr.s_addr) >> 24 == 127;
    }
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

/* Fills in what the socket's own address says. */
static bool describe_socket(struct listen *listen, char *problem)
{
    struct sockaddr_storage storage = {0};
    const struct sockaddr *address = (const struct sockaddr *)&storage;
    socklen_t len = sizeof storage;
    char host[80], port[16];
    if (getsockname(listen->fd, (struct sockaddr *)&storage, &len) != 0)
        return listen_fail(problem, "the passed socket", strerror(errno));
    listen->is_local = address_is_loopback(address);
    if (address->sa_family == AF_UNIX) {
        snprintf(listen->name, sizeof listen->name, "unix:%.107s",
                 ((const struct sockaddr_un *)(const void *)address)->sun_path);
        return true;
    }
    if (getnameinfo(address, len, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return listen_fail(problem, "the passed socket", "has no address");
    bool six = address->sa_family == AF_INET6;
    snprintf(listen->name, sizeof listen->name, "%s%s%s:%s", six ? "[" : "", host, six ? "]" : "",
             port);
    return true;
}

/* Whoever holds PATH.lock owns PATH: a socket that is bound and does not listen yet looks just like
 * one that a killed service left. The file is kept, as removing it would let two hold it. */
static bool take_lock(struct listen *listen, const char *path, char *problem)
{
    char name[128];
    snprintf(name, sizeof name, "%s.lock", path);
    listen->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (listen->lock < 0) return listen_fail(problem, name, strerror(errno));
    return flock(listen->lock, LOCK_EX | LOCK_NB) == 0 ||
           listen_fail(problem, path, "in use by another ptxoptd");
}

static bool is_answered(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answered = connect(fd, (const void *)address, sizeof *address) == 0;
    close(fd);
    return answered;
}

static bool open_unix(struct listen *listen, const char *path, mode_t mode, char *problem)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat info;
    if (!*path || strlen(path) >= sizeof address.sun_path)
        return listen_fail(problem, path, "the path is empty or too long");
    memcpy(address.sun_path, path, strlen(path));
    if (!take_lock(listen, path, problem)) return false;
    if (lstat(path, &info) == 0 && S_ISSOCK(info.st_mode) && !is_answered(&address)) unlink(path);
    listen->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* No client may connect before it has its mode: it does not listen yet. */
    mode_t old = umask(0177);
    bool fine = listen->fd >= 0 && bind(listen->fd, (const void *)&address, sizeof address) == 0;
    umask(old);
    if (!fine) return listen_fail(problem, path, strerror(errno));
    if (lstat(path, &info) != 0) return listen_fail(problem, path, strerror(errno));
    snprintf(listen->unlink, sizeof listen->unlink, "%s", path);
    listen->device = info.st_dev;
    listen->inode = info.st_ino;
    if (chmod(path, mode) != 0) return listen_fail(problem, path, strerror(errno));
    return describe_socket(listen, problem);
}

static bool open_tcp(struct listen *listen, const char *text, char *problem)
{
    char host[128];
    const char *colon = strrchr(text, ':');
    struct addrinfo *found = NULL, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    if (!colon || !colon[1] || (size_t)(colon - text) >= sizeof host)
        return listen_fail(problem, text, "an address is HOST:PORT or unix:PATH");
    size_t len = (size_t)(colon - text), skip = 0;
    if (len > 1 && *text == '[' && colon[-1] == ']') skip = 1;
    snprintf(host, sizeof host, "%.*s", (int)(len - 2 * skip), text + skip);
    char *end;
    unsigned long port = strtoul(colon + 1, &end, 10);
    if (!isdigit((unsigned char)colon[1]) || *end || port > UINT16_MAX)
        return listen_fail(problem, text, "a port is 0 to 65535");
    int status = getaddrinfo(*host ? host : NULL, colon + 1, &hints, &found);
    if (status != 0) return listen_fail(problem, text, gai_strerror(status));
    listen->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;
    bool fine = listen->fd >= 0 &&
                setsockopt(listen->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                bind(listen->fd, found->ai_addr, found->ai_addrlen) == 0;
    int error = errno;
    freeaddrinfo(found);
    return fine ? describe_socket(listen, problem) : listen_fail(problem, text, strerror(error));
}

/* sd_listen_fds(3): how many sockets, the first of them SYSTEMD_FIRST, are for this process. */
static unsigned count_passed(void)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    if (!pid || !count || strtol(pid, NULL, 10) != (long)getpid()) return 0;
    long passed = strtol(count, NULL, 10);
    return passed > LISTEN_MOST ? LISTEN_MOST : passed > 0 ? (unsigned)passed : 0;
}

static bool open_address(struct listen *listen, const char *address, mode_t mode, char *problem)
{
    if (strncmp(address, "unix:", 5) == 0) return open_unix(listen, address + 5, mode, problem);
    return open_tcp(listen, address, problem);
}

bool listen_open(struct listens *listens, const struct settings *settings, char problem[256])
{
    char *end;
    const char *mode = settings->socket_mode;
    unsigned long bits = strtoul(mode, &end, 8);
    unsigned passed = count_passed(), count = passed ? passed : settings->listen.count;
    *listens = (struct listens){0};
    if (*end || !*mode || bits > 0777)
        return listen_fail(problem, mode, "--socket-mode is octal, as 0660");
    while (listens->count < count) {
        unsigned i = listens->count++;
        struct listen *listen = &listens->at[i];
        *listen = (struct listen){
            .fd = passed ? SYSTEMD_FIRST + (int)i : -1, .is_passed = passed, .lock = -1};
        bool fine = passed ? describe_socket(listen, problem)
                           : open_address(listen, settings->listen.at[i], (mode_t)bits, problem);
        if (!fine) return false;
    }
    return true;
}

bool listen_begin(const struct listens *listens, char problem[256])
{
    for (unsigned i = 0; i < listens->count; i++)
        if (listen(listens->at[i].fd, BACKLOG) != 0)
            return listen_fail(problem, listens->at[i].name, strerror(errno));
    return true;
}

static void close_one(struct listen *listen)
{
    struct stat info;
    if (*listen->unlink && lstat(listen->unlink, &info) == 0 && info.st_dev == listen->device &&
        info.st_ino == listen->inode)
        unlink(listen->unlink);
    if (listen->fd >= 0) close(listen->fd);
    if (listen->lock >= 0) close(listen->lock);
    listen->fd = listen->lock = -1;
}

void listen_close(struct listens *listens)
{
    while (listens->count) close_one(&listens->at[--listens->count]);
}

const char *listen_print(const struct sockaddr *address, struct arena *arena)
{
    char text[INET6_ADDRSTRLEN];
    const void *bytes = NULL;
    int family = address ? address->sa_family : AF_UNSPEC;
    if (family == AF_INET) bytes = &((const struct sockaddr_in *)(const void *)address)->sin_addr;
    if (family == AF_INET6) {
        const struct in6_addr *six =
            &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        bool is_four = IN6_IS_ADDR_V4MAPPED(six);
        bytes = is_four ? &six->s6_addr[12] : six->s6_addr;
        if (is_four) family = AF_INET;
    }
    if (!bytes || !inet_ntop(family, bytes, text, sizeof text)) return NULL;
    return arena_copy(arena, text, strlen(text));
}

/* sd_notify(3). */
void listen_notify(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || !*path || strlen(path) >= sizeof address.sun_path) return;
    memcpy(address.sun_path, path, strlen(path));
    if (*path == '@') address.sun_path[0] = 0;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    ssize_t sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const void *)&address, len);
    (void)sent;
    close(fd);
}

/* Type=notify-reload needs the time of it. */
void listen_notify_reloading(void)
{
    char state[64];
    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%llu",
             (unsigned long long)clock_now_us());
    listen_notify(state);
}

/* sd_watchdog_enabled(3) */
uint64_t listen_watchdog_ms(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (!usec || (pid && strtol(pid, NULL, 10) != (long)getpid())) return 0;
    return strtoull(usec, NULL, 10) / 1000;
}

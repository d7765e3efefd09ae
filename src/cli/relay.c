/* Sends and receives messages between ptxopt and ptxopt-post. See relay.h. */
#include "cli/relay.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"

/* Waits until the socket can be read or written. False at until_ns. */
static bool relay_wait(int socket, short events, uint64_t until_ns)
{
    enum { LONGEST_MS = 60000 };
    struct pollfd one = {.fd = socket, .events = events};
    for (;;) {
        uint64_t now = clock_ns(), left_ms = LONGEST_MS;
        if (until_ns && now >= until_ns) return false;
        if (until_ns && (until_ns - now) / 1000000 < LONGEST_MS)
            left_ms = (until_ns - now) / 1000000 + 1;
        int ready = poll(&one, 1, (int)left_ms);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

static bool is_transient(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static bool relay_write(int socket, const char *bytes, size_t len, uint64_t until_ns)
{
    while (len) {
        ssize_t n = send(socket, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && (!is_transient() || !relay_wait(socket, POLLOUT, until_ns))) return false;
        if (n > 0) bytes += n, len -= (size_t)n;
    }
    return true;
}

static bool relay_read(int socket, char *bytes, size_t len, uint64_t until_ns)
{
    while (len) {
        ssize_t n = recv(socket, bytes, len, MSG_DONTWAIT);
        if (n == 0) return false;
        if (n < 0 && (!is_transient() || !relay_wait(socket, POLLIN, until_ns))) return false;
        if (n > 0) bytes += n, len -= (size_t)n;
    }
    return true;
}

bool relay_send(int socket, const struct str *fields, size_t count, uint64_t until_ns)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t len = fields[i].n;
        good = good && relay_write(socket, (const char *)&len, sizeof len, until_ns);
    }
    for (size_t i = 0; i < count; i++)
        good = good && relay_write(socket, fields[i].p, fields[i].n, until_ns);
    return good;
}

bool relay_receive(int socket, struct str *fields, size_t count, size_t most, struct buf *bytes,
                   uint64_t until_ns)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t len;
        if (!relay_read(socket, (char *)&len, sizeof len, until_ns) || len > most - all)
            return false;
        fields[i].n = len;
        all += len;
    }
    buf_expect(bytes, all + 1); /* so that there are bytes to point to */
    if (!relay_read(socket, bytes->data, all, until_ns)) return false;
    bytes->len = all;
    for (size_t i = 0, at = 0; i < count; at += fields[i++].n) fields[i].p = bytes->data + at;
    return true;
}

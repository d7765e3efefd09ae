/* Reads and writes the bytes of a connection. See wire.h. */
#include "server/net/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

bool wire_open(struct wire *wire, int fd, struct tls *tls)
{
    *wire = (struct wire){.fd = fd, .is_open = !tls};
    if (tls) wire->session = tls_open(tls, fd);
    return !tls || wire->session;
}

void wire_close(struct wire *wire)
{
    if (wire->session) tls_close(wire->session);
    close(wire->fd);
    *wire = (struct wire){.fd = -1};
}

/* 0, WAITS or BROKEN. */
static int be_open(struct wire *wire)
{
    if (wire->is_open) return 0;
    int status = tls_shake_hands(wire->session);
    wire->is_open = status == 0;
    return status;
}

static ssize_t wire_outcome(ssize_t n)
{
    return n >= 0 ? n : errno == EAGAIN || errno == EWOULDBLOCK ? WIRE_WAITS : WIRE_BROKEN;
}

ssize_t wire_read(struct wire *wire, void *bytes, size_t len)
{
    ssize_t n;
    int status = be_open(wire);
    if (status < 0) return status;
    if (wire->session) return tls_read(wire->session, bytes, len);
    do n = recv(wire->fd, bytes, len, 0);
    while (n < 0 && errno == EINTR);
    return wire_outcome(n);
}

ssize_t wire_write(struct wire *wire, const void *bytes, size_t len)
{
    ssize_t n;
    int status = be_open(wire);
    if (status < 0) return status;
    if (wire->session) return tls_write(wire->session, bytes, len);
    do n = send(wire->fd, bytes, len, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return wire_outcome(n);
}

void wire_end(struct wire *wire)
{
    if (wire->session && wire->is_open) tls_end(wire->session);
    shutdown(wire->fd, SHUT_WR);
}

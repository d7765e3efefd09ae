/* Sends bytes and file descriptors to another process. See transfer.h. */
#include "server/work/transfer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "server/base/attempt.h"
#include "server/base/clock.h"

bool transfer_write(int fd, const char *bytes, size_t len, uint64_t deadline_us)
{
    while (len) {
        if (deadline_us && !clock_poll(fd, POLLOUT, deadline_us)) return false;
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL | (deadline_us ? MSG_DONTWAIT : 0));
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

bool transfer_read(int fd, size_t most, struct buf *out, uint64_t deadline_us)
{
    char block[1 << 16];
    for (;;) {
        if (deadline_us && !clock_poll(fd, POLLIN, deadline_us)) return false;
        ssize_t n = recv(fd, block, sizeof block, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        if ((size_t)n > most - out->len) return false;
        if (!attempt_add(out, block, (size_t)n)) return false;
    }
}

/* One byte, and room for a descriptor beside it; it must not move. */
struct fd_message {
    char byte;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct iovec data;
    struct msghdr message;
};

static struct msghdr *lay_out(struct fd_message *m)
{
    *m = (struct fd_message){.data = {&m->byte, 1}};
    m->message = (struct msghdr){.msg_iov = &m->data,
                                 .msg_iovlen = 1,
                                 .msg_control = m->control,
                                 .msg_controllen = sizeof m->control};
    return &m->message;
}

bool transfer_send_fd(int socket, int fd)
{
    struct fd_message room;
    struct msghdr *message = lay_out(&room);
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return sendmsg(socket, message, MSG_NOSIGNAL) == 1;
}

int transfer_receive_fd(int socket)
{
    int fd = -1;
    struct fd_message room;
    struct msghdr *message = lay_out(&room);
    if (recvmsg(socket, message, MSG_CMSG_CLOEXEC) != 1) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

/* Sends or receives a complete message through a socket, with a deadline. */
#ifndef SERVER_WORK_TRANSFER_H
#define SERVER_WORK_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* deadline_us: by clock_now_us; 0: none. */
bool transfer_write(int fd, const char *bytes, size_t len, uint64_t deadline_us);

/* Until the other end shuts down; false when it sends more than most. */
bool transfer_read(int fd, size_t most, struct buf *out, uint64_t deadline_us);

/* A file descriptor along with a byte; received is -1 when the byte came alone, or none did. */
bool transfer_send_fd(int socket, int fd);
int transfer_receive_fd(int socket);

#endif

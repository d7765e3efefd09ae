/* Makes channels, lends them to requests, and takes them back. See channel.h. */
#include "server/net/channel.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

/* Each has two files and the memory of a connection of libmicrohttpd. */
enum { IDLE_MOST = 8, IDLE_MS = 1000 };

void channels_init(struct channels *channels)
{
    timeouts_init(&channels->idle, IDLE_MS);
}

static struct channel *channel_of_timeout(struct timeout *timeout)
{
    return (struct channel *)(void *)((char *)timeout - offsetof(struct channel, idle));
}

static struct channel *make_channel(struct channels *channels)
{
    int pair[2];
    struct channel *channel = mem_try_zalloc(sizeof *channel);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = channel};
    if (!channel) return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
        mem_free(channel);
        return NULL;
    }
    channel->source.kind = SOURCE_CHANNEL;
    channel->of = channels;
    channel->fd = pair[0];
    channel->is_joined = true;
    if (epoll_ctl(channels->epoll, EPOLL_CTL_ADD, pair[0], &event) != 0) {
        close(pair[1]);
    } else if (channels->join(channels->engine, channel, pair[1])) {
        return channel;
    }
    close(pair[0]);
    mem_free(channel);
    return NULL;
}

struct channel *channel_take(struct channels *channels, struct link *link)
{
    struct timeout *last = timeouts_last(&channels->idle);
    struct channel *channel = last ? channel_of_timeout(last) : make_channel(channels);
    if (!channel) return NULL;
    if (last) channels->idle_count--;
    timeout_stop(&channel->idle);
    channel->link = link;
    channel->can_write = true;
    channel->can_read = channel->is_announced = channel->is_answered = false;
    channel->body = (struct str){0};
    atomic_fetch_add(channels->busy, 1);
    return channel;
}

void channel_wait(struct channel *channel)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = channel};
    channel->can_write = false;
    if (channel->is_watched) return;
    channel->is_watched = epoll_ctl(channel->of->epoll, EPOLL_CTL_MOD, channel->fd, &event) == 0;
}

/* Once both ends are closed. */
static void free_channel(struct channel *channel)
{
    atomic_fetch_sub(channel->of->busy, 1);
    mem_free(channel);
}

void channel_release(struct channel *channel, uint64_t now_us)
{
    struct channels *channels = channel->of;
    if (channels->idle_count == IDLE_MOST) {
        channel_leave(channel);
        return;
    }
    channel->link = NULL;
    timeout_start(&channels->idle, &channel->idle, now_us);
    channels->idle_count++;
    atomic_fetch_sub(channels->busy, 1);
}

void channel_leave(struct channel *channel)
{
    channel->link = NULL;
    if (channel->is_answered)
        channel_finish(channel, false);
    else if (channel->request)
        channel->of->abandon(channel->request);
    close(channel->fd);
    channel->fd = -1;
    if (!channel->is_joined) free_channel(channel);
}

void channel_finish(struct channel *channel, bool is_sent)
{
    void *request = channel->request;
    channel->request = NULL;
    channel->body = (struct str){0};
    if (request) channel->of->finish(request, is_sent);
}

void channel_part(struct channel *channel)
{
    channel->is_joined = false;
    if (channel->fd < 0) free_channel(channel);
}

void channels_wake(struct channels *channels)
{
    uint64_t one = 1;
    ssize_t written = write(channels->wake_fd, &one, sizeof one);
    (void)written; /* it fails only when the thread was woken often enough */
}

void channels_tidy(struct channels *channels, uint64_t now_us)
{
    struct timeout *due;
    while ((due = timeouts_due(&channels->idle, now_us))) {
        timeout_stop(due);
        channels->idle_count--;
        atomic_fetch_add(channels->busy, 1); /* until it is freed */
        channel_leave(channel_of_timeout(due));
    }
}

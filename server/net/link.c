/* Begins and ends clients' connections. See link.h. */
#include "server/net/link.h"

#include <stddef.h>
#include <sys/epoll.h>

#include "base/mem.h"

enum { LINGER_MS = 2000, RETRY_MS = 50, RECENT_MS = 1000 };

void links_init(struct links *links, const struct limits *limits)
{
    links->max_header = (size_t)limits->max_header;
    links->ready_end = &links->ready;
    channels_init(&links->channels);
    timeouts_init(&links->header, limits->header_timeout_ms);
    timeouts_init(&links->idle, limits->idle_timeout_s * 1000);
    timeouts_init(&links->body, limits->body_timeout_ms);
    timeouts_init(&links->linger, LINGER_MS);
    timeouts_init(&links->retry, RETRY_MS);
}

/* ---- one ---- */

struct link *link_new(int fd, const union link_address *address)
{
    struct link *link = mem_try_zalloc(sizeof *link);
    if (!link) return NULL;
    link->source.kind = SOURCE_LINK;
    link->wire.fd = fd;
    link->address = *address;
    return link;
}

void link_make_ready(struct link *link)
{
    if (link->is_ready || link->phase == LINK_CLOSED) return;
    link->is_ready = true;
    link->next_ready = NULL;
    *link->of->ready_end = link;
    link->of->ready_end = &link->next_ready;
}

struct link *links_take_ready(struct links *links)
{
    struct link *first = links->ready;
    links->ready = NULL;
    links->ready_end = &links->ready;
    return first;
}

void link_close(struct link *link)
{
    struct links *links = link->of;
    link_wait(link, LINK_CLOSED);
    if (link->channel) channel_leave(link->channel);
    link->channel = NULL;
    links->is_fed = true;
    wire_close(&link->wire);
    framing_free(&link->framing);
    buf_free(&link->early.buf);
    buf_free(&link->in.buf);
    buf_free(&link->out.buf);
    if (link->is_counted) addresses_leave(links->addresses, &link->address.any);
    atomic_fetch_sub(&links->metrics->connections, 1);
    atomic_fetch_sub(&links->count, 1);
    if (link->prev)
        link->prev->next = link->next;
    else
        links->all = link->next;
    if (link->next) link->next->prev = link->prev;
    link->next = links->closed;
    links->closed = link;
}

void link_add(struct links *links, struct link *link)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                                .data.ptr = link};
    int fd = link->wire.fd;
    link->of = links;
    link->framing.most_bytes = links->max_header;
    link->next = links->all;
    if (link->next) link->next->prev = link;
    links->all = link;
    link->may_be_proxied = networks_have(links->trusted_proxies, &link->address.any);
    link_wait(link, LINK_HEAD);
    if (!wire_open(&link->wire, fd, links->tls) ||
        epoll_ctl(links->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        link_close(link);
}

void link_wait(struct link *link, enum link_phase phase)
{
    struct links *links = link->of;
    struct timeouts *limit = NULL;
    bool is_body = phase == LINK_BODY || phase == LINK_ANSWER;
    link->phase = phase;
    timeout_stop(&link->limit);
    timeout_stop(&link->quiet);
    if (phase == LINK_HEAD) limit = &links->header;
    if (phase == LINK_LINGER) limit = &links->linger;
    if (is_body) limit = &links->body;
    if (limit) timeout_start(limit, &link->limit, links->now_us);
    if (is_body || phase == LINK_IDLE) timeout_start(&links->idle, &link->quiet, links->now_us);
}

const struct fault *link_fault(const struct link *link, bool in_body)
{
    return link->framing.in_body == in_body ? link->framing.fault : NULL;
}

void link_event(struct link *link, unsigned events)
{
    if (link->phase == LINK_CLOSED) return;
    /* The peer has closed; one that only sends no more (EPOLLRDHUP) still takes answers. */
    if (events & (EPOLLHUP | EPOLLERR)) {
        link_close(link);
        return;
    }
    if (events & EPOLLRDHUP) link->hangs_up = true;
    if (events & (EPOLLIN | EPOLLRDHUP)) link->can_read = true;
    if (events & EPOLLOUT) link->can_write = true;
    if (!link->wire.is_open) link->can_read = true; /* a handshake is read, whatever it waits for */
    link_make_ready(link);
}

void link_channel_event(struct channel *channel, unsigned events)
{
    if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) channel->can_read = true;
    if (events & EPOLLOUT) channel->can_write = true;
    if (channel->link) link_make_ready(channel->link);
}

void link_answered(struct channel *channel)
{
    channel->is_answered = channel->can_read = true;
    if (channel->link) link_make_ready(channel->link);
}

/* ---- all of a thread ---- */

static struct link *link_of(struct timeout *timeout, size_t offset)
{
    return (struct link *)(void *)((char *)timeout - offset);
}

static void close_slow(struct links *links, struct timeouts *timeouts, size_t offset, bool counts)
{
    struct timeout *due;
    while ((due = timeouts_due(timeouts, links->now_us))) {
        if (counts) metrics_add(links->metrics, METRICS_SLOW_CONNECTIONS, 1);
        link_close(link_of(due, offset));
    }
}

/* Those that are in the list of the ready ones are still needed there. */
static void free_closed(struct links *links)
{
    struct link **at = &links->closed;
    while (*at) {
        struct link *link = *at;
        if (link->is_ready) {
            at = &link->next;
        } else {
            *at = link->next;
            mem_free(link);
        }
    }
}

void links_tidy(struct links *links)
{
    struct timeout *due;
    close_slow(links, &links->header, offsetof(struct link, limit), true);
    close_slow(links, &links->body, offsetof(struct link, limit), true);
    close_slow(links, &links->linger, offsetof(struct link, limit), false);
    close_slow(links, &links->idle, offsetof(struct link, quiet), false);
    while ((due = timeouts_due(&links->retry, links->now_us))) {
        timeout_stop(due);
        link_make_ready(link_of(due, offsetof(struct link, quiet)));
    }
    channels_tidy(&links->channels, links->now_us);
    free_closed(links);
}

uint64_t links_next(const struct links *links)
{
    uint64_t next = links->ready || links->is_fed ? 0 : UINT64_MAX;
    const struct timeouts *all[] = {&links->header, &links->idle,  &links->body,
                                    &links->linger, &links->retry, &links->channels.idle};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint64_t one = timeouts_next(all[i]);
        if (one < next) next = one;
    }
    return next;
}

void links_read_all(struct links *links)
{
    for (struct link *link = links->all; link; link = link->next) {
        link->can_read = true;
        link_make_ready(link);
    }
}

void links_close_idle(struct links *links)
{
    struct link *next;
    for (struct link *link = links->all; link; link = next) {
        next = link->next;
        if (link->phase != LINK_IDLE || link->is_ready) continue;
        uint64_t since_us = link->quiet.at_us - links->idle.duration_us;
        if (links->now_us - since_us >= RECENT_MS * 1000) link_close(link);
    }
}

void links_close(struct links *links)
{
    while (links->all) link_close(links->all);
    for (struct link *link = links_take_ready(links); link; link = link->next_ready)
        link->is_ready = false;
    free_closed(links);
    channels_tidy(&links->channels, UINT64_MAX);
}

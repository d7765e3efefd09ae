/* Moves the bytes of links. See flow.h. Bytes move until nothing more can: sockets are reported
 * once (EPOLLET), so that can_read and can_write give what is left to try. */
#include "server/net/flow.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "server/base/attempt.h"
#include "server/net/proxy_header.h"

enum {
    STEPS = 32 /* of one link before others have their turn */,
    FIRST_PIECE = 16 << 10 /* of a body, sent with its head */,
    BODY_PIECE = 1 << 20
};

/* ---- bytes that wait ---- */

static size_t bytes_left(const struct link_bytes *bytes)
{
    return bytes->buf.len - bytes->at;
}

static const char *first_byte(const struct link_bytes *bytes)
{
    return bytes->buf.data + bytes->at;
}

/* An idle link has no memory for them. */
static void drop_bytes(struct link_bytes *bytes)
{
    buf_free(&bytes->buf);
    bytes->at = 0;
}

static void take_bytes(struct link_bytes *bytes, size_t len)
{
    bytes->at += len;
    if (!bytes_left(bytes)) drop_bytes(bytes);
}

static void note_movement(struct link *link)
{
    if (link->phase != LINK_HEAD && link->quiet.next)
        timeout_start(&link->of->idle, &link->quiet, link->of->now_us);
}

/* ---- the answer ---- */

/* How many of the bytes the client took. */
static size_t write_to_client(struct link *link, const char *bytes, size_t len)
{
    size_t done = 0;
    while (done < len && link->can_write) {
        ssize_t n = wire_write(&link->wire, bytes + done, len - done);
        if (n == WIRE_WAITS) {
            link->can_write = false;
        } else if (n < 0) {
            link_close(link);
        } else {
            note_movement(link);
            done += (size_t)n;
        }
        if (link->phase == LINK_CLOSED) break;
    }
    return done;
}

static bool send_rest(struct link *link)
{
    size_t len = write_to_client(link, first_byte(&link->out), bytes_left(&link->out));
    if (link->phase == LINK_CLOSED) return false;
    take_bytes(&link->out, len);
    return !bytes_left(&link->out);
}

static bool send_bytes(struct link *link, const char *bytes, size_t len)
{
    size_t done = write_to_client(link, bytes, len);
    if (link->phase == LINK_CLOSED) return false;
    if (done < len && !attempt_add(&link->out.buf, bytes + done, len - done)) link_close(link);
    return done == len;
}

/* Sends len bytes of the block: the head of an answer, or of an interim answer (100). The engine
 * has written the head for an empty body. Writes the length of channel->body into it, and appends
 * the first piece of the body. */
static bool send_head(struct link *link, size_t len)
{
    static const char name[] = "\r\nContent-Length: ", empty[] = "\r\nContent-Length: 0\r\n";
    struct channel *channel = link->channel;
    struct str *body = &channel->body;
    struct buf *out = &link->out.buf;
    char *head = link->of->block, *at = memmem(head, len, empty, sizeof empty - 1), length[32];
    if (!at) return send_bytes(link, head, len);
    char *before = at + sizeof name - 1, *behind = before + 1;
    size_t piece = body->n < FIRST_PIECE ? body->n : FIRST_PIECE;
    int digits = snprintf(length, sizeof length, "%zu", body->n);
    attempt_expect(out, len + sizeof length + piece);
    if (!attempt_add(out, head, (size_t)(before - head)) ||
        !attempt_add(out, length, (size_t)digits) ||
        !attempt_add(out, behind, (size_t)(head + len - behind)) ||
        !attempt_add(out, body->p, piece)) {
        link_close(link);
        return false;
    }
    channel->is_announced = true;
    *body = (struct str){body->p + piece, body->n - piece};
    return send_rest(link);
}

/* Sends the next piece of the body from the memory of the exchange or the cache, without a copy. */
static bool send_body(struct link *link)
{
    struct channel *channel = link->channel;
    struct str body = channel->body;
    if (!channel->is_announced) link_close(link);
    if (link->phase == LINK_CLOSED) return false;
    size_t done = write_to_client(link, body.p, body.n < BODY_PIECE ? body.n : BODY_PIECE);
    if (link->phase == LINK_CLOSED) return false;
    channel->body = (struct str){body.p + done, body.n - done};
    return done;
}

/* Drops what the client sends after its last answer. If the connection were closed with that
 * unread, the client would lose the answer (RFC 9112, section 9.6). */
static bool drop_input(struct link *link)
{
    struct links *links = link->of;
    bool is_over = link->framing.state == FRAMING_WHOLE && !bytes_left(&link->early);
    ssize_t n = link->can_read ? wire_read(&link->wire, links->block, LINK_BLOCK) : WIRE_WAITS;
    if (n > 0) return true;
    link->can_read = false;
    if (n != WIRE_WAITS || is_over || link->has_ended) link_close(link);
    return false;
}

/* The engine has closed the channel: there are no more answers. */
static void end_link(struct link *link)
{
    channel_finish(link->channel, true);
    channel_leave(link->channel);
    link->channel = NULL;
    drop_bytes(&link->in);
    wire_end(&link->wire);
    link_wait(link, LINK_LINGER);
}

/* The client has its answer, and may send another request. */
static void link_end_request(struct link *link)
{
    channel_finish(link->channel, true);
    channel_release(link->channel, link->of->now_us);
    link->channel = NULL;
    framing_next(&link->framing);
    if (bytes_left(&link->early))
        link_wait(link, LINK_HEAD);
    else if (link->has_ended)
        link_close(link);
    else
        link_wait(link, LINK_IDLE);
}

/* A step of the answer from the channel to the client; false: none can be made now. */
static bool move_answer(struct link *link)
{
    struct channel *channel = link->channel;
    if (bytes_left(&link->out)) return send_rest(link);
    if (!channel) return false;
    if (channel->can_read) {
        ssize_t n = recv(channel->fd, link->of->block, LINK_BLOCK, 0);
        if (n < 0 && errno == EINTR) return true;
        if (n < LINK_BLOCK) channel->can_read = false;
        if (n <= 0) return true;
        bool is_head = channel->body.n && !channel->is_announced;
        return is_head ? send_head(link, (size_t)n) : send_bytes(link, link->of->block, (size_t)n);
    }
    if (channel->is_answered && channel->body.n) return send_body(link);
    bool is_whole = link->framing.state == FRAMING_WHOLE && !bytes_left(&link->in);
    if (channel->is_joined && !channel->is_answered) return false;
    if (channel->is_joined && is_whole)
        link_end_request(link);
    else
        end_link(link);
    return true;
}

/* ---- the request ---- */

/* How many of the bytes the channel took. The rest is dropped: there is an answer
 * already. */
static size_t write_to_channel(struct link *link, const char *bytes, size_t len)
{
    struct channel *channel = link->channel;
    size_t done = 0;
    while (done < len && channel->can_write) {
        ssize_t n = send(channel->fd, bytes + done, len - done, MSG_NOSIGNAL);
        if (n >= 0) {
            link->of->is_fed = true;
            done += (size_t)n;
        } else if (errno == EAGAIN) {
            channel_wait(channel);
        } else if (errno != EINTR) {
            channel->can_write = false;
            return len;
        }
    }
    return done;
}

static bool feed_rest(struct link *link)
{
    struct links *links = link->of;
    if (!link->channel) link->channel = channel_take(&links->channels, link);
    if (!link->channel) {
        /* It still has the time of a head, in which nothing else uses this timeout. */
        timeout_start(&links->retry, &link->quiet, links->now_us);
        return false;
    }
    take_bytes(&link->in, write_to_channel(link, first_byte(&link->in), bytes_left(&link->in)));
    return !bytes_left(&link->in);
}

/* Of a body: they need not be looked at. */
static bool feed_bytes(struct link *link, const char *bytes, size_t len)
{
    size_t done = write_to_channel(link, bytes, len);
    framing_pass(&link->framing, len);
    if (done < len && !attempt_add(&link->in.buf, bytes + done, len - done)) link_close(link);
    return link->phase != LINK_CLOSED;
}

static bool accept_bytes(struct link *link, const char *bytes, size_t len)
{
    size_t passes = framing_passes(&link->framing);
    if (passes > len) passes = len;
    if (passes && !feed_bytes(link, bytes, passes)) return false;
    size_t taken =
        passes + framing_add(&link->framing, bytes + passes, len - passes, &link->in.buf);
    if (taken < len && !attempt_add(&link->early.buf, bytes + taken, len - taken)) {
        link_close(link);
        return false;
    }
    return !bytes_left(&link->in) || feed_rest(link);
}

static bool accept_early(struct link *link)
{
    struct link_bytes early = link->early;
    link->early = (struct link_bytes){0};
    bool fine = accept_bytes(link, first_byte(&early), bytes_left(&early));
    buf_free(&early.buf);
    return fine;
}

static bool read_request(struct link *link)
{
    struct links *links = link->of;
    ssize_t n = WIRE_END;
    if (!link->has_ended) n = wire_read(&link->wire, links->block, LINK_BLOCK);
    if (n > 0) {
        /* Less than there was room for is all that was there; not so of a record of TLS. */
        if (n < LINK_BLOCK && !link->wire.session) link->can_read = link->hangs_up;
        if (link->phase == LINK_IDLE) link_wait(link, LINK_HEAD);
        note_movement(link);
        return accept_bytes(link, links->block, (size_t)n);
    }
    link->can_read = false;
    if (n == WIRE_END) link->has_ended = true;
    /* An answer to half a request may be on its way. */
    bool is_answered = link->channel && link->channel->is_answered;
    if (n == WIRE_BROKEN || (n == WIRE_END && !is_answered)) link_close(link);
    return false;
}

/* A step of the request from the client to the channel; false: none can be made now. */
static bool move_request(struct link *link)
{
    if (link->phase == LINK_LINGER) return drop_input(link);
    if (bytes_left(&link->in)) return feed_rest(link);
    /* The next one waits for the answer, and nothing is read for a channel that takes no more. */
    if (link->framing.state == FRAMING_WHOLE || link->framing.state == FRAMING_ENDED) return false;
    if (link->channel && !link->channel->can_write) return false;
    if (bytes_left(&link->early)) return accept_early(link);
    return (link->can_read || link->has_ended) && read_request(link);
}

/* ---- the PROXY protocol ---- */

/* False: the connection has not begun, or is closed. The limit on connections of an address is for
 * the client's: a proxy's own are not counted. */
static bool pass_proxy_header(struct link *link)
{
    struct links *links = link->of;
    enum proxy_outcome outcome = proxy_header_read(link->wire.fd, &link->address);
    if (outcome == PROXY_WAITS) return false;
    if (outcome == PROXY_READ && !networks_have(links->trusted_proxies, &link->address.any)) {
        link->is_counted = addresses_enter(links->addresses, &link->address.any);
        if (!link->is_counted) outcome = PROXY_BROKEN;
    }
    if (outcome == PROXY_BROKEN) {
        link_close(link);
        return false;
    }
    link->may_be_proxied = false;
    return true;
}

/* ---- the links in turn ---- */

static void move_link(struct link *link)
{
    bool moves = true;
    if (link->may_be_proxied && !pass_proxy_header(link)) return;
    for (unsigned step = 0; moves && step < STEPS; step++) {
        moves = move_answer(link);
        if (link->phase != LINK_CLOSED) moves |= move_request(link);
        if (link->phase == LINK_CLOSED) return;
    }
    if (moves) link_make_ready(link);
}

void flow_move(struct links *links)
{
    struct link *link = links_take_ready(links);
    while (link) {
        struct link *next = link->next_ready;
        link->is_ready = false;
        if (link->phase != LINK_CLOSED) move_link(link);
        link = next;
    }
}

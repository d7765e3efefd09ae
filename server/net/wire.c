/* Who stands between the sockets and libmicrohttpd? See wire.h. A connection belongs to one thread,
 * and so does its wire. */
#include "server/net/wire.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#ifdef HAVE_GNUTLS
#include <gnutls/gnutls.h>
#endif

#include "base/mem.h"

enum { BLOCK = 16 << 10, READ_MOST = 4 << 20 /* at a time, of what is handed on to nobody */ };

struct wire {
    struct framing framing;
    bool is_tls;
    unsigned begun;   /* requests */
    struct buf ready; /* to be handed on, from at */
    size_t at;
};

static struct {
    _Atomic(struct wire *) *at; /* by the number of the file */
    size_t count, most_bytes;
} wires;

void wire_init(size_t files, size_t most_bytes)
{
    if (!wires.at) wires.at = mem_zalloc(files, sizeof *wires.at);
    wires.count = files;
    wires.most_bytes = most_bytes;
}

static struct wire *find(int fd)
{
    return fd >= 0 && (size_t)fd < wires.count ? atomic_load(&wires.at[fd]) : NULL;
}

bool wire_open(int fd, bool is_tls)
{
    if (fd < 0 || (size_t)fd >= wires.count) return false;
    struct wire *wire = mem_zalloc(1, sizeof *wire);
    wire->framing.most_bytes = wires.most_bytes;
    wire->is_tls = is_tls;
    atomic_store(&wires.at[fd], wire);
    return true;
}

void wire_close(int fd)
{
    struct wire *wire = find(fd);
    if (!wire) return;
    atomic_store(&wires.at[fd], NULL);
    framing_free(&wire->framing);
    buf_free(&wire->ready);
    mem_free(wire);
}

static const struct fault *fault_of(const struct wire *wire, bool in_body)
{
    const struct framing *framing = &wire->framing;
    bool is_last = wire->begun == framing->heads;
    return is_last && framing->in_body == in_body ? framing->fault : NULL;
}

const struct fault *wire_begin(int fd)
{
    static const struct fault unseen = {500, "unseen", "libmicrohttpd read this past its guard"};
    struct wire *wire = find(fd);
    if (!wire || ++wire->begun > wire->framing.heads) return &unseen;
    return fault_of(wire, false);
}

const struct fault *wire_end(int fd)
{
    struct wire *wire = find(fd);
    return wire ? fault_of(wire, true) : NULL;
}

/* ---- reading ---- */

/* As recv; source is where from. */
typedef ssize_t read_function(void *source, void *bytes, size_t len);

static size_t hand_on(struct wire *wire, char *bytes, size_t len)
{
    size_t left = wire->ready.len - wire->at;
    if (len > left) len = left;
    if (len) memcpy(bytes, wire->ready.data + wire->at, len);
    wire->at += len;
    if (wire->at == wire->ready.len) {
        buf_free(&wire->ready);
        wire->at = 0;
    }
    return len;
}

/* Fills bytes as far as it can: libmicrohttpd takes less than it asked for as a sign that nothing
 * more is there. What read says last when there is nothing at all. */
static ssize_t pass(struct wire *wire, char *bytes, size_t len, read_function *read, void *source)
{
    char block[BLOCK];
    size_t done = hand_on(wire, bytes, len), dropped = 0;
    while (done < len) {
        size_t passes = framing_passes(&wire->framing), room = len - done;
        size_t most = !passes ? sizeof block : passes < room ? passes : room;
        ssize_t got = read(source, passes ? bytes + done : block, most);
        if (got <= 0) return done ? (ssize_t)done : got;
        if (passes) {
            framing_pass(&wire->framing, (size_t)got);
            done += (size_t)got;
        } else {
            framing_add(&wire->framing, block, (size_t)got, &wire->ready);
            done += hand_on(wire, bytes + done, room);
            dropped += (size_t)got;
        }
        /* A socket that had less has no more; a TLS record says nothing of the next. */
        if ((!wire->is_tls && (size_t)got < most) || dropped > READ_MOST) break;
    }
    if (done) return (ssize_t)done;
    errno = EAGAIN;
    return -1;
}

static ssize_t read_socket(void *source, void *bytes, size_t len)
{
    return recvfrom(*(const int *)source, bytes, len, 0, NULL, NULL);
}

ssize_t recv(int fd, void *bytes, size_t len, int flags)
{
    struct wire *wire = flags ? NULL : find(fd);
    if (!wire || wire->is_tls) return recvfrom(fd, bytes, len, flags, NULL, NULL);
    return pass(wire, bytes, len, read_socket, &fd);
}

#ifdef HAVE_GNUTLS
static ssize_t read_session(void *source, void *bytes, size_t len)
{
    static _Atomic(ssize_t(*)(gnutls_session_t, void *, size_t)) real;
    ssize_t (*call)(gnutls_session_t, void *, size_t) = atomic_load(&real);
    if (!call) {
        /* The C standard has no conversion of one to the other. */
        void *found = dlsym(RTLD_NEXT, "gnutls_record_recv");
        memcpy(&call, &found, sizeof call);
        atomic_store(&real, call);
    }
    return call ? call(source, bytes, len) : GNUTLS_E_INTERNAL_ERROR;
}

ssize_t gnutls_record_recv(gnutls_session_t session, void *bytes, size_t len)
{
    struct wire *wire = find(gnutls_transport_get_int(session));
    if (!wire) return read_session(session, bytes, len);
    ssize_t got = pass(wire, bytes, len, read_session, session);
    return got == -1 ? GNUTLS_E_AGAIN : got;
}
#endif

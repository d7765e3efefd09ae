/* Encrypts connections with GnuTLS. See tls.h: credentials of the service, sessions of its
 * connections. */
#include "server/net/tls.h"

#include "base/mem.h"

#ifdef HAVE_GNUTLS
#include <errno.h>
#include <gnutls/gnutls.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"

enum { PROBLEM = 256 };

/* What sessions refer to until they end. */
struct keys {
    gnutls_certificate_credentials_t credentials;
    atomic_uint users;
};

struct tls {
    gnutls_priority_t priorities;
    bool asks_certificates;
    pthread_mutex_t lock;
    struct keys *keys; /* under the lock: of sessions that begin now */
};

static bool read_pem(const char *option, const char *path, struct buf *text, char *problem)
{
    if (file_read_path(path, SIZE_MAX, text)) return true;
    snprintf(problem, PROBLEM, "%s=%.120s: %.100s", option, path, strerror(errno));
    return false;
}

static gnutls_datum_t datum_of(const struct buf *text)
{
    return (gnutls_datum_t){(unsigned char *)text->data, (unsigned)text->len};
}

static bool report_status(const char *what, int status, char *problem)
{
    if (status < 0) snprintf(problem, PROBLEM, "%s: %.200s", what, gnutls_strerror(status));
    return status >= 0;
}

static bool add_key(struct keys *keys, const struct settings *settings, char *problem)
{
    struct buf chain = {0}, key = {0};
    bool fine = read_pem("--tls-cert", settings->tls_cert, &chain, problem) &&
                read_pem("--tls-key", settings->tls_key, &key, problem);
    if (fine) {
        gnutls_datum_t cert = datum_of(&chain), secret = datum_of(&key);
        int status = gnutls_certificate_set_x509_key_mem(keys->credentials, &cert, &secret,
                                                         GNUTLS_X509_FMT_PEM);
        fine = report_status("--tls-cert with --tls-key", status, problem);
    }
    if (key.len) gnutls_memset(key.data, 0, key.len);
    buf_free(&chain);
    buf_free(&key);
    return fine;
}

static bool add_authorities(struct keys *keys, const struct settings *settings, char *problem)
{
    struct buf text = {0};
    if (!settings->client_ca) return true;
    bool fine = read_pem("--client-ca", settings->client_ca, &text, problem);
    if (fine) {
        gnutls_datum_t authorities = datum_of(&text);
        int status = gnutls_certificate_set_x509_trust_mem(keys->credentials, &authorities,
                                                           GNUTLS_X509_FMT_PEM);
        if (status == 0) status = GNUTLS_E_NO_CERTIFICATE_FOUND;
        fine = report_status("--client-ca", status, problem);
    }
    buf_free(&text);
    return fine;
}

/* keys may be NULL. */
static void leave_keys(struct keys *keys)
{
    if (!keys || atomic_fetch_sub(&keys->users, 1) != 1) return;
    if (keys->credentials) gnutls_certificate_free_credentials(keys->credentials);
    mem_free(keys);
}

bool tls_reload(struct tls *tls, const struct settings *settings, char problem[256])
{
    struct keys *made = mem_zalloc(1, sizeof *made);
    made->users = 1;
    bool fine = report_status("TLS", gnutls_certificate_allocate_credentials(&made->credentials),
                              problem) &&
                add_key(made, settings, problem) && add_authorities(made, settings, problem);
    if (!fine) {
        leave_keys(made);
        return false;
    }
    pthread_mutex_lock(&tls->lock);
    struct keys *old = tls->keys;
    tls->keys = made;
    pthread_mutex_unlock(&tls->lock);
    leave_keys(old);
    return true;
}

static struct keys *enter_keys(struct tls *tls)
{
    pthread_mutex_lock(&tls->lock);
    struct keys *keys = tls->keys;
    atomic_fetch_add(&keys->users, 1);
    pthread_mutex_unlock(&tls->lock);
    return keys;
}

bool tls_new(const struct settings *settings, struct tls **tls, char problem[256])
{
    /* RFC 8996: no TLS below 1.2. */
    static const char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
    *tls = NULL;
    if (!settings->tls_cert) return true;
    struct tls *made = mem_zalloc(1, sizeof *made);
    pthread_mutex_init(&made->lock, NULL);
    made->asks_certificates = settings->client_ca;
    bool fine =
        report_status("TLS", gnutls_priority_init(&made->priorities, priorities, NULL), problem) &&
        tls_reload(made, settings, problem);
    if (fine)
        *tls = made;
    else
        tls_free(made);
    return fine;
}

void tls_free(struct tls *tls)
{
    if (!tls) return;
    leave_keys(tls->keys);
    pthread_mutex_destroy(&tls->lock);
    if (tls->priorities) gnutls_priority_deinit(tls->priorities);
    mem_free(tls);
}

void *tls_open(struct tls *tls, int fd)
{
    static unsigned char name[] = "http/1.1";
    static const gnutls_datum_t protocol = {name, sizeof name - 1};
    gnutls_session_t session;
    if (gnutls_init(&session, GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0) return NULL;
    struct keys *keys = enter_keys(tls);
    gnutls_session_set_ptr(session, keys);
    if (gnutls_priority_set(session, tls->priorities) < 0 ||
        gnutls_alpn_set_protocols(session, &protocol, 1, 0) < 0 ||
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, keys->credentials) < 0) {
        tls_close(session);
        return NULL;
    }
    if (tls->asks_certificates) gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
    gnutls_transport_set_int(session, fd);
    return session;
}

void tls_close(void *session)
{
    struct keys *keys = gnutls_session_get_ptr(session);
    gnutls_deinit(session);
    leave_keys(keys);
}

int tls_shake_hands(void *session)
{
    int status;
    do status = gnutls_handshake(session);
    while (status < 0 && status != GNUTLS_E_AGAIN && !gnutls_error_is_fatal(status));
    return status == GNUTLS_E_AGAIN ? TLS_WAITS : status < 0 ? TLS_BROKEN : 0;
}

static ssize_t tls_outcome(ssize_t got)
{
    return got >= 0 ? got : got == GNUTLS_E_AGAIN ? TLS_WAITS : TLS_BROKEN;
}

/* A client that closes without saying so first has ended, too: the framing of HTTP shows whether
 * anything is missing. */
ssize_t tls_read(void *session, void *bytes, size_t len)
{
    ssize_t got;
    do got = gnutls_record_recv(session, bytes, len);
    while (got == GNUTLS_E_INTERRUPTED);
    return got == GNUTLS_E_PREMATURE_TERMINATION ? TLS_END : tls_outcome(got);
}

ssize_t tls_write(void *session, const void *bytes, size_t len)
{
    ssize_t sent;
    do sent = gnutls_record_send(session, bytes, len);
    while (sent == GNUTLS_E_INTERRUPTED);
    return tls_outcome(sent);
}

void tls_end(void *session)
{
    gnutls_bye(session, GNUTLS_SHUT_WR);
}
#else
bool tls_reload(struct tls *tls, const struct settings *settings, char problem[256])
{
    (void)tls, (void)settings, (void)problem;
    return true;
}

bool tls_new(const struct settings *settings, struct tls **tls, char problem[256])
{
    (void)settings, (void)problem;
    *tls = NULL;
    return true;
}

void tls_free(struct tls *tls)
{
    (void)tls;
}

void *tls_open(struct tls *tls, int fd)
{
    (void)tls, (void)fd;
    return NULL;
}

void tls_close(void *session)
{
    (void)session;
}

int tls_shake_hands(void *session)
{
    (void)session;
    return TLS_BROKEN;
}

ssize_t tls_read(void *session, void *bytes, size_t len)
{
    (void)session, (void)bytes, (void)len;
    return TLS_BROKEN;
}

ssize_t tls_write(void *session, const void *bytes, size_t len)
{
    (void)session, (void)bytes, (void)len;
    return TLS_BROKEN;
}

void tls_end(void *session)
{
    (void)session;
}
#endif

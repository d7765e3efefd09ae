/* Are our certificates right, and whom does a client's name? */
#include "server/net/certificate.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#ifdef HAVE_GNUTLS
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#endif

#ifdef HAVE_GNUTLS
static gnutls_datum_t datum(char *text)
{
    return (gnutls_datum_t){(unsigned char *)text, (unsigned)strlen(text)};
}

bool certificate_fits(char *cert, char *key, char *client_ca, char problem[256])
{
    gnutls_certificate_credentials_t credentials;
    const char *what = "--tls-cert with --tls-key";
    int status = 0;
    if (!cert || gnutls_certificate_allocate_credentials(&credentials) < 0) return true;
    gnutls_datum_t chain = datum(cert), secret = datum(key);
    status = gnutls_certificate_set_x509_key_mem(credentials, &chain, &secret, GNUTLS_X509_FMT_PEM);
    if (status >= 0 && client_ca) {
        gnutls_datum_t authorities = datum(client_ca);
        what = "--client-ca";
        status =
            gnutls_certificate_set_x509_trust_mem(credentials, &authorities, GNUTLS_X509_FMT_PEM);
        if (status == 0) status = GNUTLS_E_NO_CERTIFICATE_FOUND;
    }
    gnutls_certificate_free_credentials(credentials);
    if (status < 0) snprintf(problem, 256, "%s: %.200s", what, gnutls_strerror(status));
    return status >= 0;
}

static bool is_trusted(gnutls_session_t session)
{
    unsigned status = 1;
    gnutls_typed_vdata_st purpose = {.type = GNUTLS_DT_KEY_PURPOSE_OID,
                                     .data = (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT};
    return gnutls_certificate_verify_peers(session, &purpose, 1, &status) >= 0 && !status;
}

const char *certificate_name(void *session, struct arena *arena)
{
    unsigned count = 0;
    char name[128] = "certificate";
    size_t size = sizeof name;
    gnutls_x509_crt_t cert;
    if (!session || !is_trusted(session)) return NULL;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);
    if (!chain || !count || gnutls_x509_crt_init(&cert) < 0) return NULL;
    if (gnutls_x509_crt_import(cert, chain, GNUTLS_X509_FMT_DER) == 0)
        gnutls_x509_crt_get_dn_by_oid(cert, GNUTLS_OID_X520_COMMON_NAME, 0, 0, name, &size);
    gnutls_x509_crt_deinit(cert);
    return arena_printf(arena, "cert:%s", name);
}
#else
bool certificate_fits(char *cert, char *key, char *client_ca, char problem[256])
{
    (void)cert, (void)key, (void)client_ca, (void)problem;
    return true;
}

const char *certificate_name(void *session, struct arena *arena)
{
    (void)session, (void)arena;
    return NULL;
}
#endif

/* Reads the certificates of clients. See certificate.h. */
#include "server/net/certificate.h"

#include <stdbool.h>
#include <stddef.h>
#ifdef HAVE_GNUTLS
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#endif

#ifdef HAVE_GNUTLS
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
const char *certificate_name(void *session, struct arena *arena)
{
    (void)session, (void)arena;
    return NULL;
}
#endif

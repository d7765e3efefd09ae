/* What does libmicrohttpd get to serve TLS with? */
#include "server/net/tls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/file.h"
#include "server/net/certificate.h"

/* The file as text; true also when there is none to read. */
static bool read_file(const char *option, const char *path, char **text, char *problem)
{
    struct buf bytes = {0};
    if (!path) return true;
    bool fine = file_read_path(path, SIZE_MAX, &bytes);
    if (!fine) snprintf(problem, 256, "%s=%.120s: %.100s", option, path, strerror(errno));
    *text = buf_take(&bytes);
    return fine;
}

bool tls_read(struct tls *tls, const struct settings *settings, char problem[256])
{
    return read_file("--tls-cert", settings->tls_cert, &tls->cert, problem) &&
           read_file("--tls-key", settings->tls_key, &tls->key, problem) &&
           read_file("--client-ca", settings->client_ca, &tls->client_ca, problem) &&
           certificate_fits(tls->cert, tls->key, tls->client_ca, problem);
}

void tls_free(struct tls *tls)
{
    mem_free(tls->cert);
    mem_free(tls->key);
    mem_free(tls->client_ca);
}

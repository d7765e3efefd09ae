/* The shared cache as objects of S3:
 * s3://ACCESS_KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=REGION], s3+http:// without TLS. An
 * answer is the object PREFIX/KEY. Requests are signed by libcurl (AWS Signature Version 4); a
 * bucket's rules decide when objects are deleted. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "server/store/http_client.h"
#include "server/store/remote_kind.h"

struct link {
    struct http_client client; /* first: http_client_why */
    char url[1024];
    char signature[128], user[512];
};

/* A part of the URL, decoded; "" where there is none. False: it is too long. */
static bool copy_part(CURLU *parsed, CURLUPart part, unsigned flags, char *to, size_t size)
{
    char *text = NULL;
    *to = 0;
    if (curl_url_get(parsed, part, &text, flags) != CURLUE_OK) return true;
    bool fits = strlen(text) < size;
    if (fits) memcpy(to, text, strlen(text) + 1);
    curl_free(text);
    return fits;
}

/* All that is needed is there: both keys, a host and a bucket. */
static bool read_parts(struct link *link, CURLU *parsed, bool is_plain)
{
    char key[128], secret[256], host[256], port[8], path[512], query[80];
    if (!copy_part(parsed, CURLUPART_USER, CURLU_URLDECODE, key, sizeof key) ||
        !copy_part(parsed, CURLUPART_PASSWORD, CURLU_URLDECODE, secret, sizeof secret) ||
        !copy_part(parsed, CURLUPART_HOST, 0, host, sizeof host) ||
        !copy_part(parsed, CURLUPART_PORT, 0, port, sizeof port) ||
        !copy_part(parsed, CURLUPART_PATH, 0, path, sizeof path) ||
        !copy_part(parsed, CURLUPART_QUERY, 0, query, sizeof query))
        return false;
    const char *region = "us-east-1";
    if (strncmp(query, "region=", 7) == 0)
        region = query + 7;
    else if (*query)
        return false;
    size_t len = strlen(path);
    while (len && path[len - 1] == '/') path[--len] = 0;
    snprintf(link->url, sizeof link->url, "http%s://%s%s%s%s", is_plain ? "" : "s", host,
             *port ? ":" : "", port, path);
    snprintf(link->signature, sizeof link->signature, "aws:amz:%s:s3", region);
    snprintf(link->user, sizeof link->user, "%s:%s", key, secret);
    return *key && *secret && *host && len > 1 && *region;
}

static bool read_s3_url(struct link *link, const char *url)
{
    CURLU *parsed = curl_url();
    bool is_plain = strncmp(url, "s3+http://", 10) == 0;
    bool fine = parsed &&
                curl_url_set(parsed, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
                read_parts(link, parsed, is_plain);
    curl_url_cleanup(parsed);
    return fine;
}

static void s3_close(void *argument)
{
    struct link *link = argument;
    http_client_close(&link->client);
    mem_free(link);
}

static void *s3_open(const char *url, const struct settings *settings)
{
    struct link *link = mem_zalloc(1, sizeof *link);
    link->client.signature = link->signature;
    link->client.user = link->user;
    if (http_client_open(&link->client, settings) && read_s3_url(link, url)) return link;
    s3_close(link);
    return NULL;
}

static void name_object(const struct link *link, const char *key, char url[1200])
{
    snprintf(url, 1200, "%s/%s", link->url, key);
}

static enum remote_outcome s3_get(void *argument, const char *key, struct buf *out)
{
    char url[1200];
    struct link *link = argument;
    name_object(link, key, url);
    return http_client_get(&link->client, url, out);
}

static bool s3_put(void *argument, const char *key, struct str value)
{
    char url[1200];
    struct link *link = argument;
    name_object(link, key, url);
    return http_client_put(&link->client, url, value);
}

const struct remote_kind remote_s3 = {s3_open, s3_close, s3_get, s3_put, http_client_why};

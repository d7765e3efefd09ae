/* The shared cache as Bazel's remote cache over HTTP: /ac/KEY has an ActionResult, which names the
 * blob /cas/SHA256 that holds the answer. Only two fields of that message are written and read:
 * ActionResult.output_files (2) = {path (1), digest (2) = {hash (1), size_bytes (2)}}. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "server/store/digest.h"
#include "server/store/http_client.h"
#include "server/store/remote_kind.h"

enum { ACTION_MOST = 64 << 10, NAME_MOST = 1200 };

struct link {
    struct http_client client; /* first: http_client_why */
    char url[1024];
};

static void http_close(void *argument)
{
    struct link *link = argument;
    http_client_close(&link->client);
    mem_free(link);
}

static void *http_open(const char *url, const struct settings *settings)
{
    struct link *link = mem_zalloc(1, sizeof *link);
    size_t len = strlen(url);
    while (len && url[len - 1] == '/') len--;
    snprintf(link->url, sizeof link->url, "%.*s", (int)len, url);
    if (http_client_open(&link->client, settings)) return link;
    http_close(link);
    return NULL;
}

/* The URL of a name in a folder. */
static void print_name(const struct link *link, const char *folder, const char *name,
                       char url[NAME_MOST])
{
    snprintf(url, NAME_MOST, "%s/%s/%s", link->url, folder, name);
}

/* ---- the message ---- */

static void put_varint(struct buf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) buf_putc(out, (char)(number | 0x80));
    buf_putc(out, (char)number);
}

static void put_bytes(struct buf *out, char tag, struct str bytes)
{
    buf_putc(out, tag);
    put_varint(out, bytes.n);
    buf_add(out, bytes.p, bytes.n);
}

enum { TAG_FIRST = 0x0a, TAG_SECOND = 0x12, TAG_SIZE = 0x10 };

static void write_action(struct buf *out, const char *hash, size_t size)
{
    struct buf digest = {0}, file = {0};
    put_bytes(&digest, TAG_FIRST, str_from(hash));
    buf_putc(&digest, TAG_SIZE);
    put_varint(&digest, size);
    put_bytes(&file, TAG_FIRST, str_from("answer"));
    put_bytes(&file, TAG_SECOND, (struct str){digest.data, digest.len});
    put_bytes(out, TAG_SECOND, (struct str){file.data, file.len});
    buf_free(&digest);
    buf_free(&file);
}

static bool take_varint(struct str *rest, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; rest->n && shift < 63; shift += 7) {
        unsigned char byte = (unsigned char)*rest->p;
        rest->p++;
        rest->n--;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

/* The first field of that tag; the fields before it are skipped. */
static bool find_field(struct str rest, uint64_t tag, struct str *value)
{
    uint64_t found, len;
    while (take_varint(&rest, &found)) {
        if ((found & 7) == 0) {
            if (!take_varint(&rest, &len)) return false;
            continue;
        }
        if ((found & 7) != 2 || !take_varint(&rest, &len) || len > rest.n) return false;
        *value = (struct str){rest.p, (size_t)len};
        if (found == tag) return true;
        rest.p += len;
        rest.n -= (size_t)len;
    }
    return false;
}

static bool read_action(struct str action, char hash[DIGEST_HEX + 1])
{
    struct str file, digest, text;
    if (!find_field(action, TAG_SECOND, &file) || !find_field(file, TAG_SECOND, &digest) ||
        !find_field(digest, TAG_FIRST, &text) || text.n != DIGEST_HEX)
        return false;
    memcpy(hash, text.p, DIGEST_HEX);
    hash[DIGEST_HEX] = 0;
    return digest_is_hex(hash);
}

/* ---- the cache ---- */

static enum remote_outcome get_action(struct link *link, const char *key, char hash[DIGEST_HEX + 1])
{
    char url[NAME_MOST];
    struct buf action = {0};
    print_name(link, "ac", key, url);
    enum remote_outcome outcome =
        http_client_outcome(http_client_request(&link->client, url, NULL, &action, ACTION_MOST));
    if (outcome == REMOTE_FOUND && !read_action((struct str){action.data, action.len}, hash))
        outcome = REMOTE_WRONG;
    buf_free(&action);
    return outcome;
}

static enum remote_outcome http_get(void *argument, const char *key, struct buf *out)
{
    struct link *link = argument;
    char hash[DIGEST_HEX + 1], got[DIGEST_HEX + 1], url[NAME_MOST];
    enum remote_outcome outcome = get_action(link, key, hash);
    if (outcome != REMOTE_FOUND) return outcome;
    print_name(link, "cas", hash, url);
    outcome = http_client_get(&link->client, url, out);
    digest_hex((struct str){out->data, out->len}, got);
    if (outcome == REMOTE_FOUND && strcmp(got, hash) != 0) outcome = REMOTE_WRONG;
    return outcome;
}

/* The blob first: an action never names a blob that is not there yet. */
static bool http_put(void *argument, const char *key, struct str value)
{
    struct link *link = argument;
    char hash[DIGEST_HEX + 1], url[NAME_MOST];
    struct buf action = {0};
    digest_hex(value, hash);
    print_name(link, "cas", hash, url);
    if (!http_client_put(&link->client, url, value)) return false;
    write_action(&action, hash, value.n);
    print_name(link, "ac", key, url);
    bool is_stored = http_client_put(&link->client, url, (struct str){action.data, action.len});
    buf_free(&action);
    return is_stored;
}

const struct remote_kind remote_http = {http_open, http_close, http_get, http_put, http_client_why};

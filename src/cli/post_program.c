/* The program ptxopt-post: sends requests to a server for the program that has started it, which
 * gives it a socket as standard input, until that is closed. It is linked dynamically, and loads
 * libcurl and zlib. See relay.h. */
#include <stdio.h>
#include <string.h>

#include "cli/http.h"
#include "cli/relay.h"

static const char *field_string(struct str field)
{
    return field.n && field.p[field.n - 1] == '\0' ? field.p : NULL;
}

/* Answers one request. False if there is none any more. */
static bool answer_next(const struct loaded *loaded)
{
    struct str fields[RELAY_REQUEST];
    struct buf bytes = {0};
    struct post_answer answer = {0};
    bool good = relay_receive(RELAY_SOCKET, fields, RELAY_REQUEST, SIZE_MAX, &bytes, 0) &&
                fields[RELAY_URL].n && fields[RELAY_MOST].n == sizeof(size_t) &&
                fields[RELAY_TIMEOUT_MS].n == sizeof(long);
    if (good) {
        struct post post = {.url = field_string(fields[RELAY_URL]),
                            .socket = field_string(fields[RELAY_UNIX]),
                            .token = field_string(fields[RELAY_TOKEN]),
                            .ca_file = field_string(fields[RELAY_CA_FILE]),
                            .client_cert = field_string(fields[RELAY_CLIENT_CERT]),
                            .client_key = field_string(fields[RELAY_CLIENT_KEY]),
                            .text = fields[RELAY_TEXT]};
        memcpy(&post.most, fields[RELAY_MOST].p, sizeof post.most);
        memcpy(&post.timeout_ms, fields[RELAY_TIMEOUT_MS].p, sizeof post.timeout_ms);
        http_send(loaded, &post, &answer);
        const struct str sent[RELAY_ANSWER] = {
            [RELAY_OUTCOME] = {(const char *)&answer, offsetof(struct post_answer, body)},
            [RELAY_BODY] = {answer.body.data, answer.body.len}};
        good = relay_send(RELAY_SOCKET, sent, RELAY_ANSWER, 0);
    }
    buf_free(&answer.body);
    buf_free(&bytes);
    return good;
}

int main(void)
{
    struct loaded loaded;
    struct buf error = {0};
    bool works = loaded_open(&loaded, &error);
    const struct str greeting[RELAY_GREETING] = {{error.data, error.len}};
    bool heard = relay_send(RELAY_SOCKET, greeting, RELAY_GREETING, 0);
    buf_free(&error);
    if (!heard) fputs("ptxopt-post: error: only ptxopt --server starts this program\n", stderr);
    while (heard && works && answer_next(&loaded)) {
    }
    return heard ? 0 : 2;
}

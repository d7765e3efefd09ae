/* Starts ptxopt-post, which sends requests one after the other, and passes each to one that has
 * none. See post.h. */
#include "cli/post.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/mem.h"
#include "cli/relay.h"

enum {
    START_MS = 10000,     /* to load libcurl from a slow disk */
    GRACE_MS = 1000,      /* for an answer after the time that libcurl was given */
    GREETING_MOST = 4096, /* bytes */
};

static uint64_t end_in_ms(long ms)
{
    return clock_ns() + (uint64_t)ms * 1000000;
}

/* Finds ptxopt-post where `make install` puts it, or beside this program. */
static bool find_program(char path[PATH_MAX])
{
    static const char *const places[] = {BINDIR_TO_LIBEXECDIR "/ptxopt/", ""};
    char own[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", own, sizeof own);
    while (len > 0 && own[len - 1] != '/') len--;
    for (size_t i = 0; len > 0 && i < sizeof places / sizeof *places; i++) {
        int n = snprintf(path, PATH_MAX, "%.*s%sptxopt-post", (int)len, own, places[i]);
        if (n > 0 && n < PATH_MAX && child_is_program(path)) return true;
    }
    return false;
}

static void helper_end(struct post_helper helper, bool at_once)
{
    if (at_once) kill(helper.process, SIGKILL);
    close(helper.socket);
    child_wait(helper.process);
}

static bool greeting_read(int socket, struct buf *error)
{
    struct buf bytes = {0};
    struct str why;
    bool heard =
        relay_receive(socket, &why, RELAY_GREETING, GREETING_MOST, &bytes, end_in_ms(START_MS));
    if (!heard)
        buf_puts(error, "ptxopt-post does not start");
    else
        buf_add(error, why.p, why.n);
    buf_free(&bytes);
    return heard && !why.n;
}

static bool helper_start(const struct posts *posts, struct post_helper *helper, struct buf *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        buf_puts(error, "no socket is left");
        return false;
    }
    char *arguments[] = {(char *)(uintptr_t)posts->program, NULL};
    const struct child_file file = {ends[1], RELAY_SOCKET};
    int failure = child_start(&helper->process, arguments, &file, 1);
    close(ends[1]);
    helper->socket = ends[0];
    if (failure) {
        close(ends[0]);
        buf_printf(error, "%s: %s", posts->program, strerror(failure));
        return false;
    }
    bool good = greeting_read(helper->socket, error);
    if (!good) helper_end(*helper, true);
    return good;
}

bool posts_open(struct posts *posts, struct buf *error)
{
    struct post_helper first;
    memset(&posts->idle, 0, sizeof posts->idle);
    if (!find_program(posts->program)) {
        buf_puts(error, "ptxopt-post is not installed with this program");
        return false;
    }
    if (!helper_start(posts, &first, error)) return false;
    pthread_mutex_init(&posts->mutex, NULL);
    vec_push(&posts->idle, first);
    return true;
}

void posts_close(struct posts *posts)
{
    for (uint32_t i = 0; i < posts->idle.count; i++) helper_end(posts->idle.at[i], false);
    vec_free(&posts->idle);
    pthread_mutex_destroy(&posts->mutex);
}

static bool helper_take(struct posts *posts, struct post_helper *helper, struct buf *error)
{
    pthread_mutex_lock(&posts->mutex);
    bool is_idle = posts->idle.count > 0;
    if (is_idle) *helper = posts->idle.at[--posts->idle.count];
    pthread_mutex_unlock(&posts->mutex);
    return is_idle || helper_start(posts, helper, error);
}

static void helper_give_back(struct posts *posts, struct post_helper helper)
{
    pthread_mutex_lock(&posts->mutex);
    vec_push(&posts->idle, helper);
    pthread_mutex_unlock(&posts->mutex);
}

static struct str string_field(const char *text)
{
    return text ? (struct str){text, strlen(text) + 1} : (struct str){"", 0};
}

/* False if the helper has ended or does not answer in time. */
static bool helper_ask(int socket, const struct post *post, struct post_answer *answer)
{
    const struct str request[RELAY_REQUEST] = {
        [RELAY_URL] = string_field(post->url),
        [RELAY_UNIX] = string_field(post->socket),
        [RELAY_TOKEN] = string_field(post->token),
        [RELAY_CA_FILE] = string_field(post->ca_file),
        [RELAY_CLIENT_CERT] = string_field(post->client_cert),
        [RELAY_CLIENT_KEY] = string_field(post->client_key),
        [RELAY_TEXT] = post->text,
        [RELAY_MOST] = {(const char *)&post->most, sizeof post->most},
        [RELAY_TIMEOUT_MS] = {(const char *)&post->timeout_ms, sizeof post->timeout_ms},
    };
    uint64_t end = end_in_ms(post->timeout_ms + GRACE_MS);
    size_t outcome = offsetof(struct post_answer, body);
    struct str got[RELAY_ANSWER];
    struct buf bytes = {0};
    bool good = relay_send(socket, request, RELAY_REQUEST, end) &&
                relay_receive(socket, got, RELAY_ANSWER, outcome + post->most, &bytes, end) &&
                got[RELAY_OUTCOME].n == outcome;
    if (good) {
        memcpy(answer, got[RELAY_OUTCOME].p, outcome);
        buf_add(&answer->body, got[RELAY_BODY].p, got[RELAY_BODY].n);
    }
    buf_free(&bytes);
    return good;
}

void posts_send(struct posts *posts, const struct post *post, struct post_answer *answer)
{
    struct post_helper helper;
    struct buf error = {0};
    if (!helper_take(posts, &helper, &error)) {
        snprintf(answer->why, sizeof answer->why, "%.*s", (int)error.len, error.data);
    } else if (helper_ask(helper.socket, post, answer)) {
        helper_give_back(posts, helper);
    } else {
        helper_end(helper, true);
        snprintf(answer->why, sizeof answer->why, "ptxopt-post does not answer");
    }
    buf_free(&error);
}

/* Sends texts to a server to be optimized, and proves its answers. A request is repeated while that
 * is useful. After it has failed, the server is not used again in this run, so no build waits
 * longer than LONGEST_MS for a server that does not answer. The answer is not trusted: the checker
 * proves it from the text that was sent. See remote.h. */
#include "cli/remote.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/post.h"
#include "text/mention.h"

enum { ATTEMPTS = 3, FIRST_WAIT_MS = 100, LONGEST_MS = 60000, TOKEN_MOST = 4096 };

struct remote {
    const struct command *command;
    struct posts posts;
    char *url;          /* with route and query */
    const char *socket; /* part of the URL on the command line */
    char *token;        /* NULL: none */
    long longest_ms;
    atomic_bool given_up;
};

/* ---- set-up ---- */

/* Adds the assumptions that are on, or those that are off. The last option for an assumption
 * counts. */
static void add_assumptions(struct buf *url, const struct command *command, bool on)
{
    const char *sign = on ? "&assume=" : "&no_assume=";
    for (uint32_t i = 0; i < command->assumptions.count; i++) {
        const struct assumption_choice *one = &command->assumptions.at[i];
        bool last = true;
        for (uint32_t k = i + 1; k < command->assumptions.count; k++)
            last &= strcmp(one->name, command->assumptions.at[k].name) != 0;
        if (!last || one->on != on) continue;
        buf_printf(url, "%s%s", sign, one->name);
        sign = ",";
    }
}

/* The values are names from the command line and need no escaping. */
static char *request_url(const struct command *command, const char *base)
{
    static const char *const styles[] = {
        [PTXOPT_BLANK] = "blank", [PTXOPT_ANNOTATE] = "annotate", [PTXOPT_SQUEEZE] = "squeeze"};
    static const char *const parses[] = {
        [PTXOPT_PARSE_SHAPES] = "shapes", [PTXOPT_PARSE_FULL] = "full"};
    struct buf url = {0};
    size_t len = strlen(base);
    while (len && base[len - 1] == '/') len--;
    buf_add(&url, base, len);
    buf_printf(&url, "/v1/optimize?style=%s&parse=%s", styles[command->style],
               parses[command->parse]);
    if (command->rules) buf_printf(&url, "&rules=%s", command->rules);
    if (command->isa) buf_printf(&url, "&isa=%s", command->isa);
    add_assumptions(&url, command, true);
    add_assumptions(&url, command, false);
    return buf_take(&url);
}

/* The first line of PTXOPT_TOKEN, or of the file that PTXOPT_TOKEN_FILE names. There is no option
 * for it, because all users of a machine can read the arguments of a program. */
static bool remote_read_token(struct remote *remote, struct buf *messages)
{
    const char *token = getenv("PTXOPT_TOKEN"), *path = getenv("PTXOPT_TOKEN_FILE");
    struct buf text = {0};
    bool good = true;
    if (token)
        buf_puts(&text, token);
    else if (path)
        good = file_read_path(path, TOKEN_MOST, &text);
    struct str line = str_first_line((struct str){text.data, text.len});
    for (size_t i = 0; i < line.n; i++) good = good && line.p[i] > ' ' && line.p[i] < 0x7f;
    good = good && (line.n || token || !path);
    struct buf copy = {0};
    buf_add(&copy, line.p, line.n);
    if (good && line.n) remote->token = buf_take(&copy);
    buf_free(&copy);
    buf_free(&text);
    if (!good)
        buf_puts(messages, "ptxopt: warning: --server is not used: PTXOPT_TOKEN or the file that "
                           "PTXOPT_TOKEN_FILE names: expected a line of visible characters\n");
    return good;
}

/* The option whose report only a local run can give; NULL: none. */
static const char *said_here(const struct command *command)
{
    if (command->reports.count) return "--report";
    if (command->lint) return "--lint";
    if (command->baseline_path || command->new_baseline_path) return "a baseline";
    if (command->remarks) return "--remarks";
    if (command->stats) return "--stats";
    if (command->sass) return "--sass";
    if (limits_exist(&command->limits)) return "a limit on registers";
    if (command->check) return "--check";
    if (command->certificate) return "--certificate";
    if (command->stage) return "--dump";
    return command->ids.count ? "--only or --skip" : NULL;
}

static void remote_drop(struct remote *remote)
{
    mem_free(remote->url);
    mem_free(remote->token);
    mem_free(remote);
}

struct remote *remote_open(const struct command *command, struct buf *messages)
{
    static const char unix_prefix[] = "unix:";
    const char *here = said_here(command), *url = command->server;
    if (here) {
        buf_printf(messages,
                   "ptxopt: note: --server is not used: %s needs the work to be done locally\n",
                   here);
        return NULL;
    }
    struct remote *remote = mem_zalloc(1, sizeof *remote);
    struct buf error = {0};
    size_t n = sizeof unix_prefix - 1;
    if (strncmp(url, unix_prefix, n) == 0) remote->socket = url + n;
    remote->command = command;
    remote->url = request_url(command, remote->socket ? "http://localhost" : url);
    remote->longest_ms = LONGEST_MS;
    if (command->timeout_ms && command->timeout_ms < LONGEST_MS)
        remote->longest_ms = (long)command->timeout_ms;
    bool good = remote_read_token(remote, messages);
    if (good && !posts_open(&remote->posts, &error)) {
        buf_putc(&error, '\0');
        buf_printf(messages, "ptxopt: warning: --server is not used: %s\n", error.data);
        good = false;
    }
    buf_free(&error);
    if (good) return remote;
    remote_drop(remote);
    return NULL;
}

void remote_close(struct remote *remote)
{
    if (!remote) return;
    posts_close(&remote->posts);
    remote_drop(remote);
}

/* ---- requests ---- */

static long remote_now_ms(void)
{
    return (long)(clock_ns() / 1000000);
}

static void remote_wait_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0) {
    }
}

static bool may_change(const struct post_answer *answer)
{
    switch (answer->status) {
    case 0: return !answer->for_good;
    case 429:
    case 502:
    case 503:
    case 504: return true;
    default: return false;
    }
}

/* A file from the command line or, without that (ptxopt-ptxas), from the environment; NULL:
 * none. */
static const char *remote_file(const char *option, const char *variable)
{
    const char *path = option ? option : getenv(variable);
    return path && *path ? path : NULL;
}

/* Repeats the request until the answer is final or no time is left. */
static void ask_server(struct remote *remote, struct str text, struct post_answer *answer)
{
    long end = remote_now_ms() + remote->longest_ms, pause = FIRST_WAIT_MS;
    struct post post = {.url = remote->url,
                        .socket = remote->socket,
                        .token = remote->token,
                        .ca_file = remote_file(remote->command->ca_file, "PTXOPT_CA_FILE"),
                        .client_cert =
                            remote_file(remote->command->client_cert, "PTXOPT_CLIENT_CERT"),
                        .client_key = remote_file(remote->command->client_key, "PTXOPT_CLIENT_KEY"),
                        .text = text};
    post.most = 4 * text.n + (1 << 20); /* --annotate adds at most this */
    for (int attempt = 1;; attempt++) {
        post.timeout_ms = end - remote_now_ms();
        if (post.timeout_ms < 1) return;
        buf_free(&answer->body);
        *answer = (struct post_answer){0};
        posts_send(&remote->posts, &post, answer);
        if (!may_change(answer) || attempt == ATTEMPTS) return;
        long least = answer->retry_after_s > LONGEST_MS ? LONGEST_MS : answer->retry_after_s * 1000;
        /* Clients that were refused at the same time wait differently, so that they do not all
         * return at the same time. */
        long wait = (least > pause ? least : pause) + remote_now_ms() % pause;
        if (wait >= end - remote_now_ms()) return;
        remote_wait_ms(wait);
        pause *= 4;
    }
}

static bool is_proven(const struct ptxopt_options *options, struct str before, struct str after)
{
    struct ptxopt_verification *verification =
        ptxopt_verify(options, before.p, before.n, after.p, after.n);
    bool proven = ptxopt_verification_verdict(verification) == PTXOPT_PROVEN;
    ptxopt_verification_free(verification);
    return proven;
}

static void remote_give_up(struct remote *remote, const char *why, struct buf *messages)
{
    if (atomic_exchange(&remote->given_up, true)) return;
    if (remote->command->server_required)
        buf_printf(messages, "ptxopt: error: %s: %s\n", remote->command->server, why);
    else
        buf_printf(messages, "ptxopt: warning: %s: %s; the work is done locally\n",
                   remote->command->server, why);
}

bool remote_has_failed(const struct remote *remote)
{
    return !remote || atomic_load(&remote->given_up);
}

bool remote_run(struct remote *remote, struct str text, struct buf *answer, struct buf *messages)
{
    struct post_answer got = {0};
    bool full = remote->command->parse == PTXOPT_PARSE_FULL;
    if (atomic_load(&remote->given_up) || !text.n || (!full && !mention_found(text))) return false;
    ask_server(remote, text, &got);
    bool good = got.status == 200 && !got.has_more_to_say;
    bool about_text = got.status == 400 || got.status == 413 || got.status == 422;
    if (good && !is_proven(remote->command->options, text,
                           (struct str){got.body.len ? got.body.data : "", got.body.len})) {
        remote_give_up(remote, "its answer is not proven", messages);
        good = false;
    } else if (got.status == 401 || got.status == 403) {
        remote_give_up(remote,
                       "it requires a token or certificate; set PTXOPT_TOKEN or --client-cert",
                       messages);
    } else if (got.status != 200 && !about_text) {
        remote_give_up(remote, got.why, messages);
    }
    if (good)
        *answer = got.body;
    else
        buf_free(&got.body);
    return good;
}

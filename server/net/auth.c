/* Finds the client that a bearer token belongs to. Only digests of tokens are kept, and compared in
 * constant time. */
#include "server/net/auth.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/vec.h"
#include "server/store/digest.h"

enum { SHORTEST = 16, LINE_MAX_BYTES = 1024, NAME_MAX_BYTES = 64 };

struct token {
    char name[NAME_MAX_BYTES + 1];
    unsigned char digest[DIGEST_BYTES];
};

struct tokens VEC(struct token);

struct auth {
    pthread_mutex_t lock;
    const char *path;
    struct tokens tokens;
};

static char *tokens_problem(const char *path, unsigned line, const char *what)
{
    struct buf text = {0};
    buf_printf(&text, "--tokens=%s", path);
    if (line) buf_printf(&text, ":%u", line);
    buf_printf(&text, ": %s", what);
    return buf_take(&text);
}

/* Adds the token of one line; what is wrong, or NULL. */
static const char *read_token_line(char *line, struct tokens *tokens)
{
    struct token token = {0};
    char *rest = NULL, *name = strtok_r(line, " \t\r\n", &rest);
    if (!name || *name == '#') return NULL;
    char *secret = strtok_r(NULL, " \t\r\n", &rest);
    if (!secret || strtok_r(NULL, " \t\r\n", &rest)) return "a line is NAME TOKEN";
    if (strlen(name) > NAME_MAX_BYTES) return "the name is longer than 64 bytes";
    if (strlen(secret) < SHORTEST) return "the token is shorter than 16 bytes";
    memcpy(token.name, name, strlen(name));
    struct str text = str_from(secret);
    digest_bytes(&text, 1, token.digest);
    vec_push(tokens, token);
    return NULL;
}

static char *auth_read_tokens(const char *path, struct tokens *tokens)
{
    FILE *file = fopen(path, "r");
    char line[LINE_MAX_BYTES];
    const char *problem = NULL;
    unsigned number = 0;
    if (!file) return tokens_problem(path, 0, strerror(errno));
    while (!problem && fgets(line, sizeof line, file)) {
        number++;
        problem = strlen(line) == sizeof line - 1 ? "the line is too long"
                                                  : read_token_line(line, tokens);
    }
    if (!problem && ferror(file)) problem = "cannot be read";
    if (!problem && !tokens->count) problem = "there is no token";
    fclose(file);
    return problem ? tokens_problem(path, number, problem) : NULL;
}

struct auth *auth_new(const char *path, char **problem)
{
    struct auth *auth = mem_zalloc(1, sizeof *auth);
    pthread_mutex_init(&auth->lock, NULL);
    auth->path = path;
    if (auth_reload(auth, problem)) return auth;
    auth_free(auth);
    return NULL;
}

void auth_free(struct auth *auth)
{
    if (!auth) return;
    vec_free(&auth->tokens);
    pthread_mutex_destroy(&auth->lock);
    mem_free(auth);
}

bool auth_reload(struct auth *auth, char **problem)
{
    struct tokens fresh = {0};
    *problem = auth_read_tokens(auth->path, &fresh);
    if (*problem) {
        vec_free(&fresh);
        return false;
    }
    pthread_mutex_lock(&auth->lock);
    struct tokens old = auth->tokens;
    auth->tokens = fresh;
    pthread_mutex_unlock(&auth->lock);
    vec_free(&old);
    return true;
}

const char *auth_name(struct auth *auth, const char *authorization, struct arena *arena)
{
    unsigned char digest[DIGEST_BYTES];
    const char *name = NULL;
    if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0) return NULL;
    const char *token = authorization + 7;
    while (*token == ' ') token++;
    struct str secret = str_from(token);
    digest_bytes(&secret, 1, digest);
    pthread_mutex_lock(&auth->lock);
    for (uint32_t i = 0; i < auth->tokens.count; i++) {
        const struct token *known = &auth->tokens.at[i];
        if (digest_equal(digest, known->digest))
            name = arena_copy(arena, known->name, strlen(known->name));
    }
    pthread_mutex_unlock(&auth->lock);
    return name;
}

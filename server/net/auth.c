/* Finds the client that a bearer token belongs to. Only digests of tokens are kept, and compared in
 * constant time. */
#include "server/net/auth.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/buf.h"
#include "base/vec.h"
#include "server/handle/routes.h"
#include "server/store/digest.h"

enum {
    SHORTEST = 16,
    LINE_MAX_BYTES = 1024,
    NAME_MAX_BYTES = 64,
    SCOPES_MAX_BYTES = 256,
    WINDOW_MOST_S = 31536000
};

struct token {
    char name[NAME_MAX_BYTES + 1], scopes[SCOPES_MAX_BYTES + 1];
    unsigned char digest[DIGEST_BYTES];
    struct allowance_limit limits[ALLOWANCE_KINDS];
    time_t expires; /* 0: never */
    struct allowance *allowance;
};

struct tokens VEC(struct token);

struct auth {
    pthread_mutex_t lock;
    const char *path;
    struct allowances *allowances;
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

/* ---- a line ---- */

/* "N/S" */
static bool read_limit(const char *text, struct allowance_limit *limit)
{
    char *end;
    if (*text < '1' || *text > '9') return false;
    limit->most = strtoull(text, &end, 10);
    if (*end != '/' || end[1] < '1' || end[1] > '9') return false;
    limit->window_s = strtoull(end + 1, &end, 10);
    return !*end && limit->window_s <= WINDOW_MOST_S;
}

static bool read_expiry(const char *text, time_t *expires)
{
    static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct tm time = {0};
        const char *end = strptime(text, forms[i], &time);
        if (!end || *end) continue;
        *expires = timegm(&time);
        return *expires > 0;
    }
    return false;
}

/* Each must be a scope of a route: a misspelt one would only be noticed by a refused client. */
static bool read_scopes(const char *text, char scopes[SCOPES_MAX_BYTES + 1])
{
    if (strlen(text) > SCOPES_MAX_BYTES) return false;
    memcpy(scopes, text, strlen(text) + 1);
    for (const char *p = text;; p++) {
        size_t len = strcspn(p, ",");
        if (!routes_have_scope(p, len)) return false;
        p += len;
        if (!*p) return true;
    }
}

/* The fault, or NULL. */
static const char *read_token_option(const char *word, struct token *token)
{
    if (strncmp(word, "rate=", 5) == 0)
        return read_limit(word + 5, &token->limits[ALLOWANCE_RATE])
                   ? NULL
                   : "rate=REQUESTS/SECONDS takes two numbers, as rate=100/60";
    if (strncmp(word, "quota=", 6) == 0)
        return read_limit(word + 6, &token->limits[ALLOWANCE_QUOTA])
                   ? NULL
                   : "quota=REQUESTS/SECONDS takes two numbers, as quota=10000/86400";
    if (strncmp(word, "scopes=", 7) == 0)
        return read_scopes(word + 7, token->scopes)
                   ? NULL
                   : "scopes= takes optimize, report, lint, verify, results and metrics";
    if (strncmp(word, "expires=", 8) == 0)
        return read_expiry(word + 8, &token->expires)
                   ? NULL
                   : "expires= takes YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ";
    return "after NAME TOKEN there may be rate=, quota=, scopes= and expires=";
}

/* Adds the token of one line; the fault, or NULL. */
static const char *read_token_line(char *line, struct tokens *tokens)
{
    static const char blanks[] = " \t\r\n";
    struct token token = {0};
    const char *problem = NULL, *word;
    char *rest = NULL, *name = strtok_r(line, blanks, &rest);
    if (!name || *name == '#') return NULL;
    char *secret = strtok_r(NULL, blanks, &rest);
    if (!secret) return "a line is NAME TOKEN";
    if (strlen(name) > NAME_MAX_BYTES) return "the name is longer than 64 bytes";
    if (strlen(secret) < SHORTEST) return "the token is shorter than 16 bytes";
    while (!problem && (word = strtok_r(NULL, blanks, &rest)) && *word != '#')
        problem = read_token_option(word, &token);
    if (problem) return problem;
    memcpy(token.name, name, strlen(name));
    struct str text = str_from(secret);
    digest_bytes(&text, 1, token.digest);
    for (uint32_t i = 0; i < tokens->count; i++) {
        const struct token *other = &tokens->at[i];
        if (strcmp(other->name, name) == 0 &&
            memcmp(other->limits, token.limits, sizeof token.limits) != 0)
            return "another token of this name has another rate or quota";
    }
    vec_push(tokens, token);
    return NULL;
}

/* ---- the file ---- */

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

struct auth *auth_new(const char *path, struct allowances *allowances, char **problem)
{
    struct auth *auth = mem_zalloc(1, sizeof *auth);
    pthread_mutex_init(&auth->lock, NULL);
    auth->path = path;
    auth->allowances = allowances;
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
    for (uint32_t i = 0; i < fresh.count; i++) {
        fresh.at[i].allowance = allowances_get(auth->allowances, fresh.at[i].name);
        allowance_set(fresh.at[i].allowance, fresh.at[i].limits);
    }
    pthread_mutex_lock(&auth->lock);
    struct tokens old = auth->tokens;
    auth->tokens = fresh;
    pthread_mutex_unlock(&auth->lock);
    vec_free(&old);
    return true;
}

static void describe_token(const struct token *known, struct arena *arena, struct auth_token *token)
{
    *token = (struct auth_token){
        .name = arena_copy(arena, known->name, strlen(known->name)),
        .scopes = *known->scopes ? arena_copy(arena, known->scopes, strlen(known->scopes)) : NULL,
        .allowance = known->allowance,
        .is_expired = known->expires && time(NULL) >= known->expires};
}

bool auth_find(struct auth *auth, const char *authorization, struct arena *arena,
               struct auth_token *token)
{
    unsigned char digest[DIGEST_BYTES];
    bool found = false;
    if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0) return false;
    const char *text = authorization + 7;
    while (*text == ' ') text++;
    struct str secret = str_from(text);
    digest_bytes(&secret, 1, digest);
    pthread_mutex_lock(&auth->lock);
    for (uint32_t i = 0; i < auth->tokens.count; i++) {
        if (!digest_equal(digest, auth->tokens.at[i].digest)) continue;
        describe_token(&auth->tokens.at[i], arena, token);
        found = true;
    }
    pthread_mutex_unlock(&auth->lock);
    return found;
}

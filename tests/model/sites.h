/* The synchronising statements of a PTX text, and texts without one of them, for the tests that
 * remove what the optimizer keeps. A separate reader: it knows only comments, strings and `;`. */
#ifndef PTXOPT_TESTS_MODEL_SITES_H
#define PTXOPT_TESTS_MODEL_SITES_H

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vec.h"
#include "check/check.h"
#include "api/ptxopt.h"
#include "../harness.h"

/* text[start, end) is the statement, from its guard or opcode through the `;`. */
struct site {
    uint32_t start, end, line;
    bool guarded;
};

struct sites VEC(struct site);

/* A copy in which comments and strings are blanks; line ends are kept. Freed with free. */
static inline char *text_without_comments(struct str text)
{
    char *copy = must(malloc(text.n + 1));
    char inside = 0; /* the character that ends it: '\n', '*' or '"' */
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i], next = i + 1 < text.n ? text.p[i + 1] : '\0';
        if (!inside && c == '/' && next == '/') inside = '\n';
        if (!inside && c == '/' && next == '*') inside = '*';
        bool opens = !inside && c == '"';
        if (inside == '\n' && c == '\n') inside = 0;
        copy[i] = (inside || opens) && c != '\n' ? ' ' : c;
        if (inside == '"' && c == '"') inside = 0;
        if (inside == '*' && c == '/' && i && text.p[i - 1] == '*') inside = 0;
        if (opens) inside = '"';
    }
    copy[text.n] = '\0';
    return copy;
}

/* The start of the statement whose opcode is at `at`: its guard, if there is one. */
static inline size_t site_start(const char *text, size_t at)
{
    size_t start = at;
    while (start && strchr(" \t", text[start - 1])) start--;
    while (start && !strchr(" \t\n;{}:@", text[start - 1])) start--;
    return start && text[start - 1] == '@' ? start - 1 : at;
}

/* Ascending; the caller frees with vec_free. */
static inline struct sites sites_of(struct str text)
{
    static const char *const heads[] = {"tcgen05.wait::", "tcgen05.fence::", "fence.proxy.async"};
    struct sites sites = {0};
    char *plain = text_without_comments(text);
    uint32_t line = 1;
    for (size_t at = 0; at < text.n; at++) {
        line += plain[at] == '\n';
        if (at && !strchr(" \t\n;{}:", plain[at - 1])) continue;
        bool found = false;
        for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
            found |= !strncmp(plain + at, heads[h], strlen(heads[h]));
        const char *end = found ? strchr(plain + at, ';') : NULL;
        if (!end) continue;
        size_t start = site_start(plain, at);
        vec_push(&sites,
                 (struct site){(uint32_t)start, (uint32_t)(end + 1 - plain), line, start < at});
    }
    free(plain);
    return sites;
}

/* text without one statement; its line breaks are kept. */
static inline void text_less(struct str text, struct site site, struct buf *out)
{
    out->len = 0;
    buf_add(out, text.p, site.start);
    buf_add(out, text.p + site.end, text.n - site.end);
}

/* The checker's verdict under the defaults. message (freed with free) is its reason. */
static inline enum check_verdict checked(struct str before, struct str after, char **message)
{
    struct arena arena = {0};
    struct check_result result;
    check_run(&(struct check_options){0}, before, after, &arena, &result);
    *message = must(strdup(result.message));
    arena_free(&arena);
    return result.verdict;
}

/* The optimizer's result under the defaults; with by_isa, ptxas-follows-isa is assumed. Released
 * with ptxopt_result_free. */
static bool by_isa;

static inline struct ptxopt_result *run_defaults(struct str text)
{
    struct ptxopt_options *options = ptxopt_options_new();
    must(by_isa && !ptxopt_options_assume(options, "ptxas-follows-isa", true) ? NULL : options);
    struct ptxopt_result *result = ptxopt_run(options, "", text.p, text.n);
    ptxopt_options_free(options);
    return result;
}

/* Its text, freed with free; data is NULL if the text was refused or a function was skipped. */
static inline struct bytes optimized(struct str text, uint32_t *deleted)
{
    struct ptxopt_result *result = run_defaults(text);
    struct bytes made = {NULL, 0};
    const char *bytes = ptxopt_result_text(result, &made.len);
    made.data = must(malloc(made.len + 1));
    memcpy(made.data, bytes, made.len);
    made.data[made.len] = '\0';
    *deleted = ptxopt_result_stats(result)->deleted;
    bool bad =
        ptxopt_result_status(result) != PTXOPT_OK || ptxopt_result_count(result, PTXOPT_SKIPPED);
    ptxopt_result_free(result);
    if (!bad) return made;
    free(made.data);
    return (struct bytes){0};
}

/* Files, sorted by name; globfree it. A pattern is of examples/, or of cases: these are in the
 * folder EXPANDED. */
static inline void list_kernels(const char *pattern, glob_t *found)
{
    const char *folder = getenv("EXPANDED");
    char whole[4096];
    if (!strncmp(pattern, "examples/", 9))
        snprintf(whole, sizeof whole, "%s", pattern);
    else
        snprintf(whole, sizeof whole, "%s/%s", folder ? folder : "cases.dir", pattern);
    if (glob(whole, 0, NULL, found)) found->gl_pathc = 0;
}

#endif

/* What the data-driven tests share: files, a sorted walk, one TAP line a case. */
#ifndef PTXOPT_TESTS_HARNESS_H
#define PTXOPT_TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/ptxopt.h"

/* data is NUL-terminated after len, or NULL when there is no such file; freed with free. */
struct bytes {
    char *data;
    size_t len;
};

struct bytes file_read(const char *path);

/* Both end the program with a line on standard error when they fail. */
void file_write(const char *path, const char *data, size_t len);
void *must(void *allocated);

bool bytes_equal(const char *a, size_t a_len, const char *b, size_t b_len);

/* Prints the lines in which want and got differ as TAP comments, at most a dozen. */
void print_difference(struct bytes want, struct bytes got);

/* path with its suffix (".ptx") replaced; freed with free. */
char *with_suffix(const char *path, const char *suffix);

/* The options that the text's first line asks for, "// options: --no-assume X --assume Y --isa V
 * --rules R": the defaults when it has none, NULL (with a comment printed) when it is wrong. */
struct ptxopt_options *options_of(struct bytes text);

/* A case: true when it passed. It runs in a process of its own, so a crash fails only itself, and
 * says what is wrong in lines that begin with "# ". */
typedef bool case_function(const char *path);

/* Runs one case in a child; a crash is described and is a failure. */
bool run_apart(bool (*run)(const void *), const void *what);

/* Runs every .ptx file at or below the paths in order of name, prints TAP; the exit status, which
 * says only whether it ran (automake's driver would count it as one failure more). */
int run_all(char *const *paths, case_function *run);

/* Changes to SRCDIR, so that paths below the source tree are the names of the cases. */
void enter_source_tree(void);

#endif

/* Shared by the data-driven tests: files, a sorted walk, one TAP line for each case. */
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

/* Both end the program with a line on standard error if they fail. */
void file_write(const char *path, const char *data, size_t len);
void *must(void *allocated);

bool bytes_equal(const char *a, size_t a_len, const char *b, size_t b_len);

/* Prints the lines in which want and got differ as TAP comments, at most a dozen. */
void print_difference(struct bytes want, struct bytes got);

/* path with its suffix (".ptx") replaced; freed with free. */
char *with_suffix(const char *path, const char *suffix);

/* The options in the text's first line, "// options: --no-assume X --assume Y --isa V --rules R":
 * the defaults if there is none, NULL (with a comment printed) if it is wrong. */
struct ptxopt_options *options_of(struct bytes text);

/* A case: true if it passes. It runs in its own process, so a crash fails only that case, and
 * prints failures in lines that begin with "# ". */
typedef bool case_function(const char *path);

/* Runs one case in a child; a crash is printed and is a failure. */
bool run_apart(bool (*run)(const void *), const void *what);

/* Runs every .ptx file at or below the paths, sorted by name, and prints TAP. Returns the exit
 * status, which only shows whether it ran (automake's driver would count another failure). */
int run_all(char *const *paths, case_function *run);

/* Changes to SRCDIR, so that paths below the source tree are the names of the cases. */
void enter_source_tree(void);

#endif

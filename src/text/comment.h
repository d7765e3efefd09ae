/* Skips what is not PTX code: comments, strings, and lines that begin with '#'. */
#ifndef PTXOPT_TEXT_COMMENT_H
#define PTXOPT_TEXT_COMMENT_H

/* The end of the comment, string or '#' line that begins at `at`, which must be before end. Returns
 * `at` if none begins there or it does not end. */
const char *comment_skip(const char *at, const char *end);

#endif

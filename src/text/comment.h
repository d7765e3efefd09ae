/* Skips what is not PTX: comments, strings, and lines that begin with '#'. */
#ifndef PTXOPT_TEXT_COMMENT_H
#define PTXOPT_TEXT_COMMENT_H

/* After the comment, string or line of '#' that begins at `at`, which is before end; `at` itself
 * when none begins there or it has no end. */
const char *comment_skip(const char *at, const char *end);

#endif

/* Sends one request to a server by libcurl, and receives its answer. Only ptxopt-post does. */
#ifndef PTXOPT_CLI_HTTP_H
#define PTXOPT_CLI_HTTP_H

#include "cli/loaded.h"
#include "cli/post.h"

/* answer is zero-initialised by the caller, who frees its body with buf_free. */
void http_send(const struct loaded *loaded, const struct post *post, struct post_answer *answer);

#endif

/* Replaces remote.c if libcurl's header is missing, or in a static program, which cannot load
 * libraries: no server is used. */
#include "cli/remote.h"

#include <stddef.h>

struct remote *remote_open(const struct command *command, struct buf *messages)
{
    (void)command;
    buf_puts(messages, "ptxopt: warning: --server is not used: this build cannot load libcurl\n");
    return NULL;
}

void remote_close(struct remote *remote)
{
    (void)remote;
}

bool remote_has_failed(const struct remote *remote)
{
    (void)remote;
    return true;
}

bool remote_run(struct remote *remote, struct str text, struct buf *answer, struct buf *messages)
{
    (void)remote, (void)text, (void)answer, (void)messages;
    return false;
}

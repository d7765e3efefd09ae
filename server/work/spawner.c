/* Makes the processes of --isolate. See spawner.h. */
#include "server/work/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/work/transfer.h"

enum { SPARES_MOST = 16, SPAWNER_SOCKET = 3 };

struct spawner {
    int socket;
    int spares[SPARES_MOST]; /* ends of the sockets of children that are not requested yet */
    size_t count;
    const struct settings *settings;
    child_handle *handle;
};

/* A new child at the other end of *fd; false when there can be none. */
static bool spawn_child(const struct spawner *spawner, int *fd)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
    pid_t pid = fork();
    if (pid == 0) {
        close(spawner->socket);
        close(pair[0]);
        for (size_t i = 0; i < spawner->count; i++) close(spawner->spares[i]);
        child_main(pair[1], spawner->settings, spawner->handle);
        _exit(0);
    }
    close(pair[1]);
    *fd = pair[0];
    if (pid < 0) close(pair[0]);
    return pid > 0;
}

/* Gives up all files but the socket: the one that is listened on, above all. False when that cannot
 * be done. The socket is SPAWNER_SOCKET then. */
static bool keep_only(int socket)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0) return false;
    for (int fd = 0; fd < SPAWNER_SOCKET; fd++)
        if (dup2(nothing, fd) < 0) return false;
    if (socket != SPAWNER_SOCKET && dup2(socket, SPAWNER_SOCKET) < 0) return false;
    closefrom(SPAWNER_SOCKET + 1);
    return true;
}

/* One more that is ready; false when there can be none. */
static bool add_spare(struct spawner *spawner)
{
    bool fine = spawn_child(spawner, &spawner->spares[spawner->count]);
    if (fine) spawner->count++;
    return fine;
}

/* False: there is no receiver. */
static bool hand_out(struct spawner *spawner)
{
    char alone = 0;
    if (!spawner->count && !add_spare(spawner))
        return send(spawner->socket, &alone, 1, MSG_NOSIGNAL) == 1;
    int fd = spawner->spares[--spawner->count];
    if (!transfer_send_fd(spawner->socket, fd)) return false;
    close(fd);
    return true;
}

static void spawner_main(struct spawner *spawner)
{
    size_t most = (size_t)spawner->settings->limits.workers;
    char byte;
    if (most > SPARES_MOST) most = SPARES_MOST;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;) {
        while (spawner->count < most && add_spare(spawner)) continue;
        ssize_t n = recv(spawner->socket, &byte, 1, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || !hand_out(spawner)) return;
    }
}

pid_t spawner_start(const struct settings *settings, child_handle *handle, int *socket)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        struct spawner spawner = {.socket = SPAWNER_SOCKET, .settings = settings, .handle = handle};
        if (keep_only(pair[1])) spawner_main(&spawner);
        _exit(0);
    }
    close(pair[1]);
    *socket = pair[0];
    if (pid < 0) close(pair[0]);
    return pid;
}

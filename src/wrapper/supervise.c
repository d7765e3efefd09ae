/* Passes signals on while ptxas runs. See supervise.h. */
#include "wrapper/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"

static volatile sig_atomic_t remembered;
static volatile sig_atomic_t running; /* process id of the child; 0: none */

static void pass_signal_on(int number)
{
    remembered = number;
    if (running) kill((pid_t)running, number);
}

/* The signal actions to change. supervise_prepare changes the first PREPARED ones, supervise_begin
 * the others. */
static struct change {
    int number;
    void (*handler)(int);
    bool is_made;
    struct sigaction before;
} changes[] = {
    {.number = SIGCHLD, .handler = SIG_DFL}, /* with SIG_IGN, waitpid gives no status */
    {.number = SIGPIPE, .handler = SIG_IGN},        {.number = SIGXFSZ, .handler = SIG_IGN},
    {.number = SIGHUP, .handler = pass_signal_on},  {.number = SIGINT, .handler = pass_signal_on},
    {.number = SIGQUIT, .handler = pass_signal_on}, {.number = SIGTERM, .handler = pass_signal_on},
    {.number = SIGALRM, .handler = pass_signal_on}, {.number = SIGUSR1, .handler = pass_signal_on},
    {.number = SIGUSR2, .handler = pass_signal_on}, {.number = SIGXCPU, .handler = pass_signal_on},
};
enum { PREPARED = 3, CHANGES = sizeof changes / sizeof *changes };

static void change_action(struct change *change)
{
    struct sigaction action = {.sa_handler = change->handler};
    sigemptyset(&action.sa_mask);
    if (sigaction(change->number, NULL, &change->before) != 0) return;
    if (change->handler == pass_signal_on && change->before.sa_handler == SIG_IGN) return;
    change->is_made = sigaction(change->number, &action, NULL) == 0;
}

void supervise_prepare(void)
{
    int fd;
    do fd = open("/dev/null", O_RDONLY | O_CLOEXEC); /* closed when ptxas starts */
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
    for (size_t i = 0; i < PREPARED; i++) change_action(&changes[i]);
}

void supervise_begin(void)
{
    for (size_t i = PREPARED; i < CHANGES; i++) change_action(&changes[i]);
}

void supervise_end(void)
{
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].is_made) sigaction(changes[i].number, &changes[i].before, NULL);
    if (remembered) raise(remembered);
}

bool supervise_is_asked_to_end(void)
{
    return remembered != 0;
}

pid_t supervise_fork(void)
{
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        supervise_end();
    }
    return child;
}

int supervise_wait(pid_t child)
{
    siginfo_t end;
    running = (sig_atomic_t)child;
    if (remembered) kill(child, remembered); /* the signal came before the child was known */
    while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
    running = 0; /* before waitpid frees the process id */
    return child_wait(child);
}

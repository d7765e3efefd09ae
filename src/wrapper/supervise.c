/* What happens to a signal while a child works? See supervise.h. */
#include "wrapper/supervise.h"

#include <signal.h>
#include <stddef.h>

#include "base/child.h"

static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ASKING = sizeof asking / sizeof *asking };

static volatile sig_atomic_t remembered;
static volatile sig_atomic_t running; /* the child; 0: none */
static struct sigaction before[ASKING];

static void pass_on(int number)
{
    remembered = number;
    if (running) kill((pid_t)running, number);
}

void supervise_begin(void)
{
    struct sigaction action = {.sa_handler = pass_on};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ASKING; i++)
        if (sigaction(asking[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(asking[i], &action, NULL);
}

void supervise_leave(void)
{
    for (size_t i = 0; i < ASKING; i++) sigaction(asking[i], &before[i], NULL);
}

int supervise_wait(pid_t child)
{
    running = (sig_atomic_t)child;
    if (remembered) kill(child, remembered); /* it came before the child was known */
    int status = child_wait(child);
    running = 0;
    return status;
}

void supervise_resume(void)
{
    if (!remembered) return;
    signal(remembered, SIG_DFL);
    raise(remembered);
}

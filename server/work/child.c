/* Confines the process that works on a client's text. It has limits on memory and processor time,
 * and may only read, write, map memory and end: it was given no file but its socket. */
#include "server/work/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "base/mem.h"
#include "server/work/transfer.h"

/* A macro, since glibc's resources are an enumeration and others' are numbers. */
#define LIMIT(resource, most) setrlimit(resource, &(struct rlimit){(most), (most)})

/* What mapping memory, reading, writing and ending need; anything else fails. It does not kill: the
 * C library makes other calls (qsort for the size of the memory) and can do without. */
static bool filter_system_calls(void)
{
#ifdef HAVE_SECCOMP
    static const int allowed[] = {
        SCMP_SYS(read),          SCMP_SYS(write),      SCMP_SYS(recvfrom),
        SCMP_SYS(sendto),        SCMP_SYS(shutdown),   SCMP_SYS(mmap),
        SCMP_SYS(munmap),        SCMP_SYS(mremap),     SCMP_SYS(madvise),
        SCMP_SYS(mprotect),      SCMP_SYS(brk),        SCMP_SYS(futex),
        SCMP_SYS(clock_gettime), SCMP_SYS(getrusage),  SCMP_SYS(gettimeofday),
        SCMP_SYS(getrandom),     SCMP_SYS(exit),       SCMP_SYS(exit_group),
        SCMP_SYS(rt_sigreturn),  SCMP_SYS(sched_yield)};
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool fine = context;
    for (size_t i = 0; fine && i < sizeof allowed / sizeof *allowed; i++)
        fine = seccomp_rule_add(context, SCMP_ACT_ALLOW, allowed[i], 0) == 0;
    fine = fine && seccomp_load(context) == 0;
    seccomp_release(context);
    return fine;
#else
    return false;
#endif
}

/* The answer of a child that ends before its own is there: the libraries end a process that gets
 * no memory, and a text may trigger a fault in them. Made before, since there may be no memory
 * left, or none that is sound. */
static struct {
    int fd;
    struct buf needs_memory, crashed;
    bool is_said;
} last_words;

static void send_last_words(const struct buf *words)
{
    if (last_words.is_said) return;
    last_words.is_said = true;
    transfer_write(last_words.fd, words->data, words->len, 0);
    shutdown(last_words.fd, SHUT_WR);
}

static void say_needs_memory(void)
{
    send_last_words(&last_words.needs_memory);
}

static void say_crashed(int signal)
{
    send_last_words(&last_words.crashed);
    _exit(signal);
}

static void make_words(int status, struct buf *words)
{
    struct reply reply = {.status = status};
    if (!message_pack_reply(&reply, words)) mem_exhausted();
    reply_free(&reply);
}

static void prepare_last_words(int fd)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    static char stack[64 << 10]; /* the usual one may be what ran out */
    struct sigaction action = {.sa_handler = say_crashed, .sa_flags = SA_ONSTACK};
    make_words(CHILD_NEEDS_MEMORY, &last_words.needs_memory);
    make_words(CHILD_CRASHED, &last_words.crashed);
    last_words.fd = fd;
    atexit(say_needs_memory);
    at_quick_exit(say_needs_memory);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}

static void limit_resources(const struct settings *settings)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    LIMIT(RLIMIT_CORE, 0);
    LIMIT(RLIMIT_NPROC, 0);
    LIMIT(RLIMIT_FSIZE, 0);
#ifndef WITH_SANITIZERS /* their shadow is larger than any limit */
    LIMIT(RLIMIT_AS, settings->limits.isolate_memory);
#endif
    LIMIT(RLIMIT_CPU, settings->limits.work_timeout_ms / 1000 + 1);
}

void child_main(int fd, const struct settings *settings, child_handle *handle)
{
    struct request request = {0};
    struct reply reply = {0};
    struct buf in = {0}, out = {0};
    limit_resources(settings);
    prepare_last_words(fd);
    if (!filter_system_calls()) return;
    bool is_read = transfer_read(fd, SIZE_MAX, &in, 0);
    if (is_read && !in.len) return; /* no more requests come */
    if (!is_read || !message_unpack_request((struct str){in.data, in.len}, &request)) {
        say_needs_memory();
        return;
    }
    buf_free(&in);
    bool fine =
        handle(settings, &request, &reply) != WORK_NO_MEMORY && message_pack_reply(&reply, &out);
    send_last_words(fine ? &out : &last_words.needs_memory);
    shutdown(fd, SHUT_WR);
}

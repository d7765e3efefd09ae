/* How is a request that goes wrong kept from the rest? The nursery is forked early, while one
 * thread runs. It keeps a few children ready, each at the end of a socket; a worker takes one,
 * writes the request, reads the answer, and the child ends. A child has limits on memory and
 * processor time and may only read, write, map memory and end: it was given no file. */
#include "server/work/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "base/mem.h"
#include "server/base/attempt.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/handle/problem.h"
#include "server/handle/routes.h"
#include "server/store/crashes.h"

enum { SPARES_MOST = 16, NURSERY_SOCKET = 3 };

/* An answer: a report of a text is some times its size. The deadline is after that of the request,
 * which is answered by then: this one is the child's. */
enum {
    ANSWER_LEAST = 64 << 20,
    ANSWER_TIMES = 32,
    CHILD_GRACE_MS = 1000,
    SELF_TEST_MS = 10000,
    NEEDS_MEMORY = 413,
    CRASHED = 500 /* no handler says these */
};

struct isolate {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    bool is_taken; /* the socket to the nursery, by a worker */
    int nursery;
    pid_t pid;
    struct crashes *crashes;
};

/* ---- bytes through a socket ---- */

static bool write_all(int fd, const char *bytes, size_t len, uint64_t deadline_us)
{
    while (len) {
        if (deadline_us && !clock_poll(fd, POLLOUT, deadline_us)) return false;
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL | (deadline_us ? MSG_DONTWAIT : 0));
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* Until the other end shuts down; false when it sends more than most. */
static bool read_all(int fd, size_t most, struct buf *out, uint64_t deadline_us)
{
    char block[1 << 16];
    for (;;) {
        if (deadline_us && !clock_poll(fd, POLLIN, deadline_us)) return false;
        ssize_t n = recv(fd, block, sizeof block, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        if ((size_t)n > most - out->len) return false;
        if (!attempt_add(out, block, (size_t)n)) return false;
    }
}

/* ---- a child ---- */

/* A macro, since glibc's resources are an enumeration and others' are numbers. */
#define LIMIT(resource, most) setrlimit(resource, &(struct rlimit){(most), (most)})

/* What mapping memory, reading, writing and ending need; anything else fails. It does not kill: the
 * C library asks for this and that (qsort for the size of the memory) and can do without. */
static bool filter(void)
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

/* What a child says when it ends before its answer is there: the libraries end a process that gets
 * no memory, and a text may find what is wrong with them. Made before, since there may be no memory
 * left, or none that is sound. */
static struct {
    int fd;
    struct buf needs_memory, crashed;
    bool is_said;
} last_words;

static void say(const struct buf *words)
{
    if (last_words.is_said) return;
    last_words.is_said = true;
    write_all(last_words.fd, words->data, words->len, 0);
    shutdown(last_words.fd, SHUT_WR);
}

static void say_needs_memory(void)
{
    say(&last_words.needs_memory);
}

static void say_crashed(int signal)
{
    say(&last_words.crashed);
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
    make_words(NEEDS_MEMORY, &last_words.needs_memory);
    make_words(CRASHED, &last_words.crashed);
    last_words.fd = fd;
    atexit(say_needs_memory);
    at_quick_exit(say_needs_memory);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}

static void child_main(int fd, const struct settings *settings)
{
    struct service service = {.settings = settings};
    struct request request = {0};
    struct reply reply = {0};
    struct buf in = {0}, out = {0};
    char allow[64];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    LIMIT(RLIMIT_CORE, 0);
    LIMIT(RLIMIT_NPROC, 0);
    LIMIT(RLIMIT_FSIZE, 0);
#ifndef WITH_SANITIZERS /* their shadow is larger than any limit */
    LIMIT(RLIMIT_AS, settings->limits.isolate_memory);
#endif
    LIMIT(RLIMIT_CPU, settings->limits.work_timeout_ms / 1000 + 1);
    prepare_last_words(fd);
    if (!filter()) return;
    bool is_read = read_all(fd, SIZE_MAX, &in, 0);
    if (is_read && !in.len) return; /* nobody asks any more */
    if (!is_read || !message_unpack_request((struct str){in.data, in.len}, &request)) {
        say_needs_memory();
        return;
    }
    buf_free(&in);
    const struct route *route = routes_find(request.method, request.path, allow, sizeof allow);
    if (!route) return;
    request.deadline_us = clock_now_us() + settings->limits.work_timeout_ms * 1000;
    bool fine = service_handle(&service, route, &request, &reply) != WORK_NO_MEMORY &&
                message_pack_reply(&reply, &out);
    say(fine ? &out : &last_words.needs_memory);
    shutdown(fd, SHUT_WR);
}

/* ---- the nursery ---- */

static bool send_fd(int socket, int fd)
{
    char byte = 0;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

static int receive_fd(int socket)
{
    char byte;
    int fd = -1;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

/* A new child at the other end of *fd; false when there can be none. */
static bool bear(int nursery, const int *spares, size_t count, const struct settings *settings,
                 int *fd)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
    pid_t pid = fork();
    if (pid == 0) {
        close(nursery);
        close(pair[0]);
        for (size_t i = 0; i < count; i++) close(spares[i]);
        child_main(pair[1], settings);
        _exit(0);
    }
    close(pair[1]);
    *fd = pair[0];
    if (pid < 0) close(pair[0]);
    return pid > 0;
}

/* Gives up all files but the socket: the one that is listened on, above all. False when that cannot
 * be done. The socket is NURSERY_SOCKET then. */
static bool keep_only(int socket)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0) return false;
    for (int fd = 0; fd < NURSERY_SOCKET; fd++)
        if (dup2(nothing, fd) < 0) return false;
    if (socket != NURSERY_SOCKET && dup2(socket, NURSERY_SOCKET) < 0) return false;
    closefrom(NURSERY_SOCKET + 1);
    return true;
}

/* A byte asks for a child; the end of the socket ends the nursery, and with it its children. */
static void nursery_main(int socket, const struct settings *settings)
{
    int spares[SPARES_MOST];
    size_t count = 0, most = (size_t)settings->limits.workers;
    char byte;
    if (most > SPARES_MOST) most = SPARES_MOST;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;) {
        while (count < most && bear(socket, spares, count, settings, &spares[count])) count++;
        ssize_t n = recv(socket, &byte, 1, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        if (!count && bear(socket, spares, count, settings, &spares[count])) count++;
        if (!count) {
            /* No child: the byte alone says so. */
            if (send(socket, &byte, 1, MSG_NOSIGNAL) != 1) return;
            continue;
        }
        count--;
        if (!send_fd(socket, spares[count])) return;
        close(spares[count]);
    }
}

struct isolate *isolate_new(const struct settings *settings)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return NULL;
    pid_t pid = fork();
    if (pid == 0) {
        if (keep_only(pair[1])) nursery_main(NURSERY_SOCKET, settings);
        _exit(0);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return NULL;
    }
    struct isolate *isolate = mem_zalloc(1, sizeof *isolate);
    pthread_mutex_init(&isolate->lock, NULL);
    clock_condition(&isolate->returned);
    isolate->nursery = pair[0];
    isolate->pid = pid;
    isolate->crashes = crashes_new();
    return isolate;
}

void isolate_free(struct isolate *isolate)
{
    if (!isolate) return;
    close(isolate->nursery);
    kill(isolate->pid, SIGKILL); /* its children die with it */
    waitpid(isolate->pid, NULL, 0);
    pthread_cond_destroy(&isolate->returned);
    pthread_mutex_destroy(&isolate->lock);
    crashes_free(isolate->crashes);
    mem_free(isolate);
}

/* ---- a worker ---- */

static bool take_nursery(struct isolate *isolate, uint64_t deadline_us)
{
    pthread_mutex_lock(&isolate->lock);
    while (isolate->is_taken && clock_wait(&isolate->returned, &isolate->lock, deadline_us))
        continue;
    bool taken = !isolate->is_taken;
    isolate->is_taken = true;
    pthread_mutex_unlock(&isolate->lock);
    return taken;
}

static void return_nursery(struct isolate *isolate)
{
    pthread_mutex_lock(&isolate->lock);
    isolate->is_taken = false;
    pthread_cond_signal(&isolate->returned);
    pthread_mutex_unlock(&isolate->lock);
}

/* The end of a child's socket; -1 without one in time. A child that comes later is the next
 * one's. */
static int take_child(struct isolate *isolate, uint64_t deadline_us)
{
    char byte = 0;
    int fd = -1;
    if (!take_nursery(isolate, deadline_us)) return -1;
    if (send(isolate->nursery, &byte, 1, MSG_NOSIGNAL) == 1 &&
        clock_poll(isolate->nursery, POLLIN, deadline_us))
        fd = receive_fd(isolate->nursery);
    return_nursery(isolate);
    return fd;
}

/* Closing the socket of a child that is late ends it at its next write; its limit on processor
 * time ends one that never writes. */
static bool ask_child(struct isolate *isolate, uint64_t timeout_ms, struct str in,
                      struct reply *reply)
{
    uint64_t deadline_us = clock_now_us() + timeout_ms * 1000;
    struct buf out = {0};
    int fd = take_child(isolate, deadline_us);
    size_t most = ANSWER_LEAST + in.n * ANSWER_TIMES;
    if (fd >= 0) {
        /* One that could not read it all may have said why: what counts is a whole answer. */
        write_all(fd, in.p, in.n, deadline_us);
        shutdown(fd, SHUT_WR);
        read_all(fd, most, &out, deadline_us);
    }
    bool fine = message_unpack_reply((struct str){out.data, out.len}, reply);
    if (fd >= 0) close(fd);
    buf_free(&out);
    return fine;
}

bool isolate_works(struct isolate *isolate)
{
    struct request request = {.method = "GET", .path = "/v1/version", .client = "", .wants = ""};
    struct reply reply = {0};
    struct buf packed = {0};
    bool fine = message_pack_request(&request, &packed) &&
                ask_child(isolate, SELF_TEST_MS, (struct str){packed.data, packed.len}, &reply) &&
                reply.status == 200;
    buf_free(&packed);
    reply_free(&reply);
    return fine;
}

bool isolate_is_ended(struct isolate *isolate)
{
    return isolate && waitpid(isolate->pid, NULL, WNOHANG) == isolate->pid;
}

/* Without Retry-After: it would crash the next one, too. */
static void refuse_crashing(const struct request *request, struct reply *reply)
{
    problem_set(reply, request, CRASHED, "crash",
                "the process that worked on this text crashed; the text is not run again");
}

/* The child's last word, or none. */
static void explain(struct service *service, const struct request *request, bool is_late,
                    struct reply *reply)
{
    if (!is_late) metrics_add(&service->metrics, METRICS_CRASHES, 1);
    log_event("error", is_late ? "timeout" : "crash", "the process of request %s %s", request->id,
              is_late ? "took too long" : "died");
    if (reply->status == CRASHED)
        refuse_crashing(request, reply);
    else
        problem_retry(reply, request, 503, is_late ? "timeout" : "crash",
                      "the process that worked on this request ended early");
}

void isolate_run(struct isolate *isolate, struct service *service, const struct request *request,
                 struct reply *reply)
{
    uint64_t timeout_ms = service->settings->limits.work_timeout_ms;
    uint64_t begin_us = clock_now_us();
    unsigned char digest[DIGEST_BYTES];
    struct buf packed = {0};
    struct str body = {request->body.data, request->body.len};
    digest_bytes(&body, 1, digest);
    if (crashes_has(isolate->crashes, digest)) {
        refuse_crashing(request, reply);
        return;
    }
    if (!message_pack_request(request, &packed)) {
        problem_from_end(reply, request, WORK_NO_MEMORY);
        return;
    }
    bool answered = ask_child(isolate, timeout_ms + CHILD_GRACE_MS,
                              (struct str){packed.data, packed.len}, reply);
    buf_free(&packed);
    if (answered && reply->status == CRASHED) crashes_add(isolate->crashes, digest);
    if (answered && reply->status == NEEDS_MEMORY)
        problem_set(reply, request, NEEDS_MEMORY, "too-large",
                    "the work on this text needs more memory than --isolate-memory");
    else if (!answered || reply->status == CRASHED)
        explain(service, request, !answered && clock_now_us() - begin_us >= timeout_ms * 1000,
                reply);
}

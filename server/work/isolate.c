/* Runs each request in a separate process, so that one that crashes ends no other. A worker
 * takes a process from the spawner (spawner.h), writes the request, reads the answer, and the
 * process ends. */
#include "server/work/isolate.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/handle/problem.h"
#include "server/store/crashes.h"
#include "server/work/spawner.h"
#include "server/work/transfer.h"

/* The deadline is after that of the request, which is answered by then: this one is the child's. */
enum { HEAD_MOST = 64 << 10, CHILD_GRACE_MS = 1000, SELF_TEST_MS = 10000 };

struct isolate {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    bool is_taken; /* the socket to the spawner, by a worker */
    int spawner;
    pid_t pid;
    struct crashes *crashes;
    size_t most; /* bytes of an answer, with its head */
};

struct isolate *isolate_new(const struct settings *settings, child_handle *handle)
{
    int socket;
    pid_t pid = spawner_start(settings, handle, &socket);
    if (pid < 0) return NULL;
    struct isolate *isolate = mem_zalloc(1, sizeof *isolate);
    pthread_mutex_init(&isolate->lock, NULL);
    clock_condition(&isolate->returned);
    isolate->spawner = socket;
    isolate->pid = pid;
    isolate->crashes = crashes_new();
    isolate->most = (size_t)settings->limits.max_answer + HEAD_MOST;
    return isolate;
}

void isolate_free(struct isolate *isolate)
{
    if (!isolate) return;
    close(isolate->spawner);
    kill(isolate->pid, SIGKILL); /* its children die with it */
    waitpid(isolate->pid, NULL, 0);
    pthread_cond_destroy(&isolate->returned);
    pthread_mutex_destroy(&isolate->lock);
    crashes_free(isolate->crashes);
    mem_free(isolate);
}

/* ---- asking a child ---- */

static bool take_spawner(struct isolate *isolate, uint64_t deadline_us)
{
    pthread_mutex_lock(&isolate->lock);
    while (isolate->is_taken && clock_wait(&isolate->returned, &isolate->lock, deadline_us))
        continue;
    bool taken = !isolate->is_taken;
    isolate->is_taken = true;
    pthread_mutex_unlock(&isolate->lock);
    return taken;
}

static void return_spawner(struct isolate *isolate)
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
    if (!take_spawner(isolate, deadline_us)) return -1;
    if (send(isolate->spawner, &byte, 1, MSG_NOSIGNAL) == 1 &&
        clock_poll(isolate->spawner, POLLIN, deadline_us))
        fd = transfer_receive_fd(isolate->spawner);
    return_spawner(isolate);
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
    if (fd >= 0) {
        /* A child that could not read all of it may have sent the reason: only a complete answer
         * counts. */
        transfer_write(fd, in.p, in.n, deadline_us);
        shutdown(fd, SHUT_WR);
        transfer_read(fd, isolate->most, &out, deadline_us);
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
    problem_set(reply, request, CHILD_CRASHED, "crash",
                "the process that worked on this text crashed; the text is not run again");
}

/* Explains the end of a child by its last answer, if there is one. */
static void explain_child_end(struct service *service, const struct request *request, bool is_late,
                              struct reply *reply)
{
    if (!is_late) metrics_add(&service->metrics, METRICS_CRASHES, 1);
    log_event("error", is_late ? "timeout" : "crash", "the process of request %s %s", request->id,
              is_late ? "took too long" : "died");
    if (reply->status == CHILD_CRASHED)
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
    if (answered && reply->status == CHILD_CRASHED) crashes_add(isolate->crashes, digest);
    /* Last words have no body. */
    if (answered && reply->status == CHILD_NEEDS_MEMORY && !reply->body.len)
        problem_set(reply, request, CHILD_NEEDS_MEMORY, "too-large",
                    "the work on this text needs more memory than --isolate-memory");
    else if (!answered || reply->status == CHILD_CRASHED)
        explain_child_end(service, request,
                          !answered && clock_now_us() - begin_us >= timeout_ms * 1000, reply);
}

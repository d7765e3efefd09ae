/* Measures how many requests ptxoptd answers per second.
 *   client PORT FILE CONNECTIONS SECONDS
 * Each connection repeatedly sends FILE to /v1/optimize and reads the answer. Prints the requests
 * per second and their number; status 1 if an answer is not a 200. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 4 << 20, MOST = 64 };

static char *request;
static size_t request_len;
static int port;
static double until;
static atomic_uint answers, failures;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int connect_to(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connect(fd, (struct sockaddr *)&at, sizeof at) == 0 ? fd : -1;
}

static int send_all(int fd)
{
    for (size_t at = 0; at < request_len;) {
        ssize_t put = send(fd, request + at, request_len - at, MSG_NOSIGNAL);
        if (put <= 0) return 0;
        at += (size_t)put;
    }
    return 1;
}

/* The length of the answer's body, from its header; 0 if there is none. */
static size_t whole(const char *answer, size_t len)
{
    const char *head = memmem(answer, len, "\r\n\r\n", 4);
    const char *length = head ? strcasestr(answer, "\nContent-Length:") : NULL;
    return length && length < head ? (size_t)(head + 4 - answer) + strtoul(length + 16, NULL, 10)
                                   : 0;
}

static int receive(int fd, char *answer)
{
    size_t len = 0, wanted = 0;
    while (!wanted || len < wanted) {
        ssize_t got = recv(fd, answer + len, ROOM - len, 0);
        if (got <= 0) return 0;
        len += (size_t)got;
        answer[len] = '\0';
        if (!wanted) wanted = whole(answer, len);
    }
    return strncmp(answer, "HTTP/1.1 200 ", 13) == 0;
}

static void *ask(void *unused)
{
    char *answer = malloc(ROOM + 1);
    int fd = connect_to();
    while (answer && fd >= 0 && now() < until) {
        if (!send_all(fd) || !receive(fd, answer)) break;
        atomic_fetch_add(&answers, 1);
    }
    atomic_fetch_add(&failures, now() < until);
    if (fd >= 0) close(fd);
    free(answer);
    return unused;
}

static int prepare(const char *path)
{
    char *text = malloc(ROOM);
    FILE *file = fopen(path, "rb");
    if (!file || !text) return 0;
    size_t len = fread(text, 1, ROOM, file);
    fclose(file);
    request = malloc(len + 512);
    if (!request) return 0;
    int head = snprintf(request, 512,
                        "POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\n"
                        "Content-Type: text/x-ptx\r\nContent-Length: %zu\r\n\r\n",
                        len);
    memcpy(request + head, text, len);
    request_len = (size_t)head + len;
    free(text);
    return 1;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    int count = argc == 5 ? atoi(argv[3]) : 0;
    if (count < 1 || count > MOST || !prepare(argv[2]))
        return fputs("usage: client PORT FILE CONNECTIONS SECONDS\n", stderr), 2;
    port = atoi(argv[1]);
    double start = now();
    until = start + atof(argv[4]);
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, ask, NULL);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    unsigned done = atomic_load(&answers);
    printf("%.1f %u\n", done / (now() - start), done);
    free(request);
    return atomic_load(&failures) || !done;
}

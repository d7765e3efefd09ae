/* ptxoptd: starts the service, waits for signals, drains and ends. Exit status: 0 after SIGTERM,
 * 1 when requests had to be cut off or --isolate broke down, 2 for a wrong command line or
 * environment. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <openssl/crypto.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/json.h"
#include "api/ptxopt.h"
#include "server/base/cgroup.h"
#include "server/base/clock.h"
#include "base/file.h"
#include "server/base/log.h"
#include "server/base/settings.h"
#include "server/base/spans.h"
#include "server/handle/documents.h"
#include "server/handle/routes.h"
#include "server/net/auth.h"
#include "server/net/httpd.h"
#include "server/net/listen.h"
#include "server/store/cache.h"
#include "server/store/digests.h"
#include "server/store/disk.h"
#include "server/store/remote.h"
#include "server/work/isolate.h"
#include "server/work/run.h"

enum {
    EXIT_DONE,
    EXIT_CUT,
    EXIT_WRONG,
    STEP_MS = 10,
    SPARE_FILES = 256,
    LINE = 1024,
    SECRET_LEAST = 32,
    FINISH_MS = 1500 /* for connections that are new, or sent a request just now */
};

static int print_failure(const char *problem)
{
    fprintf(stderr, "ptxoptd: %s\n", problem);
    return EXIT_WRONG;
}

/* A socket for each connection and, while its request is under way, two more (net/channel.h), where
 * the system allows it. */
static void allow_files(const struct limits *limits)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    rlim_t needed = 3 * limits->max_connections + SPARE_FILES;
    if (files.rlim_cur >= needed) return;
    files.rlim_cur = files.rlim_max < needed ? files.rlim_max : needed;
    setrlimit(RLIMIT_NOFILE, &files);
}

static void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Requests without an answer, or that a worker still has though their clients have closed. */
static unsigned left_in_work(struct service *service, struct httpd *httpd)
{
    int_fast64_t worked_on =
        atomic_load(&service->metrics.in_work) + atomic_load(&service->metrics.queued);
    unsigned asked = httpd_busy(httpd);
    return worked_on > (int_fast64_t)asked ? (unsigned)worked_on : asked;
}

/* Received requests are answered, idle connections are closed. A client that sends nothing does not
 * hold up the end. */
static void finish_connections(struct httpd *httpd)
{
    uint64_t begin = clock_now_us();
    httpd_finish(httpd);
    while (httpd_left(httpd) && clock_now_us() - begin < FINISH_MS * 1000) sleep_ms(1);
}

/* First only /readyz reports the coming end, so that load balancers send no more; then no new work
 * is begun, and active work is waited for. False: the grace time ended first. */
static bool drain_service(struct service *service, struct httpd *httpd, const struct limits *limits)
{
    atomic_store(&service->draining, true);
    listen_notify("STOPPING=1");
    log_event("info", "draining", "%u active requests", left_in_work(service, httpd));
    sleep_ms((long)limits->drain_delay_ms);
    atomic_store(&service->closing, true);
    uint64_t begin = clock_now_us();
    while (left_in_work(service, httpd)) {
        if (clock_now_us() - begin >= limits->grace_ms * 1000) return false;
        sleep_ms(STEP_MS);
    }
    finish_connections(httpd);
    return true;
}

/* The line without its end; "" for an empty file. False: errno has the reason. */
static bool read_first_line(const char *path, char line[LINE])
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    if (!fgets(line, LINE, file)) *line = 0;
    fclose(file);
    line[strcspn(line, "\r\n")] = 0;
    return true;
}

/* The first line of --cache-url-file may have a new password. */
static void reload_shared_cache(const struct service *service)
{
    char line[LINE] = "";
    bool is_read = read_first_line(service->settings->cache_url_file, line);
    if (is_read && remote_set_url(service->remote, line))
        log_event("info", "reload", "--cache-url-file was read again");
    else
        log_event("error", "reload", "the old --cache-url-file stays: %s",
                  is_read ? "its first line is not a URL of a form that --help lists"
                          : strerror(errno));
    OPENSSL_cleanse(line, sizeof line);
}

static void reload_tokens(struct auth *auth)
{
    char *problem = NULL;
    if (auth_reload(auth, &problem))
        log_event("info", "reload", "the tokens were read again");
    else
        log_event("error", "reload", "the old tokens stay: %s", problem);
    mem_free(problem);
}

static void reload_certificates(struct httpd *httpd)
{
    char problem[256];
    if (httpd_reload(httpd, problem))
        log_event("info", "reload", "the certificates were read again");
    else
        log_event("error", "reload", "the old certificates stay: %s", problem);
}

/* On SIGHUP. Each file separately: if one cannot be read, its settings are not changed. */
static void reload_files(const struct service *service, struct auth *auth, struct httpd *httpd)
{
    const struct settings *settings = service->settings;
    if (auth) reload_tokens(auth);
    if (settings->tls_cert) reload_certificates(httpd);
    if (settings->cache_url_file) reload_shared_cache(service);
    if (!auth && !settings->tls_cert && !settings->cache_url_file)
        log_event("info", "reload", "nothing to do");
}

/* The next signal; 0: none for half the time that systemd's watchdog waits. */
static int wait_for_signal(const sigset_t *signals, uint64_t watchdog_ms)
{
    uint64_t half = watchdog_ms / 2;
    struct timespec time = {(time_t)(half / 1000), (long)(half % 1000 * 1000000)};
    int signal = watchdog_ms ? sigtimedwait(signals, NULL, &time) : sigwaitinfo(signals, NULL);
    return signal > 0 ? signal : 0;
}

/* Until SIGTERM or SIGINT: true; or until there can be no more processes for --isolate. */
static bool wait_for_end(const sigset_t *signals, const struct service *service, struct auth *auth,
                         struct httpd *httpd)
{
    struct isolate *isolate = service->isolate;
    uint64_t watchdog_ms = listen_watchdog_ms();
    for (int signal = 0; signal != SIGTERM && signal != SIGINT;) {
        signal = wait_for_signal(signals, watchdog_ms);
        /* A service that hangs sends no notification, and systemd restarts it. */
        if (watchdog_ms && httpd_lives(httpd)) listen_notify("WATCHDOG=1");
        if (signal == SIGHUP) {
            listen_notify_reloading();
            reload_files(service, auth, httpd);
            listen_notify("READY=1");
        }
        if (signal == SIGCHLD && isolate_is_ended(isolate)) {
            log_event("error", "crash", "the process that makes those of --isolate died");
            return false;
        }
    }
    return true;
}

/* Beyond its limit the system kills the process, and with it the requests of all clients. */
static void warn_of_memory(const struct settings *settings)
{
    uint64_t needed = settings_memory(settings), allowed = cgroup_memory_max();
    if (allowed >= needed) return;
    log_event("warning", "memory",
              "the control group allows %" PRIu64 " bytes, but these settings allow the service "
              "%" PRIu64 " (--print-memory): raise the limit, or lower --workers, %s or "
              "--max-buffered",
              allowed, needed, settings->isolate ? "--isolate-memory" : "--work-memory");
}

static int serve_until_signal(struct service *service, struct auth *auth, struct listens *listens,
                              const sigset_t *signals)
{
    char problem[256];
    const struct limits *limits = &service->settings->limits;
    if (!listen_begin(listens, problem)) return print_failure(problem);
    struct httpd *httpd = httpd_start(service, auth, listens, problem);
    if (!httpd) return print_failure(problem);
    log_event("info", "started", "version %s, %u workers, %s, %s, %s", ptxopt_version(),
              (unsigned)limits->workers, service->isolate ? "isolated" : "not isolated",
              !service->remote                    ? "no shared cache"
              : remote_is_signed(service->remote) ? "with a signed shared cache"
                                                  : "with a shared cache",
              service->settings->tls_cert ? "TLS" : "no TLS");
    for (unsigned i = 0; i < listens->count; i++)
        log_event("info", "listening", "%s", listens->at[i].name);
    warn_of_memory(service->settings);
    listen_notify("READY=1");
    bool was_asked = wait_for_end(signals, service, auth, httpd);
    if (!drain_service(service, httpd, limits)) {
        log_event("error", "cut", "%u requests were still active", left_in_work(service, httpd));
        listen_close(listens);
        /* Their threads cannot be ended one by one. */
        _exit(EXIT_CUT);
    }
    httpd_stop(httpd);
    log_event("info", "stopped", "done");
    return was_asked ? EXIT_DONE : EXIT_CUT;
}

/* The digest of this program; a random one where it cannot be read. */
static void name_build(char hex[DIGEST_HEX + 1])
{
    struct buf bytes = {0};
    char random[DIGEST_BYTES];
    file_read_path("/proc/self/exe", SIZE_MAX, &bytes);
    if (!bytes.len && getrandom(random, sizeof random, 0) == sizeof random)
        buf_add(&bytes, random, sizeof random);
    digest_hex((struct str){bytes.data, bytes.len}, hex);
    buf_free(&bytes);
}

static bool open_disk_cache(struct service *service)
{
    char problem[256];
    if (!service->settings->cache_dir) return true;
    service->disk = disk_new(service->settings, &service->metrics, problem);
    if (!service->disk) print_failure(problem);
    return service->disk;
}

/* --cache-url, or the first line of --cache-url-file, with that of --cache-key-file. */
static bool open_shared_cache(struct service *service)
{
    char line[LINE] = "", secret[LINE] = "";
    const struct settings *settings = service->settings;
    const char *url = settings->cache_url, *file = settings->cache_key_file;
    if (settings->cache_url_file) {
        if (!read_first_line(settings->cache_url_file, line))
            return settings_complain("--cache-url-file", settings->cache_url_file, strerror(errno));
        url = line;
    }
    if (file && !read_first_line(file, secret))
        return settings_complain("--cache-key-file", file, strerror(errno));
    if (file && strlen(secret) < SECRET_LEAST) {
        print_failure("--cache-key-file: its first line is shorter than 32 bytes");
        return false;
    }
    if (!url) return true;
    service->remote = remote_new(url, str_from(secret), settings, &service->metrics);
    OPENSSL_cleanse(secret, sizeof secret);
    if (service->remote) return true;
    /* The URL may have a password in it: it is not repeated. */
    print_failure(settings->cache_url_file
                      ? "--cache-url-file: its first line is not a URL of a form that --help lists"
                      : "--cache-url: not of a form that --help lists");
    return false;
}

static bool read_trusted_proxies(const struct names *names, struct networks *networks)
{
    for (unsigned i = 0; i < names->count; i++) {
        if (networks_add(networks, names->at[i])) continue;
        fprintf(stderr,
                "ptxoptd: --trusted-proxy=%s: expected an IP address, ADDRESS/BITS or unix\n",
                names->at[i]);
        return false;
    }
    return true;
}

static int run_service(const struct settings *settings, struct listens *listens,
                       struct isolate *isolate)
{
    char build[DIGEST_HEX + 1];
    struct service service = {.settings = settings,
                              .build = build,
                              .metrics.route_name = routes_name,
                              .isolate = isolate};
    name_build(build);
    if (settings->log_level && !log_set_level(settings->log_level)) {
        fprintf(stderr, "ptxoptd: --log-level=%s: expected info, warning or error\n",
                settings->log_level);
        return EXIT_WRONG;
    }
    if (!read_trusted_proxies(&settings->trusted_proxies, &service.trusted_proxies))
        return EXIT_WRONG;
    char *problem = NULL;
    struct auth *auth = NULL;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGCHLD);
    /* Before the first thread, so that every thread has them blocked. */
    sigprocmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    if (settings->tokens) {
        service.allowances = allowances_new();
        auth = auth_new(settings->tokens, service.allowances, &problem);
        if (!auth) {
            print_failure(problem);
            mem_free(problem);
            allowances_free(service.allowances);
            return EXIT_WRONG;
        }
    }
    if (settings->otlp_url) service.spans = spans_new(settings->otlp_url, &service.metrics);
    size_t budget = (size_t)settings->limits.cache_bytes;
    if (budget) service.cache = cache_new(budget);
    if (budget) service.digests = digests_new();
    int status = EXIT_WRONG;
    documents_prepare();
    if (open_disk_cache(&service) && open_shared_cache(&service))
        status = serve_until_signal(&service, auth, listens, &signals);
    remote_free(service.remote);
    disk_free(service.disk);
    cache_free(service.cache);
    digests_free(service.digests);
    documents_free();
    spans_free(service.spans);
    auth_free(auth);
    allowances_free(service.allowances);
    return status;
}

/* glibc keeps blocks of up to 32 MB for itself once one was freed: none of clients' texts is
 * kept in this way. Of smaller blocks it would return each 128 KB, and request them again with
 * the next request; it keeps some for each thread. */
static void return_large_blocks(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

/* A file that is opened later never becomes standard input or the log. */
static void open_standard_files(void)
{
    int fd;
    do fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

static bool are_local(const struct listens *listens)
{
    bool all = true;
    for (unsigned i = 0; i < listens->count; i++) all &= listens->at[i].is_local;
    return all;
}

/* The spawner is forked while there is one thread and no secret in memory. */
static int run_isolated(const struct settings *settings, struct listens *listens)
{
    struct isolate *isolate = settings->isolate ? isolate_new(settings, run_in_child) : NULL;
    int status = EXIT_WRONG;
    if (settings->isolate && (!isolate || !isolate_works(isolate)))
        print_failure("--isolate: its processes cannot work here; does a filter of the system "
                      "forbid seccomp or fork?");
    else
        status = run_service(settings, listens, isolate);
    isolate_free(isolate);
    return status;
}

static int run_settings(const struct settings *settings)
{
    struct listens listens;
    char problem[256];
    int status = EXIT_WRONG;
    allow_files(&settings->limits);
    if (!listen_open(&listens, settings, problem))
        print_failure(problem);
    else if (!are_local(&listens) && !settings->tokens && !settings->client_ca &&
             !settings->listen_without_auth)
        print_failure("others could use this address without authentication: give --tokens, "
                      "--client-ca or --listen-without-auth");
    else
        status = run_isolated(settings, &listens);
    listen_close(&listens);
    return status;
}

int main(int argc, char **argv)
{
    static const int statuses[] = {
        [SETTINGS_RUN] = EXIT_DONE, [SETTINGS_DONE] = EXIT_DONE, [SETTINGS_WRONG] = EXIT_WRONG};
    struct settings settings;
    open_standard_files();
    enum settings_outcome outcome = settings_read(&settings, argc, argv);
    int status = statuses[outcome];
    if (outcome == SETTINGS_RUN) {
        json_use_work();
        json_object_seed(0);
        return_large_blocks();
        status = run_settings(&settings);
    }
    settings_free(&settings);
    return status;
}

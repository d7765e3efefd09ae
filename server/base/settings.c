/* Reads the options of the command line. A limit is a row of the first table and a field of struct
 * limits; any other option is a row of the second. --help and --print-limits are printed from
 * them. */
#include "server/base/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/ptxopt.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define AT(member) offsetof(struct limits, member)

/* In --help and --print-limits, in this order. Values may end in K, M or G. */
static const struct limit_row {
    const char *name, *unit;
    size_t at;
    uint64_t usual, least, most;
    const char *help;
} limits[] = {
    {"max-body", "bytes", AT(max_body), 64 * MIB, 1, GIB, "largest body as it is sent"},
    {"max-buffered", "bytes", AT(max_buffered), 2 * GIB, 1, 1024 * GIB,
     "largest sum of the bodies of all requests; more are answered 503"},
    {"max-decompressed", "bytes", AT(max_decompressed), 64 * MIB, 1, GIB,
     "largest body after gzip or zstd"},
    {"max-json-depth", "levels", AT(max_json_depth), 16, 2, 512, "deepest nesting of JSON"},
    {"max-json-values", "values", AT(max_json_values), 100000, 10, 1000000000,
     "most values in JSON"},
    {"max-batch-items", "items", AT(max_batch_items), 10000, 1, 1000000, "most lines of a batch"},
    {"max-batch-bytes", "bytes", AT(max_batch_bytes), 256 * MIB, 1, 1024 * GIB,
     "most bytes of a batch, before and after gzip or zstd; each line is limited like a body"},
    {"max-header", "bytes", AT(max_header), 32 * KIB, 4 * KIB, MIB,
     "largest target and header lines of a request"},
    {"max-connections", "connections", AT(max_connections), 1024, 2, 100000,
     "most connections at a time"},
    {"max-connections-per-address", "connections", AT(max_connections_per_address), 256, 1, 100000,
     "most connections of an IP address"},
    {"max-requests-per-client", "requests", AT(max_requests_per_client), 32, 1, 100000,
     "most requests of a token or address in work; more are answered 429"},
    {"http-threads", "threads", AT(http_threads), 2, 1, 64, "threads that poll connections"},
    {"workers", "threads", AT(workers), 0, 0, 256,
     "threads that do the work; 0: one for each processor"},
    {"queue", "requests", AT(queue), 64, 1, 100000,
     "requests that wait for a worker; more are answered 503"},
    {"header-timeout", "ms", AT(header_timeout_ms), 10000, 50, 3600000,
     "time to receive the headers of a request"},
    {"idle-timeout", "s", AT(idle_timeout_s), 30, 1, 3600,
     "time after which an idle connection is closed"},
    {"body-timeout", "ms", AT(body_timeout_ms), 60000, 50, 3600000, "time to receive a body"},
    {"work-timeout", "ms", AT(work_timeout_ms), 60000, 10, 3600000,
     "time from the complete request to its answer"},
    {"report-cpu-timeout", "ms", AT(report_cpu_timeout_ms), 20000, 10, 3600000,
     "processor time for a report or lint of one text; one that needs more is answered 413"},
    {"max-answer", "bytes", AT(max_answer), 256 * MIB, KIB, 16 * GIB,
     "largest answer before it is compressed; a request whose answer is larger is answered 413"},
    {"grace", "ms", AT(grace_ms), 20000, 0, 3600000,
     "time for requests in work after SIGTERM and --drain-delay"},
    {"drain-delay", "ms", AT(drain_delay_ms), 0, 0, 3600000,
     "time after SIGTERM in which /readyz answers 503 and requests are still accepted"},
    {"cache-bytes", "bytes", AT(cache_bytes), 256 * MIB, 0, 1024 * GIB,
     "memory for results; 0: no cache in the process"},
    {"cache-timeout", "ms", AT(cache_timeout_ms), 250, 1, 60000,
     "time for one look-up at --cache-url"},
    {"cache-retry", "ms", AT(cache_retry_ms), 2000, 0, 3600000,
     "time for which a failing --cache-url is not asked again"},
    {"cache-ttl", "s", AT(cache_ttl_s), 604800, 1, 31536000, "lifetime of a result in Redis"},
    {"cache-value-bytes", "bytes", AT(cache_value_bytes), 64 * MIB, KIB, GIB,
     "largest result that is sent to or accepted from --cache-url"},
    {"work-memory", "bytes", AT(work_memory), 4 * GIB, MIB, 1024 * GIB,
     "memory for the work on one request; a request that needs more is answered 413"},
    {"isolate-memory", "bytes", AT(isolate_memory), 4 * GIB, 64 * MIB, 1024 * GIB,
     "address space of a process of --isolate"},
};
#define LIMITS (sizeof limits / sizeof *limits)

/* Options with a text, and flags. */
static const struct text_row {
    const char *name, *value; /* value NULL: a flag */
    size_t at;
    const char *help;
} texts[] = {
    {"listen", "ADDRESS", offsetof(struct settings, listen),
     "HOST:PORT, [HOST]:PORT or unix:PATH (default 127.0.0.1:8080; port 0: any free one); a "
     "socket from systemd is preferred"},
    {"socket-mode", "OCTAL", offsetof(struct settings, socket_mode),
     "permissions of a unix socket (default 0660)"},
    {"tokens", "FILE", offsetof(struct settings, tokens),
     "require a bearer token; the file has lines NAME TOKEN, and is read again on SIGHUP"},
#ifdef HAVE_GNUTLS
    {"tls-cert", "FILE", offsetof(struct settings, tls_cert), "serve TLS with this PEM chain"},
    {"tls-key", "FILE", offsetof(struct settings, tls_key), "the PEM key of --tls-cert"},
    {"client-ca", "FILE", offsetof(struct settings, client_ca),
     "require client certificates of these PEM authorities"},
#endif
#ifdef HAVE_CURL
    {"cache-url", "URL", offsetof(struct settings, cache_url),
     "a cache that replicas share: http[s]://HOST[:PORT][/PATH] (Bazel's remote cache)"
#ifdef HAVE_HIREDIS
     " or redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]"
#endif
    },
    {"cache-url-file", "FILE", offsetof(struct settings, cache_url_file),
     "a file with that URL in its first line, for a URL with a password"},
    {"cache-key-file", "FILE", offsetof(struct settings, cache_key_file),
     "sign results in the shared cache with the first line of a file, 32 bytes or more, and accept "
     "only results with that signature; without it only PTX that the checker proves again is "
     "accepted"},
#endif
    {"log-level", "LEVEL", offsetof(struct settings, log_level),
     "log lines of this level and above: info (default; every request), warning or error"},
#ifdef HAVE_CURL
    {"otlp-url", "URL", offsetof(struct settings, otlp_url),
     "send a span of each sampled request to this collector of OpenTelemetry (OTLP/HTTP, JSON): "
     "http[s]://HOST[:PORT]/v1/traces"},
#endif
    {"allow-host", "NAME", offsetof(struct settings, allow_hosts),
     "a host name of this service that a request may use without --tokens or --client-ca; may be "
     "repeated"},
    {"allow-origin", "ORIGIN", offsetof(struct settings, allow_origins),
     "a site (https://HOST[:PORT]) whose pages may send requests from a browser (CORS); may be "
     "repeated"},
    {"trusted-proxy", "CIDR", offsetof(struct settings, trusted_proxies),
     "a proxy's address, block of addresses, or unix for a unix socket: X-Forwarded-For, Forwarded "
     "and the PROXY protocol are accepted from it; may be repeated"},
    {"listen-without-auth", NULL, offsetof(struct settings, listen_without_auth),
     "allow an address other than loopback without --tokens or --client-ca"},
    {"metrics-without-auth", NULL, offsetof(struct settings, metrics_without_auth),
     "answer /metrics without a token or certificate"},
#ifdef HAVE_SECCOMP
    {"isolate", NULL, offsetof(struct settings, isolate),
     "run each request in its own process, with limits and a filter of system calls"},
#endif
};
#define TEXTS (sizeof texts / sizeof *texts)

static uint64_t *limit_of(struct limits *all, const struct limit_row *row)
{
    return (uint64_t *)(void *)((char *)all + row->at);
}

void settings_init(struct settings *settings)
{
    *settings = (struct settings){.listen = "127.0.0.1:8080", .socket_mode = "0660"};
    for (size_t i = 0; i < LIMITS; i++) *limit_of(&settings->limits, &limits[i]) = limits[i].usual;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    settings->limits.workers = processors > 0 ? (uint64_t)processors : 1;
}

static void print_help(void)
{
    puts("Usage: ptxoptd [OPTION]...\n\nThe HTTP service of ptxopt; /openapi.json describes it.\n");
    for (size_t i = 0; i < TEXTS; i++)
        printf("  --%s%s%s\n        %s\n", texts[i].name, texts[i].value ? "=" : "",
               texts[i].value ? texts[i].value : "", texts[i].help);
    puts("  --print-limits, --version, --help\n\nLimits (bytes may end in K, M or G):");
    for (size_t i = 0; i < LIMITS; i++)
        printf("  --%s=%s\n        %s (default %" PRIu64 ")\n", limits[i].name, limits[i].unit,
               limits[i].help, limits[i].usual);
    puts("\nSIGTERM: finish the requests in work and exit with 0. SIGHUP: read --tokens again.");
}

static void print_version(void)
{
    printf("ptxoptd %s (build %s)\nfeatures: gzip"
#ifdef HAVE_ZSTD
           " zstd"
#endif
#ifdef HAVE_GNUTLS
           " tls client-certificates"
#endif
#ifdef HAVE_CURL
           " cache-http"
#endif
#ifdef HAVE_HIREDIS
           " cache-redis"
#endif
#ifdef HAVE_SECCOMP
           " isolate"
#endif
           "\n",
           ptxopt_version(), ptxopt_build());
}

static void print_limits(struct settings *settings)
{
    for (size_t i = 0; i < LIMITS; i++)
        printf("%s %" PRIu64 " %s\n", limits[i].name, *limit_of(&settings->limits, &limits[i]),
               limits[i].unit);
}

static bool settings_complain(const char *what, const char *value, const char *why)
{
    fprintf(stderr, "ptxoptd: %s%s%s: %s\n", what, *value ? "=" : "", value, why);
    return false;
}

static bool settings_read_number(const char *text, uint64_t *number)
{
    char *end;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (shift) end++;
    if (errno || *end || value > (UINT64_MAX >> shift)) return false;
    *number = (uint64_t)value << shift;
    return true;
}

static bool set_limit(struct settings *settings, const struct limit_row *row, const char *value)
{
    uint64_t number;
    char option[64];
    snprintf(option, sizeof option, "--%s", row->name);
    if (!settings_read_number(value, &number)) {
        char why[96];
        snprintf(why, sizeof why, "expected a whole number of %s; K, M or G may follow", row->unit);
        return settings_complain(option, value, why);
    }
    if (number < row->least || number > row->most) {
        char why[96];
        snprintf(why, sizeof why, "must be %" PRIu64 " to %" PRIu64, row->least, row->most);
        return settings_complain(option, value, why);
    }
    if (row->at != AT(workers) || number) *limit_of(&settings->limits, row) = number;
    return true;
}

/* Of a setting that may be given several times there is a list. */
static struct names *names_of(struct settings *settings, const struct text_row *row)
{
    struct names *lists[] = {&settings->allow_hosts, &settings->allow_origins,
                             &settings->trusted_proxies};
    void *at = (char *)settings + row->at;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (at == lists[i]) return lists[i];
    return NULL;
}

static bool set_text(struct settings *settings, const struct text_row *row, const char *value)
{
    char option[64];
    struct names *names = names_of(settings, row);
    if (!names) {
        *(const char **)(void *)((char *)settings + row->at) = value;
        return true;
    }
    snprintf(option, sizeof option, "--%s", row->name);
    if (names->count == NAMES_MOST) return settings_complain(option, value, "there are too many");
    names->at[names->count++] = value;
    return true;
}

static bool option_is_named(const char *argument, size_t len, const char *name)
{
    return strlen(name) == len && strncmp(argument, name, len) == 0;
}

/* One option and its value, which may be the next argument. Moves *i past it. */
static bool settings_read_option(struct settings *settings, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2, *equals = strchr(name, '=');
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    for (size_t k = 0; k < TEXTS; k++) {
        if (texts[k].value || !option_is_named(name, len, texts[k].name)) continue;
        if (equals) return settings_complain(argv[*i], "", "takes no value");
        *(bool *)((char *)settings + texts[k].at) = true;
        return true;
    }
    const struct text_row *text = NULL;
    const struct limit_row *limit = NULL;
    for (size_t k = 0; k < TEXTS; k++)
        if (option_is_named(name, len, texts[k].name)) text = &texts[k];
    for (size_t k = 0; k < LIMITS; k++)
        if (option_is_named(name, len, limits[k].name)) limit = &limits[k];
    if (!text && !limit)
        return settings_complain(argv[*i], "", "there is no such option; see --help");
    const char *option = argv[*i], *value = equals ? equals + 1 : *i + 1 < argc ? argv[++*i] : NULL;
    if (!value) return settings_complain(option, "", "its value is missing");
    if (limit) return set_limit(settings, limit, value);
    return set_text(settings, text, value);
}

enum settings_outcome settings_read(struct settings *settings, int argc, char **argv)
{
    bool show_limits = false;
    settings_init(settings);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return SETTINGS_DONE;
        }
        if (strcmp(argv[i], "--version") == 0) {
            print_version();
            return SETTINGS_DONE;
        }
        if (strcmp(argv[i], "--print-limits") == 0) {
            show_limits = true;
            continue;
        }
        if (strncmp(argv[i], "--", 2) != 0 || !argv[i][2]) {
            settings_complain(argv[i], "", "not an option; see --help");
            return SETTINGS_WRONG;
        }
        if (!settings_read_option(settings, argc, argv, &i)) return SETTINGS_WRONG;
    }
    if (!settings->tls_cert != !settings->tls_key) {
        settings_complain("--tls-cert, --tls-key", "", "one needs the other");
        return SETTINGS_WRONG;
    }
    if (settings->client_ca && !settings->tls_cert) {
        settings_complain("--client-ca", "", "needs --tls-cert and --tls-key");
        return SETTINGS_WRONG;
    }
    if (show_limits) print_limits(settings);
    return show_limits ? SETTINGS_DONE : SETTINGS_RUN;
}

bool settings_limit(const struct settings *settings, size_t i, const char **name, const char **unit,
                    uint64_t *value)
{
    if (i >= LIMITS) return false;
    *name = limits[i].name;
    *unit = limits[i].unit;
    *value = *limit_of((struct limits *)(uintptr_t)&settings->limits, &limits[i]);
    return true;
}

/* The tables of all settings, and what is printed from them. A limit is a row of the first table
 * and a field of struct limits; any other setting is a row of the second. */
#include "server/base/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/wrap.h"

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
     "largest body after it is decompressed"},
    {"max-json-depth", "levels", AT(max_json_depth), 16, 2, 512, "deepest nesting of JSON"},
    {"max-json-values", "values", AT(max_json_values), 100000, 10, 1000000000,
     "most values in JSON"},
    {"max-batch-items", "items", AT(max_batch_items), 10000, 1, 1000000, "most lines of a batch"},
    {"max-batch-bytes", "bytes", AT(max_batch_bytes), 256 * MIB, 1, 1024 * GIB,
     "most bytes of a batch, both as it is sent and decompressed; each line is limited like a "
     "body"},
    {"max-header", "bytes", AT(max_header), 32 * KIB, 4 * KIB, MIB,
     "largest target and header lines of a request"},
    {"max-connections", "connections", AT(max_connections), 1024, 2, 100000,
     "most connections at a time"},
    {"max-connections-per-address", "connections", AT(max_connections_per_address), 256, 1, 100000,
     "most connections of an IP address"},
    {"max-requests-per-client", "requests", AT(max_requests_per_client), 32, 1, 100000,
     "most active requests of a token or address; more are answered 429"},
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
     "time for active requests after SIGTERM and --drain-delay"},
    {"drain-delay", "ms", AT(drain_delay_ms), 0, 0, 3600000,
     "time after SIGTERM in which /readyz answers 503 and requests are still accepted"},
    {"cache-bytes", "bytes", AT(cache_bytes), 256 * MIB, 0, 1024 * GIB,
     "memory for results; 0: no cache in the process"},
    {"cache-dir-bytes", "bytes", AT(cache_dir_bytes), 4 * GIB, MIB, 1024 * 1024 * GIB,
     "the size of all files in --cache-dir"},
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
    {"config", "FILE", offsetof(struct settings, config),
     "a file with lines NAME = VALUE, of the names listed here; # begins a comment; the "
     "environment "
     "(PTXOPTD_MAX_BODY for --max-body) overrides it, options override both"},
    {"listen", "ADDRESS", offsetof(struct settings, listen),
     "HOST:PORT, [HOST]:PORT or unix:PATH (default 127.0.0.1:8080; port 0: any free one); may be "
     "repeated; ignored if systemd passes sockets"},
    {"socket-mode", "OCTAL", offsetof(struct settings, socket_mode),
     "permissions of a unix socket (default 0660)"},
    {"tokens", "FILE", offsetof(struct settings, tokens),
     "require a bearer token; the file has lines NAME TOKEN, and is read again on SIGHUP"},
#ifdef HAVE_GNUTLS
    {"tls-cert", "FILE", offsetof(struct settings, tls_cert),
     "serve TLS with this PEM chain; it, --tls-key and --client-ca are read again on SIGHUP"},
    {"tls-key", "FILE", offsetof(struct settings, tls_key), "the PEM key of --tls-cert"},
    {"client-ca", "FILE", offsetof(struct settings, client_ca),
     "require client certificates of these PEM authorities"},
#endif
    {"cache-dir", "DIRECTORY", offsetof(struct settings, cache_dir),
     "keep results in files there, too: they survive a restart"},
#ifdef HAVE_CURL
    {"cache-url", "URL", offsetof(struct settings, cache_url),
     "a cache that replicas share: http[s]://HOST[:PORT][/PATH] (Bazel's remote cache), "
     "s3://ACCESS_KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=REGION] (s3+http:// without TLS)"
#ifdef HAVE_HIREDIS
     " or redis[s]://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]"
#endif
    },
    {"cache-url-file", "FILE", offsetof(struct settings, cache_url_file),
     "a file with that URL in its first line, for a URL with a password; read again on SIGHUP"},
    {"cache-ca", "FILE", offsetof(struct settings, cache_ca),
     "PEM authorities that the server of --cache-url is checked against; without it those of the "
     "system"},
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
     "a host name that a request may have in its Host line, besides localhost and the addresses of "
     "the service; if neither --tokens nor --client-ca is given, all other names are refused; may "
     "be repeated"},
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

/* Those that may be given several times: fields of struct names. */
static const size_t lists[] = {
    offsetof(struct settings, listen), offsetof(struct settings, allow_hosts),
    offsetof(struct settings, allow_origins), offsetof(struct settings, trusted_proxies)};

static bool is_list(const struct text_row *row)
{
    bool found = false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) found |= row->at == lists[i];
    return found;
}

/* Whether the text may be a secret. */
static bool is_secret(const struct text_row *row)
{
    return row->at == offsetof(struct settings, cache_url);
}

_Static_assert(LIMITS + TEXTS <= SETTINGS_MOST, "more settings than room for their sources");

static uint64_t *limit_of(struct limits *all, const struct limit_row *row)
{
    return (uint64_t *)(void *)((char *)all + row->at);
}

static uint64_t limit_value(const struct settings *settings, const struct limit_row *row)
{
    return *limit_of((struct limits *)(uintptr_t)&settings->limits, row);
}

static void *text_at(const struct settings *settings, const struct text_row *row)
{
    return (char *)(uintptr_t)settings + row->at;
}

void settings_init(struct settings *settings)
{
    *settings = (struct settings){.listen = {{"127.0.0.1:8080"}, 1}, .socket_mode = "0660"};
    for (size_t i = 0; i < LIMITS; i++) *limit_of(&settings->limits, &limits[i]) = limits[i].usual;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    settings->limits.workers = processors > 0 ? (uint64_t)processors : 1;
}

/* Includes a head of libmicrohttpd and the buffers of TLS; the program, its libraries and threads.
 */
uint64_t settings_memory(const struct settings *settings)
{
    const struct limits *all = &settings->limits;
    uint64_t of_work = settings->isolate ? all->isolate_memory : all->work_memory;
    uint64_t of_remote = settings->cache_url || settings->cache_url_file
                             ? 2 * all->cache_value_bytes
                             : 0; /* as it came, and without its seal */
    /* A client that has all workers does not block others, which need more threads: work/queue.h.
     */
    uint64_t threads = all->workers + (all->workers > 1 ? (all->workers + 1) / 2 : 0);
    return threads * (of_work + of_remote) + all->max_buffered + all->cache_bytes +
           all->max_connections * (8 * all->max_header + 40 * KIB) + 64 * MIB;
}

/* ---- printing ---- */

/* "  --NAME=VALUE" and below it the help, in lines of 80 columns. */
static void add_option_help(struct buf *out, const char *name, const char *value, const char *help)
{
    enum { INDENT = 8 };
    buf_printf(out, "  --%s%s%s\n%*s", name, value ? "=" : "", value ? value : "", INDENT, "");
    wrap_add(out, str_from(help), INDENT);
}

static void add_limit_help(struct buf *out, const struct limit_row *limit)
{
    struct buf text = {0};
    buf_printf(&text, "%s (default %" PRIu64 ")", limit->help, limit->usual);
    char *help = buf_take(&text);
    add_option_help(out, limit->name, limit->unit, help);
    mem_free(help);
}

void settings_print_help(void)
{
    struct buf out = {0};
    buf_puts(&out, "Usage: ptxoptd [OPTION]...\n\n"
                   "The HTTP service of ptxopt; /openapi.json describes it.\n\n");
    for (size_t i = 0; i < TEXTS; i++)
        add_option_help(&out, texts[i].name, texts[i].value, texts[i].help);
    buf_puts(&out, "  --print-config, --print-limits, --print-memory, --version, --help\n\n"
                   "Limits (bytes may end in K, M or G):\n");
    for (size_t i = 0; i < LIMITS; i++) add_limit_help(&out, &limits[i]);
    buf_puts(&out,
             "\nSIGTERM: finish the active requests and exit with 0. SIGHUP: read the files of\n"
             "tokens, certificates and --cache-url-file again.\n");
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
}

void settings_print_limits(const struct settings *settings)
{
    for (size_t i = 0; i < LIMITS; i++)
        printf("%s %" PRIu64 " %s\n", limits[i].name, limit_value(settings, &limits[i]),
               limits[i].unit);
}

static void print_text(const struct settings *settings, const struct text_row *row)
{
    const struct names *names = text_at(settings, row);
    const char *text = row->value && !is_list(row) ? *(const char **)text_at(settings, row) : NULL;
    if (!row->value) {
        printf("%s = %s\n", row->name, *(bool *)text_at(settings, row) ? "true" : "false");
    } else if (is_list(row) && names->count) {
        for (unsigned i = 0; i < names->count; i++) printf("%s = %s\n", row->name, names->at[i]);
    } else if (is_secret(row) && text) {
        printf("# %s is set, and not shown: it may have a password\n", row->name);
    } else if (text) {
        printf("%s = %s\n", row->name, text);
    } else {
        printf("# %s =\n", row->name);
    }
}

void settings_print_config(const struct settings *settings)
{
    static const char *const from[] = {[SETTINGS_FILE] = "# of --config:",
                                       [SETTINGS_ENVIRONMENT] = "# of the environment:",
                                       [SETTINGS_OPTION] = "# of the command line:"};
    for (size_t i = 0; i < TEXTS + LIMITS; i++) {
        const struct limit_row *limit = i < TEXTS ? NULL : &limits[i - TEXTS];
        if (settings->source[i]) puts(from[settings->source[i]]);
        if (limit)
            printf("%s = %" PRIu64 "\n", limit->name, limit_value(settings, limit));
        else if (strcmp(texts[i].name, "config") != 0)
            print_text(settings, &texts[i]);
    }
}

/* ---- setting ---- */

bool settings_complain(const char *what, const char *value, const char *why)
{
    fprintf(stderr, "ptxoptd: %s%s%s: %s\n", what, *value ? "=" : "", value, why);
    return false;
}

const char *settings_name(size_t i)
{
    return i < TEXTS ? texts[i].name : i < TEXTS + LIMITS ? limits[i - TEXTS].name : NULL;
}

bool settings_is_list(size_t i)
{
    return i < TEXTS && is_list(&texts[i]);
}

/* Its row, counted as settings_name does; SETTINGS_MOST: there is none. */
static size_t find_setting(struct str name)
{
    const char *known;
    for (size_t i = 0; (known = settings_name(i)); i++)
        if (strlen(known) == name.n && memcmp(known, name.p, name.n) == 0) return i;
    return SETTINGS_MOST;
}

bool settings_takes_value(struct str name)
{
    size_t i = find_setting(name);
    return i >= TEXTS || texts[i].value;
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

static bool set_limit(struct settings *settings, const struct limit_row *row, const char *value,
                      const char *what)
{
    uint64_t number;
    if (!settings_read_number(value, &number)) {
        char why[96];
        snprintf(why, sizeof why, "expected a whole number of %s; K, M or G may follow", row->unit);
        return settings_complain(what, value, why);
    }
    if (number < row->least || number > row->most) {
        char why[96];
        snprintf(why, sizeof why, "must be %" PRIu64 " to %" PRIu64, row->least, row->most);
        return settings_complain(what, value, why);
    }
    if (row->at != AT(workers) || number) *limit_of(&settings->limits, row) = number;
    return true;
}

static bool set_flag(struct settings *settings, const struct text_row *row, const char *value,
                     const char *what)
{
    bool on = !value || strcmp(value, "true") == 0;
    if (!on && strcmp(value, "false") != 0)
        return settings_complain(what, value, "takes no value but true or false");
    *(bool *)text_at(settings, row) = on;
    return true;
}

/* is_first: of its source, which takes the place of lower ones. */
static bool set_text(struct settings *settings, const struct text_row *row, const char *value,
                     bool is_first, const char *what)
{
    struct names *names = text_at(settings, row);
    if (!is_list(row)) {
        *(const char **)text_at(settings, row) = value;
        return true;
    }
    if (is_first) names->count = 0;
    if (names->count == NAMES_MOST) return settings_complain(what, "", "there are too many");
    names->at[names->count++] = value;
    return true;
}

bool settings_assign(struct settings *settings, struct str name, const char *value,
                     enum settings_source source, const char *what)
{
    size_t i = find_setting(name);
    if (i == SETTINGS_MOST)
        return settings_complain(what, "", "there is no such option; see --help");
    bool is_first = settings->source[i] != source;
    settings->source[i] = (unsigned char)source;
    if (i < TEXTS && !texts[i].value) return set_flag(settings, &texts[i], value, what);
    if (!value) return settings_complain(what, "", "its value is missing");
    if (i < TEXTS) return set_text(settings, &texts[i], value, is_first, what);
    return set_limit(settings, &limits[i - TEXTS], value, what);
}

bool settings_limit(const struct settings *settings, size_t i, const char **name, const char **unit,
                    uint64_t *value)
{
    if (i >= LIMITS) return false;
    *name = limits[i].name;
    *unit = limits[i].unit;
    *value = limit_value(settings, &limits[i]);
    return true;
}

/* What ptxoptd was told on its command line. */
#ifndef SERVER_BASE_SETTINGS_H
#define SERVER_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each is an option of the same name; settings.c has the units, defaults and bounds. */
struct limits {
    uint64_t max_body, max_buffered, max_decompressed, max_header;
    uint64_t max_json_depth, max_json_values, max_batch_items, max_batch_bytes;
    uint64_t max_connections, max_connections_per_address, max_requests_per_client;
    uint64_t http_threads, workers, queue;
    uint64_t header_timeout_ms, idle_timeout_s, body_timeout_ms, work_timeout_ms;
    uint64_t report_cpu_timeout_ms, max_answer;
    uint64_t grace_ms, drain_delay_ms;
    uint64_t cache_bytes, cache_timeout_ms, cache_retry_ms, cache_ttl_s, cache_value_bytes;
    uint64_t work_memory, isolate_memory;
};

enum { NAMES_MOST = 64 };

struct settings {
    struct limits limits;
    const char *listen, *socket_mode;
    const char *tokens;
    const char *otlp_url, *log_level;
    const char *tls_cert, *tls_key, *client_ca;
    const char *cache_url, *cache_url_file, *cache_key_file;
    struct names {
        const char *at[NAMES_MOST];
        unsigned count;
    } allow_hosts, allow_origins, trusted_proxies;
    bool listen_without_auth, metrics_without_auth, isolate;
};

enum settings_outcome { SETTINGS_RUN, SETTINGS_DONE, SETTINGS_WRONG };

/* Reads the command line. DONE: something was asked and printed (--help, --version,
 * --print-limits). WRONG: said why on standard error. Strings are borrowed from argv. */
enum settings_outcome settings_read(struct settings *settings, int argc, char **argv);

/* The defaults alone. */
void settings_init(struct settings *settings);

/* The limit number i with its name and unit; false: there are fewer. */
bool settings_limit(const struct settings *settings, size_t i, const char **name, const char **unit,
                    uint64_t *value);

#endif

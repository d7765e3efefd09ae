/* The settings of ptxoptd: each has one name in the configuration file, the environment and on the
 * command line. settings.c has the tables of them, settings_read.c the order in which they count.
 */
#ifndef SERVER_BASE_SETTINGS_H
#define SERVER_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Each is an option of the same name; settings.c has the units, defaults and bounds. */
struct limits {
    uint64_t max_body, max_buffered, max_decompressed, max_header;
    uint64_t max_json_depth, max_json_values, max_batch_items, max_batch_bytes;
    uint64_t max_connections, max_connections_per_address, max_requests_per_client;
    uint64_t http_threads, workers, queue;
    uint64_t header_timeout_ms, idle_timeout_s, body_timeout_ms, work_timeout_ms;
    uint64_t report_cpu_timeout_ms, max_answer;
    uint64_t grace_ms, drain_delay_ms;
    uint64_t cache_bytes, cache_dir_bytes, cache_timeout_ms, cache_retry_ms, cache_ttl_s,
        cache_value_bytes;
    uint64_t work_memory, isolate_memory;
};

enum { NAMES_MOST = 64, SETTINGS_MOST = 128 };

/* The source of a setting; of two sources the later in this list counts. */
enum settings_source { SETTINGS_DEFAULT, SETTINGS_FILE, SETTINGS_ENVIRONMENT, SETTINGS_OPTION };

/* Texts of a setting that may be given several times. They come from one source: the highest that
 * has any. */
struct names {
    const char *at[NAMES_MOST];
    unsigned count;
};

struct settings {
    struct limits limits;
    struct names listen;
    const char *config, *socket_mode;
    const char *tokens;
    const char *otlp_url, *log_level;
    const char *tls_cert, *tls_key, *client_ca;
    const char *cache_url, *cache_url_file, *cache_key_file, *cache_ca, *cache_dir;
    struct names allow_hosts, allow_origins, trusted_proxies;
    bool listen_without_auth, metrics_without_auth, isolate;
    unsigned char source[SETTINGS_MOST]; /* enum settings_source, of each row of the tables */
    char *file, *environment;            /* texts of the file and the environment */
};

enum settings_outcome { SETTINGS_RUN, SETTINGS_DONE, SETTINGS_WRONG };

/* Reads --config, the environment and the command line. DONE: something was requested and printed
 * (--help, --version, --print-…). WRONG: said why on standard error. Strings are borrowed from argv
 * and from the settings. */
enum settings_outcome settings_read(struct settings *settings, int argc, char **argv);
void settings_free(struct settings *settings);

/* The defaults alone. */
void settings_init(struct settings *settings);

/* The limit number i with its name and unit; false: there are fewer. */
bool settings_limit(const struct settings *settings, size_t i, const char **name, const char **unit,
                    uint64_t *value);

/* Most bytes of memory that the service and its processes take by these settings. */
uint64_t settings_memory(const struct settings *settings);

/* The name of row i of all tables; NULL: there are no more. */
const char *settings_name(size_t i);

/* Whether the setting of row i may be given several times. */
bool settings_is_list(size_t i);

/* Whether the setting of that name has a value; without one it is true when it is given. */
bool settings_takes_value(struct str name);

/* Sets name to value, which must outlive settings; NULL: none was given. what: how messages name it
 * and its place. False: said why on standard error. */
bool settings_assign(struct settings *settings, struct str name, const char *value,
                     enum settings_source source, const char *what);

/* One line on standard error; value may be empty. Returns false. */
bool settings_complain(const char *what, const char *value, const char *why);

void settings_print_help(void);
void settings_print_limits(const struct settings *settings);

/* All of them, in the form of --config; what may be a secret is left out. */
void settings_print_config(const struct settings *settings);

#endif

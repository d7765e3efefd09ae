/* Reads the settings: the file of --config first, then the environment, then the command line, of
 * which the later override the earlier. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/ptxopt.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "server/base/settings.h"

enum { NAME_ROOM = 64, CONFIG_MOST = 1 << 20 };

void settings_free(struct settings *settings)
{
    mem_free(settings->file);
    mem_free(settings->environment);
    settings->file = settings->environment = NULL;
}

/* ---- the file ---- */

static char *trim_setting(char *text)
{
    size_t len;
    while (*text == ' ' || *text == '\t') text++;
    len = strlen(text);
    while (len && strchr(" \t\r", text[len - 1])) len--;
    text[len] = 0;
    return text;
}

/* A line without its end: NAME = VALUE, a comment, or nothing. */
static bool read_config_line(struct settings *settings, char *line, unsigned number)
{
    char what[256];
    char *equals = strchr(line, '='), *name = trim_setting(line);
    if (!*name || *name == '#') return true;
    if (equals) *equals = 0;
    name = trim_setting(name);
    snprintf(what, sizeof what, "%.150s:%u: %.60s", settings->config, number, name);
    if (!equals) return settings_complain(what, "", "a line is NAME = VALUE");
    if (strcmp(name, "config") == 0)
        return settings_complain(what, "", "a file cannot name another one");
    return settings_assign(settings, str_from(name), trim_setting(equals + 1), SETTINGS_FILE, what);
}

static bool read_config(struct settings *settings)
{
    struct buf text = {0};
    unsigned number = 0;
    if (!file_read_path(settings->config, CONFIG_MOST, &text)) {
        buf_free(&text);
        return settings_complain("--config", settings->config, strerror(errno));
    }
    settings->file = buf_take(&text);
    for (char *line = settings->file, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end) *end++ = 0;
        if (!read_config_line(settings, line, ++number)) return false;
    }
    return true;
}

/* ---- the environment ---- */

/* PTXOPTD_MAX_BODY for max-body. */
static void name_variable(const char *setting, char name[NAME_ROOM])
{
    snprintf(name, NAME_ROOM, "PTXOPTD_%s", setting);
    for (char *c = name; *c; c++)
        if (*c == '-')
            *c = '_';
        else if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
}

/* The values of what may be given several times have blanks between them. */
static bool read_variable(struct settings *settings, size_t row, char *value, const char *what)
{
    struct str name = str_from(settings_name(row));
    char *rest = NULL;
    if (!settings_is_list(row))
        return settings_assign(settings, name, value, SETTINGS_ENVIRONMENT, what);
    for (char *one = strtok_r(value, " \t\n", &rest); one; one = strtok_r(NULL, " \t\n", &rest))
        if (!settings_assign(settings, name, one, SETTINGS_ENVIRONMENT, what)) return false;
    return true;
}

/* A copy of all values, as getenv's are not ours to keep or to cut. */
static bool read_environment(struct settings *settings)
{
    struct buf copy = {0};
    size_t at[SETTINGS_MOST];
    char variable[NAME_ROOM];
    for (size_t i = 0; settings_name(i); i++) {
        name_variable(settings_name(i), variable);
        const char *value = getenv(variable);
        at[i] = value ? copy.len : SIZE_MAX;
        if (value) buf_add(&copy, value, strlen(value) + 1);
    }
    settings->environment = buf_take(&copy);
    for (size_t i = 0; settings_name(i); i++) {
        if (at[i] == SIZE_MAX || strcmp(settings_name(i), "config") == 0) continue;
        name_variable(settings_name(i), variable);
        if (!read_variable(settings, i, settings->environment + at[i], variable)) return false;
    }
    return true;
}

/* ---- the command line ---- */

/* The options that print instead of serving. */
enum request { NOTHING, CONFIG, LIMITS, MEMORY };

static enum request request_of(const char *argument)
{
    if (strcmp(argument, "--print-config") == 0) return CONFIG;
    if (strcmp(argument, "--print-limits") == 0) return LIMITS;
    return strcmp(argument, "--print-memory") == 0 ? MEMORY : NOTHING;
}

static struct str name_of_option(const char *argument)
{
    return (struct str){argument + 2, strcspn(argument + 2, "=")};
}

/* The value of an option, which may be the next argument; NULL without one. Moves *i to it. */
static const char *value_of_option(int argc, char **argv, int *i)
{
    const char *equals = strchr(argv[*i], '=');
    if (equals) return equals + 1;
    return settings_takes_value(name_of_option(argv[*i])) && *i + 1 < argc ? argv[++*i] : NULL;
}

static bool read_option(struct settings *settings, int argc, char **argv, int *i)
{
    char what[NAME_ROOM];
    const char *argument = argv[*i];
    struct str name = name_of_option(argument);
    if (strncmp(argument, "--", 2) != 0 || !argument[2])
        return settings_complain(argument, "", "not an option; see --help");
    snprintf(what, sizeof what, "--%.*s", (int)(name.n < 60 ? name.n : 60), name.p);
    return settings_assign(settings, name, value_of_option(argc, argv, i), SETTINGS_OPTION, what);
}

/* The file has to be known before what overrides it is read. */
static const char *find_config(int argc, char **argv)
{
    const char *path = getenv("PTXOPTD_CONFIG");
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0 || request_of(argv[i])) continue;
        struct str name = name_of_option(argv[i]);
        const char *value = value_of_option(argc, argv, &i);
        if (name.n == strlen("config") && memcmp(name.p, "config", name.n) == 0) path = value;
    }
    return path && *path ? path : NULL;
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
           " cache-http cache-s3"
#endif
#ifdef HAVE_HIREDIS
           " cache-redis cache-rediss"
#endif
#ifdef HAVE_SECCOMP
           " isolate"
#endif
           "\n",
           ptxopt_version(), ptxopt_build());
}

/* --help and --version, whatever else is wrong. */
static bool is_question(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool help = strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
        if (!help && strcmp(argv[i], "--version") != 0) continue;
        if (help)
            settings_print_help();
        else
            print_version();
        return true;
    }
    return false;
}

static bool fits_together(const struct settings *settings)
{
    if (!settings->tls_cert != !settings->tls_key)
        return settings_complain("--tls-cert, --tls-key", "", "one needs the other");
    if (settings->client_ca && !settings->tls_cert)
        return settings_complain("--client-ca", "", "needs --tls-cert and --tls-key");
    return true;
}

static enum settings_outcome settings_answer(const struct settings *settings, enum request request)
{
    switch (request) {
    case NOTHING: return SETTINGS_RUN;
    case CONFIG: settings_print_config(settings); break;
    case LIMITS: settings_print_limits(settings); break;
    case MEMORY: printf("%" PRIu64 "\n", settings_memory(settings)); break;
    }
    return SETTINGS_DONE;
}

enum settings_outcome settings_read(struct settings *settings, int argc, char **argv)
{
    enum request request = NOTHING;
    settings_init(settings);
    if (is_question(argc, argv)) return SETTINGS_DONE;
    settings->config = find_config(argc, argv);
    if (settings->config && !read_config(settings)) return SETTINGS_WRONG;
    if (!read_environment(settings)) return SETTINGS_WRONG;
    for (int i = 1; i < argc; i++)
        if (request_of(argv[i]))
            request = request_of(argv[i]);
        else if (!read_option(settings, argc, argv, &i))
            return SETTINGS_WRONG;
    return fits_together(settings) ? settings_answer(settings, request) : SETTINGS_WRONG;
}

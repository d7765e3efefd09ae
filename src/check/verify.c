/* ptxopt-verify: the checker as a separate program. The exit status is the verdict on the files: 0
 * proven, 1 refused, 2 cannot tell. It is 3 after a usage or file error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/file.h"
#include "base/mem.h"
#include "check/check.h"
#include "text/source.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

enum { STATUS_PROVEN, STATUS_REFUSED, STATUS_CANNOT_TELL, STATUS_ERROR };

struct arguments {
    const char *files[2];
    int file_count;
    const char *certificate, *write_certificate;
    struct check_options check;
};

static const char usage[] =
    "Usage: ptxopt-verify [OPTION]... BEFORE.ptx AFTER.ptx\n"
    "Proves that AFTER is BEFORE without some redundant tcgen05 waits and fences, and proxy "
    "fences.\n"
    "\n"
    "Options:\n"
    "  --certificate FILE        test the proof in FILE instead of searching for one\n"
    "  --write-certificate FILE  write the proof to FILE\n"
    "  --assume NAME             proofs may use the assumption NAME\n"
    "  --no-assume NAME          proofs may not use it\n"
    "  --isa MAJOR.MINOR         the version of the PTX ISA (default: that of BEFORE)\n"
    "  --help, --version\n"
    "\n"
    "Assumptions: commit-fences scales-follow-cp register-dependency reads-commute\n"
    "sync-is-no-barrier (on), exit-silent wait-publishes not-cumulative ptxas-follows-isa (off),\n"
    "isa-9.4-pairs (on with ISA 9.4, off with every other version).\n"
    "Exit status: 0 proven, 1 refused, 2 cannot tell, 3 usage error or a file that cannot be\n"
    "read or written.\n";

static int verify_complain(const char *what, const char *which)
{
    fprintf(stderr, "ptxopt-verify: error: %s: %s\n", what, which);
    return STATUS_ERROR;
}

/* Appends the content of a file; "-" is standard input. Returns false after printing a message. */
static bool verify_read_file(const char *name, struct buf *bytes)
{
    bool fine = file_read_path(name, SOURCE_MAX, bytes);
    if (!fine) verify_complain("cannot read", name);
    return fine;
}

static struct str verify_text(const struct buf *bytes)
{
    return (struct str){bytes->len ? bytes->data : "", bytes->len};
}

static bool write_file(const char *name, struct str text)
{
    FILE *file = fopen(name, "wb");
    bool fine = file && fwrite(text.p, 1, text.n, file) == text.n;
    if (file) fine = !fclose(file) && fine;
    if (!fine) verify_complain("cannot write", name);
    return fine;
}

static bool verify_read_version(const char *text, struct check_options *options)
{
    char *end = NULL;
    unsigned long major = strtoul(text, &end, 10);
    if (end == text || *end != '.' || major > 1000) return false;
    const char *rest = end + 1;
    unsigned long minor = strtoul(rest, &end, 10);
    options->isa_major = (uint32_t)major;
    options->isa_minor = (uint32_t)minor;
    return end != rest && !*end && minor <= 1000;
}

/* Reads an option that has a value. Returns false after printing a message. */
static bool verify_read_option(struct arguments *arguments, const char *name, const char *value)
{
    uint32_t bit = check_assume_bit(str_from(value));
    if (!strcmp(name, "--certificate"))
        arguments->certificate = value;
    else if (!strcmp(name, "--write-certificate"))
        arguments->write_certificate = value;
    else if (!strcmp(name, "--assume") && bit)
        arguments->check.assume |= bit;
    else if (!strcmp(name, "--no-assume") && bit)
        arguments->check.deny |= bit;
    else if (strcmp(name, "--isa") || !verify_read_version(value, &arguments->check))
        return verify_complain("a bad value for an option", value) == STATUS_PROVEN;
    return true;
}

static bool takes_value(const char *name)
{
    static const char *const names[] = {"--certificate", "--write-certificate", "--assume",
                                        "--no-assume", "--isa"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

/* Fills arguments. Returns the exit status if the program is finished, otherwise -1. */
static int read_arguments(int argc, char **argv, struct arguments *arguments)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "--help")) return fputs(usage, stdout) < 0 ? STATUS_ERROR : STATUS_PROVEN;
        if (!strcmp(word, "--version"))
            return puts("ptxopt-verify " PACKAGE_VERSION " (build " PTXOPT_BUILD ")") < 0
                       ? STATUS_ERROR
                       : STATUS_PROVEN;
        if (takes_value(word)) {
            if (i + 1 == argc) return verify_complain("an option without its value", word);
            if (!verify_read_option(arguments, word, argv[++i])) return STATUS_ERROR;
        } else if (word[0] == '-' && word[1]) {
            return verify_complain("an unknown option", word);
        } else if (arguments->file_count == 2) {
            return verify_complain("more than two files", word);
        } else {
            arguments->files[arguments->file_count++] = word;
        }
    }
    if (arguments->file_count == 2) return -1;
    fputs(usage, stderr);
    return STATUS_ERROR;
}

static void print_function(const char *file, const struct check_function *function)
{
    if (function->verdict == CHECK_PROVEN) return;
    const char *word = function->verdict == CHECK_REFUSED ? "refused" : "cannot tell";
    printf("%s: %s: %.*s: %s\n", file, word, (int)function->name.n, function->name.p,
           function->message);
    if (function->path_count) fputs("  lines:", stdout);
    for (uint32_t i = 0; i < function->path_count; i++) printf(" %" PRIu32, function->path[i]);
    if (function->path_count) putchar('\n');
}

static int print_result(const char *file, const struct check_result *result)
{
    uint32_t deletions = 0;
    for (uint32_t i = 0; i < result->function_count; i++) {
        print_function(file, &result->functions[i]);
        deletions += result->functions[i].deletions;
    }
    if (result->verdict == CHECK_PROVEN) {
        printf("%s: proven: %" PRIu32 " removal%s in %" PRIu32 " function%s\n", file, deletions,
               deletions == 1 ? "" : "s", result->function_count,
               result->function_count == 1 ? "" : "s");
        return STATUS_PROVEN;
    }
    bool said = false;
    for (uint32_t i = 0; i < result->function_count; i++)
        said |= result->functions[i].message == result->message;
    if (!said) printf("%s: refused: %s\n", file, result->message);
    return result->verdict == CHECK_REFUSED ? STATUS_REFUSED : STATUS_CANNOT_TELL;
}

static void print_warning(const char *file, struct str text, const struct check_result *result)
{
    struct arena arena = {0};
    struct source source;
    if (!*result->unknown_version) return;
    source_init(&source, &arena, file, text);
    struct place place = source_place(&source, result->version.start);
    fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": warning: %s [unknown-version]\n", file, place.line,
            place.column, result->unknown_version);
    arena_free(&arena);
}

static int verify_files(const struct arguments *arguments, struct str before, struct str after,
                        struct str certificate)
{
    struct arena arena = {0};
    struct check_result result;
    if (arguments->certificate)
        check_certificate(&arguments->check, before, after, certificate, &arena, &result);
    else
        check_run(&arguments->check, before, after, &arena, &result);
    print_warning(arguments->files[0], before, &result);
    int status = print_result(arguments->files[0], &result);
    if (status == STATUS_PROVEN && arguments->write_certificate &&
        !write_file(arguments->write_certificate, result.certificate))
        status = STATUS_ERROR;
    arena_free(&arena);
    return status;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    int status = read_arguments(argc, argv, &arguments);
    if (status >= 0) return status;
    arguments.check.certificate = arguments.write_certificate != NULL;
    struct buf before = {0}, after = {0}, certificate = {0};
    status = STATUS_ERROR;
    if (verify_read_file(arguments.files[0], &before) &&
        verify_read_file(arguments.files[1], &after) &&
        (!arguments.certificate || verify_read_file(arguments.certificate, &certificate)))
        status = verify_files(&arguments, verify_text(&before), verify_text(&after),
                              verify_text(&certificate));
    buf_free(&before);
    buf_free(&after);
    buf_free(&certificate);
    if (fflush(stdout)) status = STATUS_ERROR;
    return status;
}

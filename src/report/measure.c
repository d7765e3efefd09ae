/* What does ptxas make of a text? Runs it on unlinked temporary files, which vanish however this
 * process ends, and reads two things: the registers and spills that -v prints, and the length of
 * each .text section of the cubin. Sections are padded with NOPs, which are not counted. */
#include "report/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/file.h"
#include "base/str.h"
#include "report/cubin.h"

/* ---- the cubin ---- */

static bool is_nop(const char *word)
{
    uint64_t low;
    memcpy(&low, word, sizeof low);
    return (low & SASS_OPCODE) == SASS_NOP;
}

static char *copy_text(const char *text, size_t len)
{
    struct buf copy = {0};
    buf_add(&copy, text, len);
    return buf_take(&copy);
}

static void add_section(struct measure *measure, const char *name, const char *code, size_t len)
{
    size_t words = len / SASS_BYTES;
    while (words && is_nop(code + (words - 1) * SASS_BYTES)) words--;
    struct measure_kernel kernel = {.instructions = (uint32_t)words};
    for (size_t i = 0; i < words; i++) kernel.nops += is_nop(code + i * SASS_BYTES);
    kernel.name = copy_text(name, strlen(name));
    vec_push(measure, kernel);
}

bool measure_read_cubin(struct measure *measure, const char *image, size_t len)
{
    struct cubin cubin = {0};
    bool fine = cubin_read(&cubin, image, len);
    for (uint32_t i = 0; fine && i < cubin.count; i++) {
        const char *function = cubin_function(&cubin.at[i]);
        if (function) add_section(measure, function, cubin.at[i].bytes, cubin.at[i].len);
    }
    vec_free(&cubin);
    return fine;
}

/* ---- what -v prints ---- */

static struct measure_kernel *find(const struct measure *measure, struct str name)
{
    for (uint32_t i = 0; i < measure->count; i++)
        if (str_is(name, measure->at[i].name)) return &measure->at[i];
    return NULL;
}

/* What follows mark within the line, or NULL. */
static const char *after(const char *line, const char *mark)
{
    size_t len = strcspn(line, "\n"), wanted = strlen(mark);
    const char *hit = memmem(line, len, mark, wanted);
    return hit ? hit + wanted : NULL;
}

void measure_read_log(struct measure *measure, const char *log)
{
    struct measure_kernel *entry = NULL, *spiller = NULL;
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *rest;
        unsigned stack, stores, loads, registers;
        if ((rest = after(line, "Compiling entry function '"))) {
            entry = find(measure, (struct str){rest, strcspn(rest, "'\n")});
            if (entry) entry->is_entry = true;
        } else if ((rest = after(line, "Function properties for "))) {
            spiller = find(measure, (struct str){rest, strcspn(rest, "\n")});
        } else if (spiller && sscanf(line, " %9u bytes stack frame, %9u bytes spill stores, %9u",
                                     &stack, &stores, &loads) == 3) {
            spiller->spill_stores = stores;
            spiller->spill_loads = loads;
            spiller = NULL;
        } else if (entry && (rest = after(line, ": Used ")) &&
                   sscanf(rest, "%9u registers", &registers) == 1) {
            entry->registers = registers;
            entry = NULL;
        }
    }
}

/* ---- the text's target ---- */

/* The first byte from at on that is neither blank nor comment. */
static size_t skip_blanks(const char *text, size_t len, size_t at)
{
    while (at < len) {
        const char *end = NULL;
        if (strchr(" \t\r\n\f\v", text[at])) {
            at++;
            continue;
        }
        if (len - at < 2 || text[at] != '/') return at;
        if (text[at + 1] == '/')
            end = memchr(text + at, '\n', len - at);
        else if (text[at + 1] == '*')
            end = memmem(text + at + 2, len - at - 2, "*/", 2);
        else
            return at;
        if (!end) return len;
        at = (size_t)(end - text) + (*end == '*' ? 2 : 1);
    }
    return len;
}

static size_t word_length(const char *text, size_t len, size_t at)
{
    size_t end = at;
    while (end < len && (text[end] == '_' || (text[end] >= '0' && text[end] <= '9') ||
                         ((text[end] | 0x20) >= 'a' && (text[end] | 0x20) <= 'z')))
        end++;
    return end - at;
}

char *measure_target(const char *text, size_t len)
{
    static const char directive[] = ".target";
    enum { LONGEST = 32 };
    size_t n = strlen(directive);
    for (size_t at = skip_blanks(text, len, 0); at < len;
         at = skip_blanks(text, len, at + 1 + word_length(text, len, at + 1))) {
        if (text[at] != '.' || n > len - at || memcmp(text + at, directive, n) != 0) continue;
        at = skip_blanks(text, len, at + n);
        size_t word = word_length(text, len, at);
        bool is_arch = word > 3 && word < LONGEST && memcmp(text + at, "sm_", 3) == 0;
        return is_arch ? copy_text(text + at, word) : NULL;
    }
    return NULL;
}

/* ---- running ---- */

/* A file without a name. child is its descriptor for ptxas, above all those that ptxas gets, so
 * that no dup2 overwrites another. */
struct scratch {
    FILE *file;
    int child;
};

enum { INPUT, CUBIN, LOG, SCRATCHES };

static bool open_scratch(struct scratch *scratch)
{
    enum { LOWEST = 16 };
    scratch->child = -1;
    scratch->file = tmpfile();
    if (scratch->file) scratch->child = fcntl(fileno(scratch->file), F_DUPFD_CLOEXEC, LOWEST);
    return scratch->child >= 0;
}

static void close_scratch(struct scratch *scratch)
{
    if (scratch->child >= 0) close(scratch->child);
    if (scratch->file) fclose(scratch->file);
}

static void read_back(FILE *file, struct buf *out)
{
    if (lseek(fileno(file), 0, SEEK_SET) == 0) (void)file_read_rest(fileno(file), SIZE_MAX, out);
}

/* Starts ptxas with the input as descriptor 3, the cubin as 4 and all messages into the log.
 * Returns an errno. */
static int spawn_ptxas(pid_t *child, const char *arch, bool lines, const struct scratch *files)
{
    char flag[64], name[] = "ptxas", verbose[] = "-v", lineinfo[] = "-lineinfo", output[] = "-o";
    char in[] = "/dev/fd/3", out[] = "/dev/fd/4";
    char *argv[] = {name, lines ? lineinfo : verbose, flag, in, output, out, NULL};
    const struct child_file descriptors[] = {{files[LOG].child, STDOUT_FILENO},
                                             {files[LOG].child, STDERR_FILENO},
                                             {files[INPUT].child, 3},
                                             {files[CUBIN].child, 4}};
    snprintf(flag, sizeof flag, "-arch=%s", arch);
    return child_start(child, argv, descriptors, sizeof descriptors / sizeof *descriptors);
}

/* The first line of the log that tells of an error, or its first line, without the names of
 * program and file. */
static void add_complaint(struct buf *out, const char *log)
{
    const char *chosen = log, *rest;
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (after(line, "error") || after(line, "fatal")) {
            chosen = line;
            break;
        }
    if ((rest = after(chosen, "ptxas /dev/fd/3, ")) || (rest = after(chosen, "ptxas ")))
        chosen = rest;
    buf_add(out, chosen, strcspn(chosen, "\n"));
}

/* Waits for ptxas and reads what it left; what goes wrong is added to problem. */
static void collect(struct buf *image, struct buf *log, pid_t child, const struct scratch *files,
                    struct buf *problem)
{
    int status = child_wait(child);
    read_back(files[LOG].file, log);
    const char *messages = log->len ? log->data : "";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !*messages) {
        buf_puts(problem, "ptxas is not on PATH");
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        read_back(files[CUBIN].file, image);
    } else {
        buf_puts(problem, "ptxas failed: ");
        add_complaint(problem, messages);
        if (!*messages) buf_printf(problem, "status %d", status);
    }
}

static void assemble(struct buf *image, struct buf *log, const char *arch, bool lines,
                     const char *text, size_t len, struct buf *problem)
{
    struct scratch files[SCRATCHES] = {{NULL, -1}, {NULL, -1}, {NULL, -1}};
    bool ready = true;
    pid_t child;
    for (int i = 0; i < SCRATCHES && ready; i++) ready = open_scratch(&files[i]);
    ready =
        ready && fwrite(text, 1, len, files[INPUT].file) == len && fflush(files[INPUT].file) == 0;
    int failure = ready ? spawn_ptxas(&child, arch, lines, files) : errno;
    if (!ready)
        buf_printf(problem, "no temporary file: %s", strerror(failure));
    else if (failure == ENOENT)
        buf_puts(problem, "ptxas is not on PATH");
    else if (failure)
        buf_printf(problem, "ptxas does not start: %s", strerror(failure));
    else
        collect(image, log, child, files, problem);
    for (int i = 0; i < SCRATCHES; i++) close_scratch(&files[i]);
}

char *measure_assemble(struct buf *image, struct buf *log, bool lines, const char *text, size_t len)
{
    struct buf problem = {0};
    char *arch = measure_target(text, len);
    if (arch)
        assemble(image, log, arch, lines, text, len, &problem);
    else
        buf_puts(&problem, "the text names no .target for ptxas");
    mem_free(arch);
    return problem.len ? buf_take(&problem) : NULL;
}

char *measure_run(struct measure *measure, const char *text, size_t len)
{
    struct buf image = {0}, log = {0};
    char *problem = measure_assemble(&image, &log, false, text, len);
    char *messages = buf_take(&log);
    if (!problem && measure_read_cubin(measure, image.data, image.len)) {
        measure_read_log(measure, messages);
    } else if (!problem) {
        static const char unread[] = "ptxas wrote no cubin that can be read";
        measure_free(measure);
        problem = copy_text(unread, strlen(unread));
    }
    buf_free(&image);
    mem_free(messages);
    return problem;
}

const struct measure_kernel *measure_find(const struct measure *measure, const char *name)
{
    return find(measure, str_from(name));
}

void measure_copy(struct measure *measure, const struct measure *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        struct measure_kernel kernel = from->at[i];
        kernel.name = copy_text(kernel.name, strlen(kernel.name));
        vec_push(measure, kernel);
    }
}

void measure_free(struct measure *measure)
{
    for (uint32_t i = 0; i < measure->count; i++) mem_free(measure->at[i].name);
    vec_free(measure);
}

void measure_pair_free(struct measure_pair *pair)
{
    measure_free(&pair->before);
    measure_free(&pair->after);
    mem_free(pair->problem);
    pair->problem = NULL;
}

/* ptxopt-ptxas: runs in place of ptxas, and passes the text that ptxopt returns to the real ptxas.
 * It executes the real ptxas at once if there is nothing to remove. After any error the real ptxas
 * runs on the original text, so that ptxopt never makes a build fail. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/number.h"
#include "cli/passage.h"
#include "wrapper/arguments.h"
#include "wrapper/assemble.h"
#include "wrapper/fallbacks.h"
#include "wrapper/key.h"
#include "wrapper/real.h"
#include "wrapper/record.h"
#include "wrapper/shim.h"
#include "wrapper/summary.h"
#include "wrapper/supervise.h"

enum { STATUS_USAGE = 2, STATUS_NO_PTXAS = 127, DEFAULT_TIMEOUT_MS = 60000 };

static const char own_name[] = "ptxopt-ptxas";

static const char usage[] =
    "Usage: ptxopt-ptxas PTXAS ARGUMENT...\n"
    "  or:  LINK ARGUMENT...\n"
    "  or:  ptxopt-ptxas --make-shim DIR [CUDA]\n"
    "  or:  ptxopt-ptxas --summary LOG\n"
    "  or:  ptxopt-ptxas --key\n"
    "\n"
    "Optimizes the PTX with ptxopt and runs PTXAS with its ARGUMENTs on the result: for nvcc's\n"
    "--ptxas-prefix. A LINK to ptxopt-ptxas with another name (ptxas, ptxas-blackwell) can "
    "replace\n"
    "ptxas. If anything fails, the real ptxas runs on the original PTX. ptxopt-ptxas prints a\n"
    "message only if it finds no ptxas, or if its own arguments are wrong.\n"
    "\n"
    "Options:\n"
    "  --make-shim DIR     make DIR a copy of the toolkit CUDA by links, in which bin/ptxas is\n"
    "                      ptxopt-ptxas; CUDA is by default CUDA_HOME, CUDA_PATH, the toolkit of "
    "nvcc\n"
    "                      on PATH, or /usr/local/cuda\n"
    "  --summary LOG       print from LOG, the file that PTXOPT_LOG names, how much was removed, "
    "and\n"
    "                      how many texts ptxas got unchanged, and why\n"
    "  --key               print the line that ptxopt-ptxas adds to ptxas --version, for the key "
    "of a\n"
    "                      cache: version, build, settings, fallbacks; nothing with "
    "PTXOPT_DISABLE=1\n"
    "  --help              print this and exit\n"
    "\n"
    "Environment:\n"
    "  PTXOPT_REAL_PTXAS   the ptxas to run in place of PTXAS, or for a LINK; by default a LINK "
    "runs\n"
    "                      LINK.real beside it, else the first program on PATH with its name that\n"
    "                      is not ptxopt-ptxas, else such a program named ptxas\n"
    "  PTXOPT_FLAGS        options of ptxopt, separated by blanks, such as\n"
    "                      -O tcgen05 --no-assume reads-commute\n"
    "  PTXOPT_DISABLE      1: run ptxas on the original PTX\n"
    "  PTXOPT_TIMEOUT      seconds for one text (60); after that the original is assembled\n"
    "  PTXOPT_SERVER       URL of a ptxoptd that does the work, as for --server of ptxopt\n"
    "  PTXOPT_LOG          a file that gets a line of JSON for each text\n"
    "  PTXOPT_REPORT_DIR   a directory for a report and a diff of each text, named by its digest\n"
    "  TMPDIR              the directory for temporary files (/dev/shm, or /tmp if it has no "
    "room)\n";

/* One call of ptxas. */
struct call {
    struct arguments arguments;
    struct assembly assembly;
    char real[PATH_MAX];
    uint64_t start_ns;
    uint32_t us; /* microseconds that ptxopt took; 0: not known yet */
};

static const char *environment_setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static bool is_disabled(void)
{
    const char *value = environment_setting("PTXOPT_DISABLE");
    return value && strcmp(value, "0") != 0;
}

static size_t timeout_ms(void)
{
    enum { LONGEST_S = 1000000 };
    const char *value = environment_setting("PTXOPT_TIMEOUT");
    size_t ms;
    return value && number_seconds(value, LONGEST_S, &ms) && ms ? ms : DEFAULT_TIMEOUT_MS;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Sets the time that ptxopt took, until end_ns. */
static void stop_clock(struct call *call, uint64_t end_ns)
{
    call->us = (uint32_t)((end_ns - call->start_ns) / 1000);
}

static void log_call(struct call *call, const char *result, const char *reason,
                     const struct rewrite *rewrite)
{
    const char *path = environment_setting("PTXOPT_LOG");
    if (!path) return;
    if (!call->us) stop_clock(call, clock_ns());
    int input = call->arguments.input;
    struct record record = {.result = result,
                            .reason = reason,
                            .input = input >= 0 ? call->assembly.argv[input] : NULL,
                            .output = call->arguments.output,
                            .real = call->real,
                            .rewrite = rewrite,
                            .us = call->us};
    record_add(path, &record);
}

/* ---- rewriting ---- */

/* A private folder for a file with the file name of the text, which ptxas writes into its output
 * and its messages. */
struct private_file {
    char folder[PATH_MAX], file[PATH_MAX];
};

/* Returns the folder for temporary files. The default is in memory, where a file costs a tenth of
 * the time of one on a disk. The rewritten text is not longer than the original; half of the free
 * space must be enough for it, since a container may have only 64 MB there. */
static const char *temporary_folder(int text)
{
    static const char in_memory[] = "/dev/shm";
    const char *chosen = environment_setting("TMPDIR");
    struct stat status;
    struct statvfs system;
    if (chosen) return chosen;
    bool fits = access(in_memory, W_OK | X_OK) == 0 && statvfs(in_memory, &system) == 0 &&
                fstat(text, &status) == 0 &&
                (uint64_t)status.st_size < (uint64_t)system.f_bavail * system.f_frsize / 2;
    return fits ? in_memory : "/tmp";
}

static bool private_file_make(struct private_file *own, const struct assembly *assembly)
{
    const char *name =
        assembly->text.descriptor >= 0 ? "stdin" : base_name(assembly->argv[assembly->input]);
    int n =
        snprintf(own->folder, PATH_MAX, "%s/ptxopt-XXXXXX", temporary_folder(assembly->text.fd));
    if (n <= 0 || n >= PATH_MAX || !mkdtemp(own->folder)) return false;
    n = snprintf(own->file, PATH_MAX, "%s/%s", own->folder, name);
    if (n > 0 && n < PATH_MAX) return true;
    rmdir(own->folder);
    return false;
}

static void private_file_remove(const struct private_file *own)
{
    unlink(own->file);
    rmdir(own->folder);
}

static void tell_rewrite(struct call *call, const struct rewrite *rewrite, bool assembled)
{
    const char *result = rewrite->end == REWRITE_FAILED    ? "failed"
                         : rewrite->end == REWRITE_NOTHING ? "unchanged"
                         : assembled                       ? "rewritten"
                                                           : "refused";
    log_call(call, result, rewrite->reason, rewrite);
}

/* Rewrites the text and runs ptxas on the result. Returns true with the output of ptxas in messages
 * if ptxas has assembled it. */
static bool rewrite_to(const struct holding *holding, struct call *call, struct messages *messages)
{
    const struct assembly *assembly = &call->assembly;
    const char *path = assembly->argv[assembly->input];
    const struct rewrite_job job = {.flags = environment_setting("PTXOPT_FLAGS"),
                                    .name = strcmp(path, "-") == 0 ? "<stdin>" : path,
                                    .input = assembly->text.fd,
                                    .output = holding->path,
                                    .ptxas = assembly->real,
                                    .server = environment_setting("PTXOPT_SERVER"),
                                    .report_folder = environment_setting("PTXOPT_REPORT_DIR"),
                                    .timeout_ms = timeout_ms(),
                                    .needs_lines = call->arguments.needs_lines,
                                    .next = holding};
    lseek(assembly->text.fd, 0, SEEK_SET);
    struct rewrite rewrite = rewrite_run(&job);
    stop_clock(call, rewrite.end_ns ? rewrite.end_ns : clock_ns());
    enum assembled end = REFUSED;
    if (rewrite.is_handed_on) end = holding_judge(holding, rewrite.status, messages);
    bool may_differ =
        (rewrite.end == REWRITE_FAILED && !rewrite.is_settled) || rewrite.is_cut || end == CUT_OFF;
    if (may_differ && !supervise_is_asked_to_end()) fallbacks_add(assembly->text.fd);
    tell_rewrite(call, &rewrite, end == ASSEMBLED);
    return end == ASSEMBLED;
}

/* As rewrite_to, but also creates the memory files for the output of ptxas. */
static bool rewrite_held(const struct private_file *own, struct call *call,
                         struct messages *messages)
{
    struct holding holding;
    bool good = holding_begin(&holding, &call->assembly, own->file);
    if (good) {
        good = rewrite_to(&holding, call, messages);
    } else {
        fallbacks_add(call->assembly.text.fd);
        log_call(call, "failed", "cannot hold back what ptxas prints", NULL);
    }
    holding_end(&holding);
    return good;
}

/* As rewrite_held, but also creates the private folder, handles signals, and prints the
 * messages. */
static bool assemble_better(struct call *call)
{
    struct private_file own;
    struct messages messages;
    supervise_begin();
    if (!private_file_make(&own, &call->assembly)) {
        fallbacks_add(call->assembly.text.fd);
        log_call(call, "failed", "cannot create a private folder", NULL);
        return false;
    }
    bool good = rewrite_held(&own, call, &messages);
    private_file_remove(&own);
    supervise_end();
    if (good) messages_print(&messages);
    return good;
}

/* False for a pipe or socket: after a failed first run, a second run would append its output. */
static bool may_be_written_twice(const char *output)
{
    struct stat status;
    return stat(output, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

static int assemble_call(struct call *call)
{
    struct assembly *assembly = &call->assembly;
    if (!may_be_written_twice(call->arguments.output)) {
        log_call(call, "passed-on", "the output is a pipe", NULL);
        return assemble_as_it_is(assembly);
    }
    assembly->text = text_open(assembly->argv[assembly->input]);
    struct passage passage = {.fd = assembly->text.fd};
    if (passage.fd < 0)
        log_call(call, "passed-on", "the text cannot be read twice", NULL);
    else if (passage_search(&passage, SIZE_MAX))
        log_call(call, "passed-on", "it contains neither tcgen05 nor .proxy", NULL);
    else if (assemble_better(call))
        return 0;
    return assemble_as_it_is(assembly);
}

/* ---- other calls ---- */

/* Prints the version of ptxas and a last line, because some callers use the whole text as the
 * version of the tool: another version or other flags of ptxopt give other objects. */
static int wrapper_show_version(const struct call *call)
{
    struct messages messages;
    if (assemble_held(&call->assembly, &messages) != ASSEMBLED)
        return assemble_as_it_is(&call->assembly);
    key_put(&messages.out);
    supervise_end();
    messages_print(&messages);
    return 0;
}

/* Prints the line of key.h, or nothing if PTXOPT_DISABLE is set. */
static int show_key(void)
{
    struct messages messages = {0};
    if (!is_disabled()) key_put(&messages.out);
    messages_print(&messages);
    return 0;
}

/* Prints the error in one line, and frees it. */
static int fail(struct buf *error)
{
    char *text = buf_take(error);
    fprintf(stderr, "ptxopt-ptxas: %s\n", text);
    mem_free(text);
    return STATUS_USAGE;
}

static int make_shim(int argc, char **argv)
{
    struct buf error = {0};
    if (argc < 3 || argc > 4) {
        fputs(usage, stderr);
        return STATUS_USAGE;
    }
    if (!shim_make(argv[2], argc > 3 ? argv[3] : NULL, &error)) return fail(&error);
    printf("%s/bin\n", argv[2]);
    return 0;
}

static int show_summary(int argc, char **argv)
{
    struct messages messages = {0};
    struct buf error = {0};
    if (argc != 3) {
        fputs(usage, stderr);
        return STATUS_USAGE;
    }
    if (!summary_put(&messages.out, argv[2], &error)) return fail(&error);
    messages_print(&messages);
    return 0;
}

/* Detects that copies of this program call each other without end, such as two copies on PATH. */
static bool is_circle(void)
{
    enum { DEEPEST = 4 };
    const char *depth = environment_setting("PTXOPT_DEPTH");
    char deeper[2] = {depth && depth[0] >= '0' && depth[0] <= '9' ? (char)(depth[0] + 1) : '1', 0};
    setenv("PTXOPT_DEPTH", deeper, 1);
    return deeper[0] > '0' + DEEPEST;
}

static int run_wrapper(int argc, char **argv, const char *called)
{
    struct call call = {.assembly = {.real = call.real, .argv = argv, .text = {-1, -1, -1}}};
    const char *why = "ptxopt-ptxas calls itself; set PTXOPT_REAL_PTXAS to the path of ptxas";
    call.start_ns = clock_ns();
    supervise_prepare();
    if (is_circle() || !real_find(call.real, called, &why)) {
        fprintf(stderr, "ptxopt-ptxas: %s\n", why);
        return STATUS_NO_PTXAS;
    }
    call.arguments = arguments_read(argc, argv);
    call.assembly.input = call.arguments.input;
    if (is_disabled())
        log_call(&call, "disabled", "", NULL);
    else if (call.arguments.use == ARGUMENTS_VERSION)
        return wrapper_show_version(&call);
    else if (call.arguments.use == ARGUMENTS_ASSEMBLE)
        return assemble_call(&call);
    else
        log_call(&call, "passed-on", call.arguments.why, NULL);
    return assemble_as_it_is(&call.assembly);
}

int main(int argc, char **argv)
{
    if (argc < 1) return STATUS_USAGE;
    bool by_own_name = strncmp(base_name(argv[0]), own_name, strlen(own_name)) == 0;
    char path[PATH_MAX];
    if (!by_own_name) return run_wrapper(argc, argv, real_link(argv[0], path));
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        fputs(usage, argc < 2 ? stderr : stdout);
        return argc < 2 ? STATUS_USAGE : 0;
    }
    if (strcmp(argv[1], "--key") == 0) return show_key();
    if (strcmp(argv[1], "--summary") == 0) return show_summary(argc, argv);
    if (strcmp(argv[1], "--make-shim") == 0) return make_shim(argc, argv);
    return argv[1][0] == '-' ? run_wrapper(argc, argv, "ptxas")
                             : run_wrapper(argc - 1, argv + 1, argv[1]);
}

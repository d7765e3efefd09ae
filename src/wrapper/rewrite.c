/* Rewrites a text on its way to ptxas, so that no error stops the build. A child process
 * rewrites it, reports to the parent in shared memory, and becomes ptxas; an interval timer
 * ends a child that takes too long. */
#include "wrapper/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/choose.h"
#include "cli/output.h"
#include "cli/remote.h"
#include "report/json.h"
#include "wrapper/flags.h"
#include "wrapper/supervise.h"

static void rewrite_set_reason(struct rewrite *rewrite, const char *what, const char *why)
{
    snprintf(rewrite->reason, sizeof rewrite->reason, "%s%s%s", what, *why ? ": " : "", why);
}

static void fail_with(struct rewrite *rewrite, struct buf *error)
{
    char *text = buf_take(error);
    rewrite_set_reason(rewrite, text, "");
    mem_free(text);
}

/* ---- the child ---- */

static void rewrite_write_report(const struct rewrite_job *job, struct rewrite *rewrite,
                                 const struct report_format *format,
                                 const struct ptxopt_result *result)
{
    struct buf text = {0}, path = {0}, error = {0};
    buf_printf(&path, "%s/%s.%s", job->report_folder, rewrite->digest, format->name);
    char *name = buf_take(&path);
    enum work_end end = report_one(&text, format, NULL, job->name, result).end;
    if (end != WORK_DONE)
        rewrite_set_reason(rewrite, name,
                           end == WORK_OVER_LIMIT ? "the report is too large"
                                                  : "could not write the report");
    else if (!output_write(name, text.data, text.len, &error))
        fail_with(rewrite, &error);
    buf_free(&text);
    mem_free(name);
}

/* Writes the JSON report, the diff, and the reports that the flags request. */
static void write_reports(const struct rewrite_job *job, struct rewrite *rewrite,
                          const struct command *command, const struct ptxopt_result *result)
{
    if (!job->report_folder) return;
    if (mkdir(job->report_folder, 0777) != 0 && errno != EEXIST)
        rewrite_set_reason(rewrite, job->report_folder, strerror(errno));
    rewrite_write_report(job, rewrite, report_format_find("json"), result);
    rewrite_write_report(job, rewrite, report_format_find("diff"), result);
    for (uint32_t i = 0; i < command->reports.count; i++)
        rewrite_write_report(job, rewrite, command->reports.at[i].format, result);
}

static bool rewrite_write_text(const struct rewrite_job *job, struct rewrite *rewrite,
                               const char *text, size_t len)
{
    int fd = open(job->output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && file_write_all(fd, text, len);
    int failure = errno;
    if (fd >= 0 && close(fd) != 0 && good) { /* some file systems report a full disk here */
        failure = errno;
        good = false;
    }
    if (!good) rewrite_set_reason(rewrite, job->output, strerror(failure));
    return good;
}

static void count_rewrite(struct rewrite *rewrite, const struct ptxopt_result *result)
{
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    rewrite->output_bytes = stats->output_bytes;
    rewrite->functions = stats->functions;
    rewrite->candidates = stats->candidates;
    rewrite->deleted = stats->deleted;
}

/* Requests the rewriting from a server; the answer counts only after it was proven here. Returns
 * false if the text is still to be rewritten in this process, as it is if reports or cost limits
 * are requested. */
static bool rewrite_on_server(const struct rewrite_job *job, struct rewrite *rewrite,
                              struct command *command, struct str input)
{
    struct buf answer = {0}, messages = {0};
    if (!job->server || job->report_folder || limits_exist(&command->limits)) return false;
    command->server = job->server;
    struct remote *remote = remote_open(command, &messages);
    rewrite->by_server = remote && remote_run(remote, input, &answer, &messages);
    if (rewrite->by_server) {
        rewrite->output_bytes = answer.len;
        bool same = str_eq((struct str){answer.data, answer.len}, input);
        if (same || rewrite_write_text(job, rewrite, answer.data, answer.len))
            rewrite->end = same ? REWRITE_NOTHING : REWRITE_DONE;
    } else if (messages.len) {
        messages.len--; /* without the line feed */
        fail_with(rewrite, &messages);
    }
    remote_close(remote);
    buf_free(&messages);
    buf_free(&answer);
    return rewrite->by_server;
}

static size_t time_of(const struct rewrite_job *job, const struct command *command)
{
    return command->timeout_ms ? command->timeout_ms : job->timeout_ms;
}

/* Leaves out the edits that exceed the limits on the cost of a kernel. The runs of ptxas get at
 * most three quarters of the time limit, so that the rest is enough for the rewriting. */
static void keep_limits(const struct rewrite_job *job, struct rewrite *rewrite,
                        struct command *command, const struct buf *input)
{
    struct choice choice = {.made = false};
    size_t ms = time_of(job, command) / 4 * 3;
    if (command->ptxas_timeout_ms && command->ptxas_timeout_ms < ms) ms = command->ptxas_timeout_ms;
    struct tool_clock clock = {.limit_ns = (uint64_t)ms * 1000000};
    if (!command->ptxas) command->ptxas = job->ptxas;
    choose_edits(&choice, command, job->name, input, &clock);
    choose_apply(&choice, command->options);
    rewrite->is_cut = choice.untried != 0;
    if (rewrite->is_cut)
        rewrite_set_reason(rewrite, "instructions kept, since their cost is unknown",
                           choice.problem);
    choose_free(&choice);
}

static void rewrite_here(const struct rewrite_job *job, struct rewrite *rewrite,
                         struct command *command, const struct buf *input)
{
    struct str text = {input->len ? input->data : "", input->len};
    if (limits_exist(&command->limits)) keep_limits(job, rewrite, command, input);
    struct ptxopt_result *result = ptxopt_run(command->options, job->name, text.p, text.n);
    size_t len;
    const char *output = ptxopt_result_text(result, &len);
    if (ptxopt_result_status(result) != PTXOPT_OK) {
        rewrite_set_reason(rewrite, ptxopt_result_message(result), "");
        rewrite->is_settled = ptxopt_result_status(result) == PTXOPT_BAD_INPUT;
    } else {
        count_rewrite(rewrite, result);
        write_reports(job, rewrite, command, result);
        if (!ptxopt_result_changed(result))
            rewrite->end = REWRITE_NOTHING;
        else if (rewrite_write_text(job, rewrite, output, len))
            rewrite->end = REWRITE_DONE;
    }
    ptxopt_result_free(result);
}

/* The state of the process before limit_child, which ptxas must inherit. */
struct limits_before {
    sigset_t mask;
    struct sigaction alarm;
    struct rlimit core;
};

/* Prevents a core file, and lets SIGALRM end this process even if the caller blocks or ignores
 * it. */
static void limit_child(struct limits_before *before)
{
    sigset_t alarm;
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigaction(SIGALRM, &action, &before->alarm);
    sigprocmask(SIG_UNBLOCK, &alarm, &before->mask);
    if (getrlimit(RLIMIT_CORE, &before->core) == 0)
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, before->core.rlim_max});
}

static void unlimit_child(const struct limits_before *before)
{
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 0}}, NULL);
    setrlimit(RLIMIT_CORE, &before->core);
    supervise_end();
    sigaction(SIGALRM, &before->alarm, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static void begin_timer(size_t ms)
{
    struct itimerval timer = {.it_value = {(time_t)(ms / 1000), (suseconds_t)(ms % 1000 * 1000)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void rewrite_work(const struct rewrite_job *job, struct rewrite *rewrite)
{
    struct flags flags;
    struct buf error = {0}, input = {0};
    if (!flags_read(&flags, job->flags, &error)) {
        fail_with(rewrite, &error);
        rewrite->is_settled = true;
    } else {
        struct command *command = &flags.command;
        begin_timer(time_of(job, command));
        if (job->needs_lines && command->style == PTXOPT_SQUEEZE) command->style = PTXOPT_BLANK;
        ptxopt_options_set_style(command->options, command->style);
        ptxopt_options_set_remarks(command->options, job->report_folder != NULL);
        ptxopt_options_set_steps(command->options, job->report_folder != NULL);
        if (file_read_rest(job->input, command->max_input, &input)) {
            struct str text = {input.len ? input.data : "", input.len};
            rewrite->input_bytes = text.n;
            if (job->report_folder) fingerprint_text(text, rewrite->digest);
            if (!rewrite_on_server(job, rewrite, command, text))
                rewrite_here(job, rewrite, command, &input);
        } else {
            rewrite_set_reason(rewrite, job->name, strerror(errno));
        }
    }
    buf_free(&input);
    flags_free(&flags);
}

/* ---- the parent ---- */

/* Sets the reason from the status of a child that did not reach ptxas. */
static void judge_child_status(struct rewrite *rewrite, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    rewrite->end = REWRITE_FAILED;
    rewrite->is_settled = false;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        rewrite_set_reason(rewrite, "the time limit was reached", "");
    else if (WIFSIGNALED(status))
        rewrite_set_reason(rewrite, "ended by a signal", strsignal(WTERMSIG(status)));
    else
        snprintf(rewrite->reason, sizeof rewrite->reason, "ended with status %d",
                 WEXITSTATUS(status));
}

_Noreturn static void rewrite_in_child(const struct rewrite_job *job, struct rewrite *rewrite)
{
    struct limits_before before;
    /* Discards standard error: a failure belongs in the log, not in the output of the compiler. */
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null < 0 || dup2(null, STDERR_FILENO) < 0) close(STDERR_FILENO);
    output_prepare();
    limit_child(&before);
    json_use_work();
    rewrite_work(job, rewrite);
    rewrite->end_ns = clock_ns();
    if (rewrite->end != REWRITE_DONE) _exit(0);
    unlimit_child(&before);
    rewrite->is_handed_on = true;
    holding_become_ptxas(job->next);
    _exit(127);
}

struct rewrite rewrite_run(const struct rewrite_job *job)
{
    struct rewrite result = {.end = REWRITE_FAILED};
    struct rewrite *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = shared == MAP_FAILED ? -1 : supervise_fork();
    if (child == 0) rewrite_in_child(job, shared);
    if (child > 0) {
        shared->status = supervise_wait(child);
        if (!shared->is_handed_on) judge_child_status(shared, shared->status);
        result = *shared;
    } else {
        rewrite_set_reason(&result, "no process", strerror(errno));
    }
    if (shared != MAP_FAILED) munmap(shared, sizeof *shared);
    return result;
}

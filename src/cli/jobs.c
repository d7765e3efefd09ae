/* Runs the jobs of a command line, and prints their messages in order. All output paths are decided
 * before anything is written. Then up to -j threads take one input after the other, while the main
 * thread prints the messages of the next job as soon as it is done, and the progress. See
 * jobs.h. */
#include "cli/jobs.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/intern.h"
#include "base/bug.h"
#include "base/mem.h"
#include "cli/baselines.h"
#include "cli/output.h"
#include "cli/progress.h"

/* ---- planning ---- */

static size_t file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
}

static bool ends_in_slash(const char *path)
{
    size_t len = strlen(path);
    return len && path[len - 1] == '/';
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool check_stdin(const struct command *command, bool into, const struct input_list *inputs,
                        struct buf *error)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        if (strcmp(inputs->at[i].path, "-") != 0) continue;
        if (into)
            buf_puts(error, "standard input has no file name; with it use -o FILE, not -o DIR/");
        else if (command->in_place)
            buf_puts(error, "--in-place: standard input cannot be replaced, expected a file");
        if (into || command->in_place) return false;
    }
    return true;
}

/* The outputs go into the directory with that name, which need not exist yet: if there are several
 * outputs, unless the name is that of a file. */
static bool is_for_directory(const char *output, bool many)
{
    struct stat status;
    if (!output || strcmp(output, "-") == 0) return false;
    if (ends_in_slash(output) || is_directory(output)) return true;
    return many && lstat(output, &status) != 0 && !inputs_is_kernel(output);
}

static bool check_directory(const struct command *command, const struct input_list *inputs,
                            bool *into, struct buf *error)
{
    bool many = inputs->count > 1, found = false;
    for (uint32_t i = 0; i < inputs->count; i++) found |= inputs->at[i].found;
    *into = is_for_directory(command->output, many || found);
    if ((many || found) && !*into && command_writes_text(command) && !command->in_place) {
        if (many)
            buf_printf(error, "%u inputs need", inputs->count);
        else
            buf_puts(error, "a directory as input needs");
        buf_puts(error, " -o DIR/ to write to, --in-place or --check");
        return false;
    }
    return check_stdin(command, *into, inputs, error);
}

/* Creates the folders above the last slash of path. Returns 0, or the errno for the one that could
 * not be created. */
static int make_folders(char *path)
{
    int reason = 0;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failure = mkdir(path, 0777) == 0 ? 0 : errno;
        reason = is_directory(path) ? 0 : failure;
        *slash = '/';
    }
    return reason;
}

static bool make_directory(const char *output, struct buf *error)
{
    struct buf path = {0};
    buf_printf(&path, "%s/", output);
    char *folder = buf_take(&path);
    int reason = make_folders(folder);
    mem_free(folder);
    if (reason)
        buf_printf(error, "-o %s: cannot create the directory: %s", output, strerror(reason));
    return !reason;
}

static char *output_path(const struct command *command, const struct input *input, bool into)
{
    struct buf output = {0};
    const char *path = command->in_place ? input->path : command->output ? command->output : "-";
    buf_puts(&output, path);
    if (into && !ends_in_slash(path)) buf_putc(&output, '/');
    if (into) buf_puts(&output, input->name);
    return buf_take(&output);
}

/* Adds a job for each input. An input that is named twice is run once, except when outputs go into
 * a directory: then two with the same output are an error. */
static bool add_jobs(struct job_list *jobs, const struct command *command, bool into,
                     struct buf *error)
{
    struct intern paths = {0}, outputs = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < jobs->inputs.count; i++) {
        const struct input *input = &jobs->inputs.at[i];
        uint32_t known = paths.count;
        if (!into && intern_add(&paths, 0, str_from(input->path)) < known) continue;
        struct job job = {.input = input->path,
                          .output = output_path(command, input, into),
                          .size = file_size(input->path),
                          .deep = into && strchr(input->name, '/')};
        job.transform.ids_met = mem_zalloc(command->ids.count, sizeof(bool));
        vec_push(jobs, job);
        if (!into) continue;
        uint32_t number = intern_add(&outputs, 0, str_from(job.output));
        good = number == jobs->count - 1;
        if (!good)
            buf_printf(error, "%s and %s would both be written to %s", jobs->at[number].input,
                       job.input, job.output);
    }
    intern_free(&paths);
    intern_free(&outputs);
    return good;
}

bool jobs_plan(struct job_list *jobs, const struct command *command, struct buf *error)
{
    bool into;
    for (size_t i = 0; i < command->input_count; i++)
        if (!inputs_add(&jobs->inputs, command->inputs[i], error)) return false;
    return check_directory(command, &jobs->inputs, &into, error) &&
           add_jobs(jobs, command, into, error) &&
           (!into || make_directory(command->output, error));
}

/* ---- running ---- */

/* Shared by the threads. */
struct pool {
    const struct command *command;
    struct job_list *jobs;
    pthread_mutex_t mutex; /* protects next, done and the done of every job */
    pthread_cond_t finished;
    struct amount done;
    uint32_t next; /* the first job that no thread has taken */
};

static void run_job(const struct command *command, struct job *job)
{
    if (job->deep) (void)make_folders(job->output); /* writing the output reports the error */
    job->status = transform_file(command, job->input, job->output, &job->transform);
}

static int finish_job(struct job *job, struct progress *progress)
{
    struct buf *messages = &job->transform.messages;
    if (messages->len) progress_clear(progress);
    (void)file_write_all(STDERR_FILENO, messages->data, messages->len);
    buf_free(messages);
    return job->status;
}

static void *jobs_work(void *shared)
{
    struct pool *pool = shared;
    pthread_mutex_lock(&pool->mutex);
    while (pool->next < pool->jobs->count) {
        struct job *job = &pool->jobs->at[pool->next++];
        pthread_mutex_unlock(&pool->mutex);
        run_job(pool->command, job);
        pthread_mutex_lock(&pool->mutex);
        job->done = true;
        pool->done.files++;
        pool->done.bytes += job->size;
        pthread_cond_signal(&pool->finished);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* The amount that is done: whole files, and the analysed bytes of the files that threads work on.
 * All files before job are done. */
static struct amount amount_so_far(const struct pool *pool, const struct job *job)
{
    struct amount amount = pool->done;
    for (const struct job *at = job; at < pool->jobs->at + pool->next; at++) {
        size_t analysed = at->done ? 0 : atomic_load(&at->transform.analysed);
        amount.bytes += analysed < at->size ? analysed : at->size;
    }
    return amount;
}

/* Waits until the job is done, and draws the progress meanwhile. */
static void wait_for_job(struct pool *pool, const struct job *job, struct progress *progress)
{
    enum { TICK_NS = 100000000, SECOND_NS = 1000000000 };
    pthread_mutex_lock(&pool->mutex);
    while (!job->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_NS;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        if (!progress->wanted)
            pthread_cond_wait(&pool->finished, &pool->mutex);
        else
            (void)pthread_cond_timedwait(&pool->finished, &pool->mutex, &until);
        if (progress_is_due(progress))
            progress_draw(progress, amount_so_far(pool, job), &job->transform.clock);
    }
    pthread_mutex_unlock(&pool->mutex);
}

static int print_in_order(struct pool *pool, struct progress *progress)
{
    int worst = 0;
    for (uint32_t i = 0; i < pool->jobs->count; i++) {
        wait_for_job(pool, &pool->jobs->at[i], progress);
        int status = finish_job(&pool->jobs->at[i], progress);
        if (status > worst) worst = status;
    }
    progress_clear(progress);
    return worst;
}

static int run_serially(struct job_list *jobs, const struct command *command,
                        struct progress *progress)
{
    int worst = 0;
    for (uint32_t i = 0; i < jobs->count; i++) {
        run_job(command, &jobs->at[i]);
        int status = finish_job(&jobs->at[i], progress);
        if (status > worst) worst = status;
    }
    return worst;
}

/* Threads that are not needed for further files work on the functions of each file. With a single
 * file, ptxas may run in parallel for its texts. */
static void share_threads(struct job_list *jobs, const struct command *command)
{
    size_t each = jobs->count ? command->jobs / jobs->count : 1;
    BUG_UNLESS(ptxopt_options_set_threads(command->options, each ? (unsigned)each : 1));
    if (jobs->count == 1) jobs->at[0].transform.alone = true;
}

static struct amount jobs_amount(const struct job_list *jobs)
{
    struct amount amount = {.files = jobs->count};
    for (uint32_t i = 0; i < jobs->count; i++) amount.bytes += jobs->at[i].size;
    return amount;
}

static void jobs_open_remote(struct job_list *jobs, const struct command *command)
{
    struct buf messages = {0};
    if (command->server) jobs->remote = remote_open(command, &messages);
    (void)file_write_all(STDERR_FILENO, messages.data, messages.len);
    buf_free(&messages);
    for (uint32_t i = 0; i < jobs->count; i++) jobs->at[i].transform.remote = jobs->remote;
}

int jobs_run(struct job_list *jobs, const struct command *command)
{
    share_threads(jobs, command);
    jobs_open_remote(jobs, command);
    pthread_t threads[OUTPUT_WRITERS];
    size_t wanted = command->jobs < jobs->count ? command->jobs : jobs->count, started = 0;
    struct progress progress = progress_begin(!command->quiet, jobs_amount(jobs));
    if (wanted > OUTPUT_WRITERS) wanted = OUTPUT_WRITERS;
    if (wanted < 2 && !progress.wanted) return run_serially(jobs, command, &progress);
    struct pool pool = {.command = command, .jobs = jobs};
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.finished, NULL);
    while (started < wanted && pthread_create(&threads[started], NULL, jobs_work, &pool) == 0)
        started++;
    if (!started) jobs_work(&pool); /* no thread could be created */
    int worst = print_in_order(&pool, &progress);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_cond_destroy(&pool.finished);
    pthread_mutex_destroy(&pool.mutex);
    return worst;
}

/* ---- after the jobs ---- */

int jobs_report(const struct job_list *jobs, const struct command *command, struct buf *messages)
{
    for (uint32_t i = 0; i < command->ids.count; i++) {
        bool met = false;
        for (uint32_t j = 0; j < jobs->count; j++) met |= jobs->at[j].transform.ids_met[i];
        if (!met)
            buf_printf(messages, "ptxopt: warning: no finding has the id %s\n",
                       command->ids.at[i].id);
    }
    if (!command_reviews(command)) return 0;
    struct VEC(const struct review_file *) files = {0};
    for (uint32_t j = 0; j < jobs->count; j++) vec_push(&files, &jobs->at[j].transform.review);
    struct review review = {.files = files.at, .count = files.count, .remarks = command->remarks};
    int status = reports_write(&command->reports, &review, command->max_report,
                               command_prints_text(command), command->color, messages);
    int settled = baselines_settle(command, &review, messages);
    if (settled > status) status = settled;
    vec_free(&files);
    return status;
}

void jobs_free(struct job_list *jobs)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        struct transform *transform = &jobs->at[i].transform;
        mem_free(jobs->at[i].output);
        buf_free(&transform->messages);
        review_file_free(&transform->review);
        mem_free(transform->ids_met);
    }
    vec_free(jobs);
    remote_close(jobs->remote);
    inputs_free(&jobs->inputs);
}

/* Which file goes where, and in which order is it told? Outputs are settled before anything is
 * written; then up to -j threads take the next input each, while this one prints the messages of
 * the first job that is not printed yet as soon as it is done. */
#include "cli/jobs.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/output.h"
#include "cli/transform.h"

/* ---- planning ---- */

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

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Quadratic, but of a few thousand short strings at most. */
static bool check_names(const struct command *command, struct buf *error)
{
    for (size_t i = 0; i < command->input_count; i++) {
        const char *name = command->inputs[i];
        if (strcmp(name, "-") == 0) {
            buf_puts(error, "standard input has no name to have in a directory, expected -o FILE");
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(base_name(name), base_name(command->inputs[j])) != 0) continue;
            buf_printf(error, "%s and %s would both be written to %s%s%s", command->inputs[j], name,
                       command->output, ends_in_slash(command->output) ? "" : "/",
                       base_name(name));
            return false;
        }
    }
    return true;
}

static bool check_directory(const struct command *command, bool *into, struct buf *error)
{
    const char *output = command->output;
    *into = output && strcmp(output, "-") != 0 && is_directory(output);
    if (output && ends_in_slash(output) && !*into) {
        buf_printf(error, "-o %s: expected a directory that exists", output);
        return false;
    }
    if (command->input_count > 1 && !*into) {
        buf_printf(error, "%zu inputs need -o DIR/ to write to", command->input_count);
        return false;
    }
    return !*into || check_names(command, error);
}

bool jobs_plan(struct job_list *jobs, const struct command *command, struct buf *error)
{
    bool into;
    if (!check_directory(command, &into, error)) return false;
    for (size_t i = 0; i < command->input_count; i++) {
        struct buf output = {0};
        const char *input = command->inputs[i];
        buf_puts(&output, command->output ? command->output : "-");
        if (into && !ends_in_slash(command->output)) buf_putc(&output, '/');
        if (into) buf_puts(&output, base_name(input));
        vec_push(jobs, (struct job){.input = input, .output = buf_take(&output)});
    }
    return true;
}

/* ---- running ---- */

/* What the threads share. */
struct pool {
    const struct command *command;
    struct job_list *jobs;
    pthread_mutex_t mutex; /* of next and every job's done */
    pthread_cond_t finished;
    uint32_t next; /* the first job that nobody has taken */
};

static void run_job(const struct command *command, struct job *job)
{
    job->status = transform_file(command, job->input, job->output, &job->messages);
}

static int finish_job(struct job *job)
{
    (void)output_descriptor(STDERR_FILENO, job->messages.data, job->messages.len);
    buf_free(&job->messages);
    return job->status;
}

static void *work(void *shared)
{
    struct pool *pool = shared;
    pthread_mutex_lock(&pool->mutex);
    while (pool->next < pool->jobs->count) {
        struct job *job = &pool->jobs->at[pool->next++];
        pthread_mutex_unlock(&pool->mutex);
        run_job(pool->command, job);
        pthread_mutex_lock(&pool->mutex);
        job->done = true;
        pthread_cond_signal(&pool->finished);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static int print_in_order(struct pool *pool)
{
    int worst = 0;
    for (uint32_t i = 0; i < pool->jobs->count; i++) {
        struct job *job = &pool->jobs->at[i];
        pthread_mutex_lock(&pool->mutex);
        while (!job->done) pthread_cond_wait(&pool->finished, &pool->mutex);
        pthread_mutex_unlock(&pool->mutex);
        int status = finish_job(job);
        if (status > worst) worst = status;
    }
    return worst;
}

static int run_serially(struct job_list *jobs, const struct command *command)
{
    int worst = 0;
    for (uint32_t i = 0; i < jobs->count; i++) {
        run_job(command, &jobs->at[i]);
        int status = finish_job(&jobs->at[i]);
        if (status > worst) worst = status;
    }
    return worst;
}

int jobs_run(struct job_list *jobs, const struct command *command)
{
    pthread_t threads[OUTPUT_WRITERS];
    size_t wanted = command->jobs < jobs->count ? command->jobs : jobs->count, started = 0;
    if (wanted > OUTPUT_WRITERS) wanted = OUTPUT_WRITERS;
    if (wanted < 2) return run_serially(jobs, command);
    struct pool pool = {.command = command, .jobs = jobs};
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.finished, NULL);
    while (started < wanted && pthread_create(&threads[started], NULL, work, &pool) == 0) started++;
    if (!started) work(&pool); /* the system gives no thread: one after the other, then */
    int worst = print_in_order(&pool);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_cond_destroy(&pool.finished);
    pthread_mutex_destroy(&pool.mutex);
    return worst;
}

void jobs_free(struct job_list *jobs)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        mem_free(jobs->at[i].output);
        buf_free(&jobs->at[i].messages);
    }
    vec_free(jobs);
}

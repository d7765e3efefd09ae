/* A piece of work: the memory that one call of the library works with, and the one way out of the
 * middle of it. When out of memory, the limit is reached, the caller cancels or an invariant of
 * ours is broken, control goes back to work_run, which frees all of it. So nobody between the two
 * tests for NULL, and nothing ends the process.
 *
 * Each thread has its own work, and works on the innermost. Leaving runs no clean-up but
 * freeing: code in it holds no lock, file or other system resource, hands no memory to another
 * thread (but as a part, see below), and lets nothing that is older than the work grow, unless it
 * is sure to be thrown away with it. */
#ifndef PTXOPT_BASE_WORK_H
#define PTXOPT_BASE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum work_end {
    WORK_DONE,
    WORK_NO_MEMORY,  /* the system has no more */
    WORK_OVER_LIMIT, /* more than max_bytes at once */
    WORK_CANCELLED,
    WORK_BUG, /* an invariant of ours is broken */
};

struct work_limits {
    size_t max_bytes;                 /* in use at the same time; 0: no limit */
    bool (*cancelled)(void *context); /* see ptxopt_options_set_cancel; NULL: never */
    void *context;
};

struct work_outcome {
    enum work_end end;
    size_t most_bytes, max_bytes; /* that were, and might be, in use at the same time */
    const char *bug, *file;       /* with WORK_BUG: the broken invariant, and its place */
    int line;
};

/* Calls run(context). When that returns, the memory which it has not freed is as if it had been
 * allocated outside: it belongs to the work around this one, or to none. When it is left, all
 * that was allocated since is freed, and *context is as it was, with pointers to freed memory.
 * limits NULL: none. The limits of the work around hold, too. */
struct work_outcome work_run(const struct work_limits *limits, void (*run)(void *context),
                             void *context);

/* Leaves the innermost work; there is one. */
_Noreturn void work_leave(enum work_end end);
_Noreturn void work_bug(const char *what, const char *file, int line);

/* ---- a call for each long loop that allocates no memory, prints and looks up nothing ---- */

/* As initial-exec, a thread's storage is there from its start: glibc ends a process that is out of
 * memory when it is first used. */
#ifdef __GLIBC__
#define WORK_TLS __attribute__((tls_model("initial-exec")))
#else
#define WORK_TLS
#endif

struct work;
struct work_thread {
    struct work *open; /* the innermost; NULL: none */
    int credit;        /* left until the next question */
};
extern _Thread_local struct work_thread work_thread WORK_TLS;

/* Checks whether the work is cancelled, and leaves it if so. */
void work_ask(void);

/* So many instructions, tokens, graph nodes, … were looked at. Checks now and then. */
static inline void work_spend(size_t units)
{
    enum { MOST = 1 << 20 };
    work_thread.credit -= (int)(units < MOST ? units : MOST);
    if (work_thread.credit < 0) work_ask();
}

/* ---- work that several threads do a part of: see team.h ---- */

/* The header before the bytes of an allocation: a ring of all that belong to the same work, or of
 * itself alone. */
struct allocation {
    struct allocation *next, *prev;
    uint64_t size : 48; /* with this header */
    uint64_t mark : 16; /* for mem.c */
};

/* A part, done by any thread. Its memory waits in ring for the work that it is a part of. */
struct work_part {
    struct allocation ring; /* its head, no allocation */
    struct work_outcome outcome;
};

/* What the innermost work has left, for each of so many that use it at the same time. Their asking
 * whether it is cancelled comes from the threads that they run in. */
struct work_limits work_share(uint32_t count);

/* As work_run, but that nothing of what is kept belongs to a work yet. */
void work_run_part(struct work_part *part, const struct work_limits *limits,
                   void (*run)(void *context), void *context);

/* What the part has kept belongs to the innermost work from now on, or is freed. */
void work_take_part(struct work_part *part);
void work_drop_part(struct work_part *part);

/* ---- for mem.c ---- */

/* Whether the work may have size bytes more. */
bool work_may(size_t size);
/* The same, but leaves it if not. */
void work_charge(size_t size);
/* It is the innermost work's from now on. Only size is set. */
void work_adopt(struct allocation *one);
/* It is about to be freed. */
void work_drop(struct allocation *one);
/* realloc has given it another place, and so many bytes more; it was alone in its ring, or not. */
void work_moved(struct allocation *one, bool alone, ptrdiff_t grown);

#endif

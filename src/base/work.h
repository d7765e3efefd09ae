/* A work: the memory that one call of the library allocates, and the way to end this call from any
 * depth. Without memory, above the memory limit, after a cancellation or after a broken invariant,
 * control returns to work_run, which frees all memory of the work. So code inside a work does not
 * test for NULL, and no error in it ends the process.
 *
 * Works nest, and each thread has its own; functions act on the innermost work of their thread.
 * Ending a work early only frees memory, so code inside a work must hold no lock, file or other
 * system resource, must not pass memory to another thread (except in a part, see below), and must
 * not enlarge an object that was allocated before the work began, unless this object is discarded
 * together with the work. */
#ifndef PTXOPT_BASE_WORK_H
#define PTXOPT_BASE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum work_end {
    WORK_DONE,
    WORK_NO_MEMORY,  /* the system has no more memory */
    WORK_OVER_LIMIT, /* needs more than max_bytes at once, or another limit was reached */
    WORK_CANCELLED,
    WORK_BUG, /* an invariant of this program is broken */
};

struct work_limits {
    size_t max_bytes;                 /* limit for the bytes in use at the same time; 0: no limit */
    bool (*cancelled)(void *context); /* see ptxopt_options_set_cancel; NULL: never */
    void *context;
};

struct work_outcome {
    enum work_end end;
    size_t most_bytes, max_bytes; /* most_bytes: the peak of the bytes in use; max_bytes: the limit
                                     in force, 0 for none */
    const char *bug, *file;       /* with WORK_BUG: what is broken, and its place; static */
    int line;
};

/* Calls run(context) as a work. If run returns, the memory that it has not freed belongs to the
 * surrounding work, or to none if there is none. If the work ends early, all memory that it
 * allocated is freed; *context stays as run left it, and may then point to freed memory. limits
 * NULL: no limits besides those of the surrounding works, which always apply. */
struct work_outcome work_run(const struct work_limits *limits, void (*run)(void *context),
                             void *context);

/* Ends the innermost work with this outcome; the caller must be inside of one. work_bug: WORK_BUG;
 * what and file are static strings. */
_Noreturn void work_leave(enum work_end end);
_Noreturn void work_bug(const char *what, const char *file, int line);

/* ---- for long loops that do not allocate, print or look up names ---- */

/* With initial-exec the thread-local storage exists from the start of the thread. With the default
 * model glibc allocates it at the first use, and ends the process if there is no memory. */
#ifdef __GLIBC__
#define WORK_TLS __attribute__((tls_model("initial-exec")))
#else
#define WORK_TLS
#endif

struct work;
struct work_thread {
    struct work *open; /* the innermost work; NULL: none */
    int credit;        /* units until work_spend calls work_ask */
};
extern _Thread_local struct work_thread work_thread WORK_TLS;

/* Ends the innermost work with WORK_CANCELLED if it, or a work around it, was cancelled. */
void work_ask(void);

/* Counts units of progress: instructions, tokens or graph nodes that the caller has examined. Calls
 * work_ask once for every few thousand units. */
static inline void work_spend(size_t units)
{
    enum { MOST = 1 << 20 };
    work_thread.credit -= (int)(units < MOST ? units : MOST);
    if (work_thread.credit < 0) work_ask();
}

/* ---- parts of one work on several threads: see team.h ---- */

/* The header in front of each allocation. The allocations of one work are linked in a ring; an
 * allocation of no work is a ring of itself. */
struct allocation {
    struct allocation *next, *prev;
    uint64_t size : 48; /* bytes, including this header */
    uint64_t mark : 16; /* for mem.c */
};

/* A part of a work, run by any thread. Its allocations stay in ring until work_take_part or
 * work_drop_part. */
struct work_part {
    struct allocation ring; /* head of the ring, not an allocation */
    struct work_outcome outcome;
};

/* Returns the limits for each of count parts that run at the same time: an equal share of the
 * memory that the innermost work has left. A part is cancelled with that work: its thread calls the
 * cancel callback. */
struct work_limits work_share(uint32_t count);

/* As work_run, but the memory that run has not freed stays in part->ring and belongs to no work
 * yet. */
void work_run_part(struct work_part *part, const struct work_limits *limits,
                   void (*run)(void *context), void *context);

/* Gives the memory of the part to the innermost work, or frees it. */
void work_take_part(struct work_part *part);
void work_drop_part(struct work_part *part);

/* ---- for mem.c: inline, since each allocation takes these steps ---- */

/* Small blocks that were freed are kept for the next allocation of their class, which is one for
 * every WORK_SPARE_STEP bytes: malloc and free of glibc take five times as many instructions. The
 * sanitizers must see each of them. */
enum {
    WORK_SPARE_STEP = 16,    /* as in malloc, so that nothing is lost */
    WORK_SPARE_HEAD = 8,     /* of malloc */
    WORK_SPARE_CLASSES = 65, /* up to 1024 bytes; class 0 is not used */
#ifdef WITH_SANITIZERS
    WORK_SPARE_MOST = 0,
#else
    WORK_SPARE_MOST = 8, /* of a class */
#endif
};

struct work_spare {
    struct allocation *first; /* linked by next */
    uint32_t count;
};

/* The memory of a work. A struct work begins with it. */
struct work_memory {
    struct allocation ring;                      /* head of the ring, not an allocation */
    struct work_spare spare[WORK_SPARE_CLASSES]; /* by class */
    size_t max_bytes;                            /* limit in force; 0: none */
    ptrdiff_t used, most; /* bytes; used is negative if the work freed more than it allocated */
};

/* Of the innermost work; NULL: there is none. */
static inline struct work_memory *work_memory(void)
{
    return (struct work_memory *)work_thread.open;
}

/* Whether the limit of the innermost work allows size bytes more. */
static inline bool work_may(size_t size)
{
    const struct work_memory *memory = work_memory();
    if (!memory || !memory->max_bytes) return true;
    ptrdiff_t max = (ptrdiff_t)memory->max_bytes;
    return memory->used <= max && size <= (size_t)(max - memory->used);
}

/* Ends the work with WORK_OVER_LIMIT if work_may(size) is false. */
static inline void work_charge(size_t size)
{
    enum { ALLOCATION_UNITS = 8 }; /* the only progress that the parser reports */
    work_spend(ALLOCATION_UNITS);
    if (!work_may(size)) work_leave(WORK_OVER_LIMIT);
}

static inline void work_count_bytes(ptrdiff_t bytes)
{
    struct work_memory *memory = work_memory();
    if (!memory) return;
    memory->used += bytes;
    if (memory->used > memory->most) memory->most = memory->used;
}

/* The class of a block of size bytes, header included; WORK_SPARE_CLASSES or more if it is not
 * small. */
static inline size_t work_class(size_t size)
{
    return (size + WORK_SPARE_HEAD + WORK_SPARE_STEP - 1) / WORK_SPARE_STEP;
}

/* Returns a block of the class that was freed in the innermost work, or NULL. */
static inline struct allocation *work_take_spare(size_t class)
{
    struct work_memory *memory = work_memory();
    if (class >= WORK_SPARE_CLASSES || !memory || !memory->spare[class].first) return NULL;
    struct allocation *one = memory->spare[class].first;
    memory->spare[class].first = one->next;
    memory->spare[class].count--;
    return one;
}

/* Keeps the block, which is in no ring. Returns false if it must be freed instead. */
static inline bool work_keep_spare(struct allocation *one)
{
    struct work_memory *memory = work_memory();
    size_t class = work_class(one->size);
    if (class >= WORK_SPARE_CLASSES || !memory) return false;
    struct work_spare *spare = &memory->spare[class];
    if (spare->count + 1 > WORK_SPARE_MOST) return false;
    one->next = spare->first;
    spare->first = one;
    spare->count++;
    return true;
}

/* Adds an allocation to the innermost work. Of the header, only size must be set. */
static inline void work_adopt(struct allocation *one)
{
    struct work_memory *memory = work_memory();
    one->next = memory ? memory->ring.next : one;
    one->prev = memory ? &memory->ring : one;
    one->next->prev = one->prev->next = one;
    work_count_bytes((ptrdiff_t)one->size);
}

/* Removes an allocation from its work before it is freed. */
static inline void work_drop(const struct allocation *one)
{
    one->next->prev = one->prev;
    one->prev->next = one->next;
    work_count_bytes(-(ptrdiff_t)one->size);
}

/* Updates the ring after realloc has moved the block and made it `grown` bytes larger (negative:
 * smaller). alone: the block was in a ring of itself. */
static inline void work_moved(struct allocation *one, bool alone, ptrdiff_t grown)
{
    if (alone) one->next = one->prev = one;
    one->next->prev = one->prev->next = one;
    work_count_bytes(grown);
}

#endif

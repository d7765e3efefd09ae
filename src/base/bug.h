/* BUG reports a broken invariant of this program, never invalid input. It ends the current work
 * (work.h); outside of any work, it ends the process. */
#ifndef PTXOPT_BASE_BUG_H
#define PTXOPT_BASE_BUG_H

/* what: a static string that says which invariant is broken. */
_Noreturn void bug(const char *what, const char *file, int line);

#define BUG(what) bug(what, __FILE__, __LINE__)

#define BUG_UNLESS(cond)                                                                           \
    do {                                                                                           \
        if (!(cond)) BUG(#cond);                                                                   \
    } while (0)

#endif

/* BUG: a broken invariant of our own, never a broken input. It ends the work (work.h) and, outside
 * of any, the program. */
#ifndef PTXOPT_BASE_BUG_H
#define PTXOPT_BASE_BUG_H

/* what must live as long as the program. */
_Noreturn void bug(const char *what, const char *file, int line);

#define BUG(what) bug(what, __FILE__, __LINE__)

#define BUG_UNLESS(cond)                                                                           \
    do {                                                                                           \
        if (!(cond)) BUG(#cond);                                                                   \
    } while (0)

#endif

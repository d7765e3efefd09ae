/* Maps names to consecutive numbers: names of equal bytes and equal key have the same number. */
#ifndef PTXOPT_BASE_INTERN_H
#define PTXOPT_BASE_INTERN_H

#include <stdint.h>

#include "base/str.h"

#define INTERN_NONE UINT32_MAX

/* Zero-initialise a table before its first use. It borrows the bytes of the names, which must
 * outlive it. */
struct intern {
    struct intern_name *names; /* by number */
    uint32_t *slots;           /* by hash: the number of a name plus 1; 0: an empty slot */
    uint32_t cap, count;       /* of slots, a power of two; of names, at most cap / 2 */
};

/* Returns the number of (key, name), and adds it if it is new. Numbers are 0, 1, 2, … in the order
 * of the first call. */
uint32_t intern_add(struct intern *table, uint32_t key, struct str name);

/* Returns the number of (key, name), or INTERN_NONE if it was not added. */
uint32_t intern_find(const struct intern *table, uint32_t key, struct str name);

void intern_free(struct intern *table);

/* Links the items of equal number into lists, each in ascending order of items. numbers[i]: the
 * number of item i (i < count), or INTERN_NONE for an item in no list. Fills first[i] with the
 * first item of the list of i, and next[i] with the item after i; both are count if there is
 * none. */
void intern_list(const struct intern *table, const uint32_t *numbers, uint32_t count,
                 uint32_t *first, uint32_t *next);

#endif

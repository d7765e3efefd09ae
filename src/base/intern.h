/* Names to dense numbers: equal bytes under equal keys get equal numbers. */
#ifndef PTXOPT_BASE_INTERN_H
#define PTXOPT_BASE_INTERN_H

#include <stdint.h>

#include "base/str.h"

#define INTERN_NONE UINT32_MAX

/* Zero-initialise to start empty. The names are borrowed and must outlive the table. */
struct intern {
    struct intern_name *names; /* by number */
    uint32_t *slots;           /* by hash: 1 + a number, 0 for none */
    uint32_t cap, count;       /* of slots; of names, for which there are half as many places */
};

/* The number of (key, name): 0, 1, 2 … in order of first sight. */
uint32_t intern_add(struct intern *table, uint32_t key, struct str name);

/* The number, or INTERN_NONE when it was never added. */
uint32_t intern_find(const struct intern *table, uint32_t key, struct str name);

void intern_free(struct intern *table);

/* Lists items with one number, in their order. numbers: of each of count items, INTERN_NONE for one
 * in no list. first, next: by item, the first one of its list and the one after it;
 * count if there is none. */
void intern_list(const struct intern *table, const uint32_t *numbers, uint32_t count,
                 uint32_t *first, uint32_t *next);

#endif

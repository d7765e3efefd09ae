/* Finds the functions of a text that can be called by name. */
#ifndef PTXOPT_CHECK_READ_MODULE_H
#define PTXOPT_CHECK_READ_MODULE_H

#include "base/intern.h"
#include "base/vec.h"
#include "check/read/outline.h"

/* All data of the text about one name. */
struct module_function {
    struct outline_function at; /* of its body */
    uint32_t bodies;
    bool is_open; /* what runs may be another body, or none that comes back */
};

struct module {
    struct str text;
    struct span passed;  /* a body whose end is known, from behind its opening brace; or empty */
    struct intern names; /* numbered as functions */
    struct VEC(struct module_function) functions;
    struct VEC(struct span) spans; /* of all bodies */
    uint32_t examined;             /* of them, for has_inner */
    bool has_registers;            /* declared outside of all functions, and so everybody's */
    bool has_inner; /* one that was examined declares functions, for all that follow */
};

/* Zero at first but for its text and what is passed; released with module_free. */
void module_read(struct module *module);
void module_free(struct module *module);

/* The number of the one function of the text that a call by this name runs; INTERN_NONE where that
 * is not known. */
uint32_t module_find(struct module *module, struct str name);

#endif

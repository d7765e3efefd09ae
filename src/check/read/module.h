/* Finds the functions of a text that a call can name. */
#ifndef PTXOPT_CHECK_READ_MODULE_H
#define PTXOPT_CHECK_READ_MODULE_H

#include "base/intern.h"
#include "base/vec.h"
#include "check/read/outline.h"

/* What the text says about one name. */
struct module_function {
    struct outline_function at; /* its body */
    uint32_t bodies;
    bool is_open; /* a call may run another body, or never return */
};

struct module {
    struct str text;
    struct span passed;  /* a body that was read already, from after its opening brace; or empty */
    struct intern names; /* numbers are indices of functions */
    struct VEC(struct module_function) functions;
    struct VEC(struct span) spans; /* of all function bodies */
    uint32_t examined;             /* number of spans that were tested for has_inner */
    /* Registers are declared outside of functions, so that every function can write them. */
    bool has_registers;
    /* A tested body declares functions, which all later code can call. */
    bool has_inner;
};

/* Reads the text. Set text and passed, and zero-initialise the rest. Release it with
 * module_free. */
void module_read(struct module *module);
void module_free(struct module *module);

/* Returns the index of the function that a call by this name runs; INTERN_NONE if it is not
 * known. */
uint32_t module_find(struct module *module, struct str name);

#endif

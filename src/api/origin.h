/* Places in the CUDA source, with the names of their files. */
#ifndef PTXOPT_API_ORIGIN_H
#define PTXOPT_API_ORIGIN_H

#include "api/ptxopt.h"
#include "ptx/view.h"

/* A .file directive: its number and its name. NULL until the name is needed. */
struct origin_file {
    uint32_t number, file;
    const char *name;
};

/* The .file directives of a module, sorted by number. In arena; zero-initialised by the caller. */
struct origin_files {
    struct origin_file *by_number;
};

/* The place in the public form. If it is not known, the line is 0 and the file "". */
struct ptxopt_origin origin_of(struct origin_files *files, const struct view *view,
                               struct loc_place place, struct arena *arena);

/* The places in the public form. The array is in arena. */
const struct ptxopt_origin *origin_stack(struct origin_files *files, const struct view *view,
                                         const struct loc_place *places, uint32_t count,
                                         struct arena *arena);

#endif

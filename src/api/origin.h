/* Places in the CUDA source, with the names of their files. */
#ifndef PTXOPT_API_ORIGIN_H
#define PTXOPT_API_ORIGIN_H

#include "api/ptxopt.h"
#include "ptx/view.h"

/* A .file: its number, and its name, NULL until it is needed. */
struct origin_file {
    uint32_t number, file;
    const char *name;
};

/* The .file directives of a module by number; in arena, zero before its first use. */
struct origin_files {
    struct origin_file *by_number;
};

/* The place as what callers see; line 0, and no file, where it has none. */
struct ptxopt_origin origin_of(struct origin_files *files, const struct view *view,
                               struct loc_place place, struct arena *arena);

/* The places as what callers see; the array is in arena. */
const struct ptxopt_origin *origin_stack(struct origin_files *files, const struct view *view,
                                         const struct loc_place *places, uint32_t count,
                                         struct arena *arena);

#endif

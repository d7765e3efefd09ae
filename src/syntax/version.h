/* The newest version of the PTX ISA that is known. */
#ifndef PTXOPT_SYNTAX_VERSION_H
#define PTXOPT_SYNTAX_VERSION_H

#include <stdbool.h>
#include <stdint.h>

enum { VERSION_NEWEST_MAJOR = 9, VERSION_NEWEST_MINOR = 4 };

/* The version is newer than all known ones. */
static inline bool version_is_newer(uint32_t major, uint32_t minor)
{
    return major > VERSION_NEWEST_MAJOR ||
           (major == VERSION_NEWEST_MAJOR && minor > VERSION_NEWEST_MINOR);
}

#endif

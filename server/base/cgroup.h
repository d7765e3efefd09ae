/* The control groups of this process, by which the system limits containers and units. */
#ifndef SERVER_BASE_CGROUP_H
#define SERVER_BASE_CGROUP_H

#include <stdint.h>

/* The smallest limit on memory, in bytes, of the groups that this process is in; UINT64_MAX: there
 * is none, or it cannot be read. Versions 1 and 2 of the interface (memory.limit_in_bytes,
 * memory.max: the kernel's Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst). */
uint64_t cgroup_memory_max(void);

#endif

/* Where a file is, for those who look for it from this folder. */
#ifndef PTXOPT_CLI_HERE_H
#define PTXOPT_CLI_HERE_H

/* The path from the folder that the program runs in, without ".", ".." and blank parts; of a file
 * outside of it (and, where folders cannot be read, of one that may be) the absolute one. For the
 * caller to mem_free. */
char *path_from_here(const char *path);

#endif

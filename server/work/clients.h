/* How many requests each client has in work. */
#ifndef SERVER_WORK_CLIENTS_H
#define SERVER_WORK_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>

struct clients;

struct clients *clients_new(size_t most_each);
void clients_free(struct clients *clients);

/* Counts one more request of name: false if it has too many. Each true needs a clients_leave. */
bool clients_enter(struct clients *clients, const char *name);
void clients_leave(struct clients *clients, const char *name);

#endif

/* Limits how many requests one client has in work. A list is enough: it has only those that wait
 * right now. */
#include "server/work/clients.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"

struct client {
    struct client *next;
    size_t count;
    char name[];
};

struct clients {
    pthread_mutex_t lock;
    size_t most_each;
    struct client *first;
};

struct clients *clients_new(size_t most_each)
{
    struct clients *clients = mem_zalloc(1, sizeof *clients);
    pthread_mutex_init(&clients->lock, NULL);
    clients->most_each = most_each;
    return clients;
}

void clients_free(struct clients *clients)
{
    while (clients->first) {
        struct client *next = clients->first->next;
        mem_free(clients->first);
        clients->first = next;
    }
    pthread_mutex_destroy(&clients->lock);
    mem_free(clients);
}

static struct client **find_client(struct clients *clients, const char *name)
{
    struct client **at = &clients->first;
    while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->next;
    return at;
}

bool clients_enter(struct clients *clients, const char *name)
{
    pthread_mutex_lock(&clients->lock);
    struct client **at = find_client(clients, name);
    if (!*at) {
        size_t size = strlen(name) + 1;
        *at = mem_zalloc(1, sizeof **at + size);
        memcpy((*at)->name, name, size);
    }
    bool fits = (*at)->count < clients->most_each;
    if (fits) (*at)->count++;
    pthread_mutex_unlock(&clients->lock);
    return fits;
}

void clients_leave(struct clients *clients, const char *name)
{
    pthread_mutex_lock(&clients->lock);
    struct client **at = find_client(clients, name), *client = *at;
    if (client && --client->count == 0) {
        *at = client->next;
        mem_free(client);
    }
    pthread_mutex_unlock(&clients->lock);
}

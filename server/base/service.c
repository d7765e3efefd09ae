/* Reserves room for what clients send, within the service's limit. */
#include "server/base/service.h"

bool service_reserve(struct service *service, size_t bytes)
{
    size_t most = (size_t)service->settings->limits.max_buffered;
    size_t before = atomic_fetch_add(&service->buffered, bytes);
    if (before <= most && bytes <= most - before) return true;
    atomic_fetch_sub(&service->buffered, bytes);
    return false;
}

void service_release(struct service *service, size_t bytes)
{
    atomic_fetch_sub(&service->buffered, bytes);
}

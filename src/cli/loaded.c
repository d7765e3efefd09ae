/* Loads libcurl and zlib at run time. The declarations are those of their binary interfaces, which
 * have not changed in twenty years. See loaded.h. */
#include "cli/loaded.h"

#include <dlfcn.h>
#include <string.h>

struct symbol {
    const char *name;
    size_t offset;
};

#define ROW(function) {#function, offsetof(struct loaded, function)},
static const struct symbol curl[] = {LOADED_CURL(ROW)};
static const struct symbol zlib[] = {LOADED_ZLIB(ROW)};
#undef ROW

static bool load_symbols(struct loaded *loaded, const char *library, const struct symbol *symbols,
                         size_t count)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle && i < count; i++) {
        void *found = dlsym(handle, symbols[i].name);
        if (!found) return false;
        memcpy((char *)loaded + symbols[i].offset, &found, sizeof found);
    }
    return handle != NULL;
}

bool loaded_open(struct loaded *loaded, struct buf *error)
{
    *loaded = (struct loaded){0};
    if (!load_symbols(loaded, "libcurl.so.4", curl, sizeof curl / sizeof *curl)) {
        buf_puts(error, dlerror());
        return false;
    }
    loaded->zips = load_symbols(loaded, "libz.so.1", zlib, sizeof zlib / sizeof *zlib);
    if (loaded->curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) return true;
    buf_puts(error, "libcurl cannot be initialised");
    return false;
}

/* Writes the version that caches see. See key.h. */
#include "wrapper/key.h"

#include <stddef.h>
#include <stdlib.h>

#include "wrapper/fallbacks.h"
#include "wrapper/flags.h"

void key_put(struct buf *out)
{
    static const char *const settings[] = {"PTXOPT_TIMEOUT", "PTXOPT_SERVER"};
    struct flags flags;
    struct buf error = {0};
    buf_printf(out, "ptxopt %s (build %s)", ptxopt_version(), ptxopt_build());
    if (flags_read(&flags, getenv("PTXOPT_FLAGS"), &error)) {
        flags_add(out, &flags);
    } else {
        buf_puts(out, " is off: ");
        buf_add(out, error.data, error.len);
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = getenv(settings[i]);
        if (value && *value) buf_printf(out, " %s=%s", settings[i], value);
    }
    fallbacks_put(out);
    buf_putc(out, '\n');
    flags_free(&flags);
    buf_free(&error);
}

/* Compiles a text with ptxas once, for all that use the result. See compiled.h. */
#include "report/compiled.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "report/heads.h"
#include "report/tool.h"

void compiled_make(struct compiled *compiled)
{
    if (compiled->made) return;
    compiled->made = true;
    struct buf messages = {0}, problem = {0};
    char *arch = compiled->arch = heads_target(compiled->text);
    if (arch) {
        char flag[64], verbose[] = "-v", lineinfo[] = "-lineinfo", entry[] = "-e";
        char output[] = "-o", in[] = TOOL_INPUT, out[] = TOOL_OUTPUT;
        struct buf name = {0};
        buf_puts(&name, compiled->ptxas ? compiled->ptxas : "ptxas");
        char *argv[] = {buf_take(&name), verbose, lineinfo, flag, in,
                        output,          out,     NULL,     NULL, NULL};
        if (compiled->entries) argv[7] = entry, argv[8] = compiled->entries;
        snprintf(flag, sizeof flag, "-arch=%s", arch);
        compiled->problem = tool_run(argv, TOOL_WRITES_FILE, compiled->text, compiled->clock,
                                     &compiled->cubin, &messages);
        mem_free(argv[0]);
    } else {
        buf_puts(&problem, "the text names no .target for ptxas");
        compiled->problem = buf_take(&problem);
    }
    compiled->messages = buf_take(&messages);
}

static void *make_in_thread(void *compiled)
{
    compiled_make(compiled);
    return NULL;
}

void compiled_make_both(struct compiled *one, struct compiled *other)
{
    pthread_t thread;
    bool apart =
        !one->made && !other->made && pthread_create(&thread, NULL, make_in_thread, one) == 0;
    compiled_make(other);
    if (apart)
        pthread_join(thread, NULL);
    else
        compiled_make(one);
}

void compiled_free(struct compiled *compiled)
{
    mem_free(compiled->problem);
    mem_free(compiled->messages);
    mem_free(compiled->arch);
    buf_free(&compiled->cubin);
    *compiled = (struct compiled){.made = false};
}

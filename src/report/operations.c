/* Which instructions of a kernel order others, or are ordered? For those formats that draw them. */
#include "base/intern.h"
#include "report/clean.h"
#include "report/model.h"

/* The instruction without its guard. */
static const char *text_of(struct review_file *file, struct str input,
                           const struct ptxopt_operation *operation)
{
    struct str span = {input.p + operation->start, operation->end - operation->start};
    const char *text = clean_instruction(&file->arena, span);
    if (*text != '@') return text;
    const char *behind = strchr(text, ' ');
    return behind ? behind + 1 : text;
}

/* Moves *item to the item about the instruction that starts there; 0 when there is none. */
static uint32_t item_at(const struct review_file *file, uint32_t start, uint32_t *item)
{
    const struct review_item_list *items = &file->items;
    while (*item < items->count && items->at[*item].finding.start < start) ++*item;
    for (uint32_t i = *item; i < items->count && items->at[i].finding.start == start; i++)
        if (review_is_ruled(&items->at[i]) && items->at[i].finding.kind != PTXOPT_ADVICE)
            return i + 1;
    return 0;
}

/* The kernel with that name; names: those of the kernels, in their order, and others behind. */
static struct review_kernel *kernel_of(struct review_file *file, struct intern *names,
                                       const char *name)
{
    const char *clean = clean_utf8(&file->arena, str_from(name));
    uint32_t index = intern_add(names, 0, str_from(clean));
    return index < file->kernels.count ? &file->kernels.at[index] : NULL;
}

void review_file_add_operations(struct review_file *file, const struct ptxopt_result *result)
{
    size_t count;
    struct str input;
    const struct ptxopt_operation *operations = ptxopt_result_operations(result, &count);
    const struct ptxopt_finding *deleted = ptxopt_result_next(result, PTXOPT_DELETED, NULL);
    struct review_kernel *kernel = NULL;
    const char *function = NULL;
    struct intern names = {0};
    uint32_t item = 0;
    for (uint32_t k = 0; k < file->kernels.count; k++)
        intern_add(&names, 0, str_from(file->kernels.at[k].name));
    input.p = ptxopt_result_input(result, &input.n);
    for (size_t i = 0; i < count; i++) {
        const struct ptxopt_operation *from = &operations[i];
        if (from->function != function) {
            function = from->function;
            kernel = kernel_of(file, &names, function);
            if (kernel) kernel->first_operation = file->operations.count;
        }
        if (!kernel) continue;
        while (deleted && deleted->start < from->start)
            deleted = ptxopt_result_next(result, PTXOPT_DELETED, deleted);
        struct review_operation operation = {.kind = from->kind, .line = from->line};
        operation.text = text_of(file, input, from);
        operation.deleted = deleted && deleted->start == from->start;
        operation.item = item_at(file, from->start, &item);
        vec_push(&file->operations, operation);
        kernel->operation_count++;
    }
    intern_free(&names);
}

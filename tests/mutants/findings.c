/* Compares the findings of lint for each case with its marks; see ../case_lint.c. */
#include <stdio.h>

#include "../case_file.h"
#include "cases.h"

static void judge_file(const char *path, void *context)
{
    struct judged *judged = context;
    if (judged->wrong) return;
    struct case_list list = case_list_read(path);
    for (size_t i = 0; i < list.count && !judged->wrong; i++) {
        judged->cases++;
        if (case_lint_run(&list.cases[i], false)) continue;
        judged->wrong++;
        printf("%s: other findings\n", list.cases[i].name);
    }
    case_list_free(&list);
}

struct judged findings_judge(char *const *paths)
{
    struct judged judged = {0};
    for (; *paths; paths++) {
        char *const path[] = {*paths, NULL};
        case_files_visit(path, judge_file, &judged);
    }
    return judged;
}

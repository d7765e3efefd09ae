/* Prints completion scripts for each shell. See completion.h. */
#include <string.h>

#include "cli/completion.h"

/* The name of the program as a part of a function name. */
static void add_function_name(struct buf *out, const char *program)
{
    for (; *program; program++) buf_putc(out, *program == '-' ? '_' : *program);
}

/* Adds text for use in single quotes. The characters in escaped get a backslash. */
static void add_quoted(struct buf *out, const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'') {
            buf_puts(out, "'\\''");
            continue;
        }
        if (strchr(escaped, *text)) buf_putc(out, '\\');
        buf_putc(out, *text);
    }
}

/* ---- bash ---- */

static void bash_options(struct buf *out, const struct completed *completed)
{
    for (uint32_t i = 0; i < completed->options.count; i++) {
        const struct completed_option *option = &completed->options.at[i];
        if (i) buf_putc(out, ' ');
        if (option->name)
            buf_printf(out, "--%s%s", option->name, option->argument && option->joins ? "=" : "");
        else
            buf_printf(out, "-%c", option->letter);
    }
}

static void bash_action(struct buf *out, const char *name, enum completion kind)
{
    switch (kind) {
    case COMPLETE_NOTHING: break;
    case COMPLETE_FILE:
        buf_puts(out,
                 "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\") ");
        break;
    case COMPLETE_DIRECTORY:
        buf_puts(out,
                 "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\") ");
        break;
    case COMPLETE_PTX_FILE: buf_printf(out, "_%s_files \"$current\" ", name); break;
    case COMPLETE_RULE_LIST:
        buf_puts(out, "[[ $current == *,* ]] && list=${current%,*},\n"
                      "        mapfile -t COMPREPLY < <(compgen -P \"$list\" -W '");
        completion_words(out, kind);
        buf_puts(out, "' -- \"${current##*,}\") ");
        break;
    default:
        buf_puts(out, "mapfile -t COMPREPLY < <(compgen -W '");
        completion_words(out, kind);
        buf_puts(out, "' -- \"$current\") ");
    }
    buf_puts(out, ";;\n");
}

static void bash_cases(struct buf *out, const char *name, const struct completed *completed)
{
    for (uint32_t i = 0; i < completed->options.count; i++) {
        const struct completed_option *option = &completed->options.at[i];
        if (!option->argument) continue;
        buf_puts(out, "    ");
        if (option->letter) buf_printf(out, "-%c", option->letter);
        if (option->letter && option->name) buf_putc(out, '|');
        if (option->name) buf_printf(out, "--%s", option->name);
        buf_puts(out, ") ");
        bash_action(out, name, option->kind);
    }
}

static void bash_files(struct buf *out, const char *name)
{
    buf_printf(out,
               "_%s_files()\n{\n    compopt -o filenames\n"
               "    mapfile -t COMPREPLY < <(compgen -d -- \"$1\"; compgen -f -X '!*.ptx' -- "
               "\"$1\")\n}\n",
               name);
}

static void print_bash(struct buf *out, const char *name, const struct completed *completed)
{
    buf_printf(out, "# bash completion for %s\n_%s()\n{\n", completed->program, name);
    buf_puts(out, "    local current previous list=\n"
                  "    COMPREPLY=()\n"
                  "    current=${COMP_WORDS[COMP_CWORD]}\n"
                  "    previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                  "    # bash takes --option=value for three words\n"
                  "    if [[ $current == = ]]; then\n        current=\n"
                  "    elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then\n"
                  "        previous=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
                  "    case $previous in\n");
    bash_cases(out, name, completed);
    buf_puts(out, "    *)\n        if [[ $current == -* ]]; then\n"
                  "            mapfile -t COMPREPLY < <(compgen -W '");
    bash_options(out, completed);
    buf_puts(out, "' -- \"$current\")\n"
                  "            [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
                  "            return\n        fi\n");
    if (completed->takes_kernels) buf_printf(out, "        _%s_files \"$current\"\n", name);
    if (completed->takes_files)
        buf_puts(out, "        compopt -o filenames\n"
                      "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n");
    if (completed->command)
        buf_printf(out,
                   "        [[ $COMP_CWORD == 1 && -n $current && %s == $current* ]] && "
                   "COMPREPLY+=(%s)\n",
                   completed->command, completed->command);
    buf_puts(out, "        ;;\n    esac\n}\n");
    if (completed->takes_kernels) bash_files(out, name);
    buf_printf(out, "complete -F _%s %s\n", name, completed->program);
}

/* ---- zsh ---- */

static void zsh_action(struct buf *out, const struct completed_option *option)
{
    buf_putc(out, ':');
    add_quoted(out, option->argument, ":\\");
    buf_putc(out, ':');
    switch (option->kind) {
    case COMPLETE_NOTHING: buf_putc(out, ' '); break;
    case COMPLETE_FILE: buf_puts(out, "_files"); break;
    case COMPLETE_DIRECTORY: buf_puts(out, "_files -/"); break;
    case COMPLETE_PTX_FILE: buf_puts(out, "_files -g \"*.ptx\""); break;
    case COMPLETE_RULE_LIST:
        buf_puts(out, "_sequence compadd - ");
        completion_words(out, option->kind);
        break;
    default:
        buf_putc(out, '(');
        completion_words(out, option->kind);
        buf_putc(out, ')');
    }
}

/* Adds one line for each spelling; an option can be repeated. */
static void zsh_spelling(struct buf *out, const char *spelling, const char *joint,
                         const struct completed_option *option)
{
    buf_printf(out, " \\\n    '*%s%s", spelling, option->argument ? joint : "");
    if (*option->help) buf_putc(out, '[');
    add_quoted(out, option->help, "[]\\");
    if (*option->help) buf_putc(out, ']');
    if (option->argument) zsh_action(out, option);
    buf_putc(out, '\'');
}

static void print_zsh(struct buf *out, const char *name, const struct completed *completed)
{
    buf_printf(out, "#compdef %s\n", completed->program);
    if (completed->command)
        buf_printf(out,
                   "_%s_first() {\n    _alternative 'commands:command:(%s)' "
                   "'files:file:_files -g \"*.ptx\"'\n}\n",
                   name, completed->command);
    buf_puts(out, "_arguments -s -S");
    for (uint32_t i = 0; i < completed->options.count; i++) {
        const struct completed_option *option = &completed->options.at[i];
        char letter[] = {'-', option->letter, '\0'};
        struct buf spelling = {0};
        if (option->letter) zsh_spelling(out, letter, "+", option);
        if (!option->name) continue;
        buf_printf(&spelling, "--%s%c", option->name, '\0');
        zsh_spelling(out, spelling.data, option->joins ? "=" : "", option);
        buf_free(&spelling);
    }
    if (completed->command) buf_printf(out, " \\\n    '1::file:_%s_first'", name);
    if (completed->takes_kernels) buf_puts(out, " \\\n    '*:file:_files -g \"*.ptx\"'");
    if (completed->takes_files) buf_puts(out, " \\\n    '*:file:_files'");
    buf_putc(out, '\n');
}

/* ---- fish ---- */

static void fish_argument(struct buf *out, enum completion kind)
{
    switch (kind) {
    case COMPLETE_NOTHING: buf_puts(out, " -x"); break;
    case COMPLETE_FILE: buf_puts(out, " -r -F"); break;
    case COMPLETE_DIRECTORY: buf_puts(out, " -x -a '(__fish_complete_directories)'"); break;
    case COMPLETE_PTX_FILE: buf_puts(out, " -r -k -a '(__fish_complete_suffix .ptx)'"); break;
    case COMPLETE_RULE_LIST:
        buf_puts(out, " -x -a '(__fish_append , ");
        completion_words(out, kind);
        buf_puts(out, ")'");
        break;
    default:
        buf_puts(out, " -x -a '");
        completion_words(out, kind);
        buf_putc(out, '\'');
    }
}

static void print_fish(struct buf *out, const struct completed *completed)
{
    const char *program = completed->program;
    buf_printf(out, "# fish completion for %s\n", program);
    if (!completed->takes_files) buf_printf(out, "complete -c %s -f\n", program);
    if (completed->takes_kernels)
        buf_printf(out, "complete -c %s -k -a '(__fish_complete_suffix .ptx)'\n", program);
    if (completed->command)
        buf_printf(out, "complete -c %s -n __fish_use_subcommand -a %s\n", program,
                   completed->command);
    for (uint32_t i = 0; i < completed->options.count; i++) {
        const struct completed_option *option = &completed->options.at[i];
        buf_printf(out, "complete -c %s", program);
        if (option->letter) buf_printf(out, " -s %c", option->letter);
        if (option->name) buf_printf(out, " -l %s", option->name);
        if (option->argument) fish_argument(out, option->kind);
        if (*option->help) buf_puts(out, " -d '");
        add_quoted(out, option->help, "\\");
        buf_puts(out, *option->help ? "'\n" : "\n");
    }
}

void completion_print(struct buf *out, const char *shell, const struct completed *completed)
{
    struct buf name = {0};
    add_function_name(&name, completed->program);
    buf_putc(&name, '\0');
    if (strcmp(shell, "bash") == 0)
        print_bash(out, name.data, completed);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out, name.data, completed);
    else if (strcmp(shell, "fish") == 0)
        print_fish(out, completed);
    buf_free(&name);
}

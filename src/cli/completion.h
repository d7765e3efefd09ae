/* Lists what shells offer after the name of a program. Used by docgen. */
#ifndef PTXOPT_CLI_COMPLETION_H
#define PTXOPT_CLI_COMPLETION_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "cli/options.h"

struct completed_option {
    char letter;          /* 0: none */
    const char *name;     /* without the dashes; NULL: none */
    const char *argument; /* its name in the help; NULL: it takes none */
    bool joins;           /* --name=argument is accepted as well */
    enum completion kind;
    const char *help; /* the first words of its help */
};

/* Zero-initialised by the caller, except program. Free it with completed_free. */
struct completed {
    const char *program; /* borrowed */
    struct VEC(struct completed_option) options;
    bool takes_kernels;  /* names of *.ptx files and of folders follow the options */
    bool takes_files;    /* names of any files follow the options */
    const char *command; /* a subcommand that may be the first word instead; NULL: none */
    struct arena arena;
};

/* Lists the options of ptxopt, from its table. */
void completed_by_table(struct completed *completed);

/* Lists the options of another program, from the output of its --help. An option is a line "
 * --name=ARGUMENT", "  --name ARGUMENT  help" or "  --name, --name"; more help may follow in
 * indented lines. The kind of an argument is that of the option with the same name in the table,
 * otherwise it follows from ARGUMENT if that is FILE or DIR. The program takes kernels after the
 * options if its help has ".ptx", and any files if it has "ARGUMENT...". */
void completed_by_help(struct completed *completed, const char *help);
void completed_free(struct completed *completed);

/* Appends the words that options of that kind take, separated by blanks. Appends nothing for files
 * and numbers. */
void completion_words(struct buf *out, enum completion kind);

/* Appends the completion script for "bash", "zsh" or "fish"; nothing for other shells. */
void completion_print(struct buf *out, const char *shell, const struct completed *completed);

#endif

/* Lists what shells offer after the name of a program. For docgen. */
#ifndef PTXOPT_CLI_COMPLETION_H
#define PTXOPT_CLI_COMPLETION_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "cli/options.h"

struct completed_option {
    char letter;          /* 0 for none */
    const char *name;     /* without the dashes; NULL for none */
    const char *argument; /* its name in the help; NULL when it takes none */
    bool joins;           /* --name=argument is understood, too */
    enum completion kind;
    const char *help; /* its first words */
};

/* Zero-initialise but for the program. Free with completed_free. */
struct completed {
    const char *program; /* borrowed */
    struct VEC(struct completed_option) options;
    bool takes_kernels;  /* names of *.ptx, and of folders, follow the options */
    bool takes_files;    /* names of any files do */
    const char *command; /* may be in their place, first; NULL for none */
    struct arena arena;
};

/* ptxopt, by its table of options. */
void completed_by_table(struct completed *completed);

/* Another program, by what its --help prints: a line "  --name=ARGUMENT", "  --name ARGUMENT  help"
 * or "  --name, --name" an option, more of its help indented below. What an option of that name
 * takes in the table it takes here, and else an ARGUMENT says it, FILE or DIR. After the options
 * it takes kernels when it names a ".ptx", and any files when it names "ARGUMENT...". */
void completed_by_help(struct completed *completed, const char *help);
void completed_free(struct completed *completed);

/* The words that options of that kind take, with blanks between; none for files and numbers. */
void completion_words(struct buf *out, enum completion kind);

/* Appends the script for "bash", "zsh" or "fish"; nothing for other shells. */
void completion_print(struct buf *out, const char *shell, const struct completed *completed);

#endif

/* Decides whether a call of ptxas is one that ptxopt-ptxas handles. Only a line of which every word
 * is understood is: a word taken for the input that is really the value of some option would make
 * another program of it. */
#include "wrapper/arguments.h"

#include <stddef.h>
#include <string.h>

#include "base/str.h"

enum meaning { PLAIN, ASKS, ASKS_VERSION, NAMES_ARCH, NAMES_INPUT, NAMES_OUTPUT, NEEDS_LINES };

static const struct option_row {
    const char *name, *letter;
    bool takes_value;
    enum meaning meaning;
} options[] = {
#define OPTION(name, letter, takes_value, meaning) {name, letter, takes_value, meaning},
#include "wrapper/ptxas_options.def"
#undef OPTION
};

/* The row of a word, and its value where that is in the same word. */
struct option_word {
    const struct option_row *row; /* NULL: not known */
    const char *value;            /* NULL: none here */
};

/* -O3, -m64: the value of a letter follows at once. */
static bool is_joined(const struct option_row *row, const char *word)
{
    return row->takes_value && strlen(row->letter) == 1 &&
           (*row->letter == 'O' || *row->letter == 'm') && *word == *row->letter &&
           word[1] >= '0' && word[1] <= '9';
}

static struct option_word find_option_row(const char *word)
{
    bool is_long = word[1] == '-';
    const char *name = word + 1 + is_long, *equals = strchr(name, '=');
    const char *value = equals ? equals + 1 : NULL;
    /* a separate level: the next word is an input */
    if (strcmp(word, "-O") == 0) return (struct option_word){NULL, NULL};
    struct str wanted = {name, equals ? (size_t)(equals - name) : strlen(name)};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct option_row *row = &options[i];
        if (str_is(wanted, is_long ? row->name : row->letter))
            return (struct option_word){row, value};
        if (!is_long && is_joined(row, name)) return (struct option_word){row, name + 1};
    }
    return (struct option_word){NULL, value};
}

static struct arguments other_use(struct arguments arguments, const char *why)
{
    arguments.use = ARGUMENTS_OTHER;
    arguments.why = why;
    return arguments;
}

/* Notes what an option says. False: why it is not for us. */
static bool note_option(struct arguments *arguments, const struct option_row *row,
                        const char *value)
{
    switch (row->meaning) {
    case PLAIN: return true;
    case NEEDS_LINES: arguments->needs_lines = true; return true;
    case NAMES_OUTPUT:
        arguments->why = arguments->output ? "several outputs" : NULL;
        arguments->output = value;
        break;
    case NAMES_ARCH: /* a virtual architecture is only looked at, lto_ is not code yet */
        arguments->why = strncmp(value, "sm_", 3) == 0 ? NULL : "no code for a real architecture";
        break;
    case NAMES_INPUT: arguments->why = "options or input in another file"; break;
    case ASKS: arguments->why = "an option that only prints information"; break;
    case ASKS_VERSION: arguments->use = ARGUMENTS_VERSION; return true;
    }
    return !arguments->why;
}

struct arguments arguments_read(int argc, char *const *argv)
{
    struct arguments arguments = {.use = ARGUMENTS_ASSEMBLE, .input = -1};
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' || !argv[i][1]) {
            if (arguments.input >= 0) return other_use(arguments, "several inputs");
            arguments.input = i;
            continue;
        }
        struct option_word word = find_option_row(argv[i]);
        if (!word.row && word.value) continue; /* it takes no other word */
        if (!word.row) return other_use(arguments, "an unknown option");
        if (word.value && !word.row->takes_value)
            return other_use(arguments, "an option has a value that it does not take");
        if (word.row->takes_value && !word.value) word.value = argv[++i];
        if (word.row->takes_value && !word.value)
            return other_use(arguments, "the value of an option is missing");
        if (!note_option(&arguments, word.row, word.value))
            return other_use(arguments, arguments.why);
    }
    if (arguments.use == ARGUMENTS_VERSION) return arguments;
    if (arguments.input < 0) return other_use(arguments, "no input");
    if (!arguments.output) return other_use(arguments, "no output file is given");
    return arguments;
}

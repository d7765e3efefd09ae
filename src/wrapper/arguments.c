/* Decides whether ptxopt-ptxas handles a call of ptxas. It handles only a command line of which it
 * understands every word: if it mistook the value of an option for the input, it would rewrite the
 * wrong file. */
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

/* The row of the table for one word of the command line, and the value that the word itself
 * contains. */
struct option_word {
    const struct option_row *row; /* NULL: an unknown option */
    const char *value;            /* NULL: the word contains no value */
};

/* Whether the word is a one-letter option with its value directly after the letter, such as -O3 or
 * -m64. */
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
    /* -O without a digit: ptxas reads the next word as an input, not as the level. */
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

/* Records one option in arguments. Returns false if the call is not for ptxopt-ptxas;
 * arguments->why then has the reason. */
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
    case NAMES_ARCH: /* ptxas only checks the text for a virtual architecture, and lto_ produces no
                        machine code */
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
        if (!word.row && word.value) continue; /* its value is in the same word */
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

/* Finds functions with the outline, and reads the declarations and aliases between their bodies.
 * See module.h. */
#include "check/read/module.h"

/* A statement of the module while it is read. */
struct declared {
    struct str name; /* name of the function */
    uint32_t parens;
    bool is_function, is_alias, is_open;
};

static struct module_function *module_function_of(struct module *module, struct str name)
{
    uint32_t number = intern_add(&module->names, 0, name);
    if (number == module->functions.count)
        vec_push(&module->functions, (struct module_function){.bodies = 0});
    return &module->functions.at[number];
}

/* Whether a word means that a call may run another body: the linker may replace a weak body, and
 * only the linker knows the body of an extern function. .noreturn: the call does not return. */
static bool leaves_open(struct str word)
{
    return str_is(word, ".weak") || str_is(word, ".extern") || str_is(word, ".common") ||
           str_is(word, ".noreturn");
}

static void module_read_word(struct module *module, struct declared *declared, struct str word)
{
    if (str_is(word, ".func")) declared->is_function = true;
    if (str_is(word, ".alias")) declared->is_alias = true;
    declared->is_open |= leaves_open(word);
    if (str_is(word, ".reg") && !declared->is_function) module->has_registers = true;
}

static void module_read_name(struct module *module, struct declared *declared, struct str name)
{
    if (declared->is_alias) module_function_of(module, name)->is_open = true;
    bool names = declared->is_function && !declared->parens && !declared->name.n;
    if (names) declared->name = name;
}

static void settle_declared(struct module *module, struct declared *declared)
{
    if (declared->name.n && declared->is_open)
        module_function_of(module, declared->name)->is_open = true;
    *declared = (struct declared){.is_alias = false};
}

/* Reads text[pos, end) outside of functions. It ends with the head of a function, or at the end of
 * the text. */
static void read_between(struct module *module, uint32_t pos, uint32_t end)
{
    struct declared declared = {.is_alias = false};
    while (pos < end) {
        struct token token = token_next(module->text, pos);
        pos = token.span.end;
        if (token.kind == TOKEN_END) break;
        struct str text = token_text(module->text, token.span);
        if (token.kind == TOKEN_DOT) module_read_word(module, &declared, text);
        if (token.kind == TOKEN_NAME) module_read_name(module, &declared, text);
        if (token.kind != TOKEN_PUNCT) continue;
        if (*text.p == '(') declared.parens++;
        if (*text.p == ')' && declared.parens) declared.parens--;
        if (*text.p == ';') settle_declared(module, &declared);
        if (*text.p == '{' && pos < end) pos = outline_skip_braces(module->text, pos);
    }
    settle_declared(module, &declared);
}

/* Whether .func or .alias may occur in text[pos, end), as a token or inside another one. */
static bool may_name_function(struct str text, uint32_t pos, uint32_t end)
{
    enum { BEHIND = 4 }; /* bytes after a block that are read, too */
    for (; end - pos >= SIXTEEN + BEHIND; pos += SIXTEEN)
        if (sixteen_first(scan_function_words(text.p + pos)) < SIXTEEN) return true;
    struct str rest = {text.p + pos, end - pos};
    return memmem(rest.p, rest.n, ".func", 5) || memmem(rest.p, rest.n, ".alias", 6);
}

/* Whether a body declares a function or an alias of one. */
static bool declares_function(struct str text, struct span body)
{
    uint32_t pos = body.start, end = body.end;
    work_spend((end - pos) / SIXTEEN);
    if (!may_name_function(text, pos, end)) return false;
    while (pos < end) {
        struct token token = token_next(text, pos);
        struct str word = token_text(text, token.span);
        pos = token.span.end;
        if (token.kind == TOKEN_END) break;
        if (token.kind == TOKEN_DOT && (str_is(word, ".func") || str_is(word, ".alias")))
            return true;
    }
    return false;
}

void module_read(struct module *module)
{
    struct outline outline = {.text = module->text};
    struct outline_function function;
    uint32_t pos = 0;
    while (outline_next(&outline, &function)) {
        read_between(module, pos, outline.pos);
        struct module_function *known =
            module_function_of(module, token_text(module->text, function.name));
        known->at = function;
        known->bodies++;
        known->is_open |= function.is_entry || function.name.start == function.name.end;
        bool known_end = module->passed.end && module->passed.start == outline.pos;
        pos = known_end ? module->passed.end : outline_skip_braces(module->text, outline.pos);
        vec_push(&module->spans, (struct span){outline.pos, pos});
        outline.pos = pos;
    }
    read_between(module, pos, (uint32_t)module->text.n);
}

/* Tests all bodies at the first call, since few texts have calls. */
static bool declares_inner(struct module *module)
{
    for (; module->examined < module->spans.count; module->examined++)
        module->has_inner |= declares_function(module->text, module->spans.at[module->examined]);
    return module->has_inner;
}

uint32_t module_find(struct module *module, struct str name)
{
    bool is_closed = !module->has_registers && !declares_inner(module);
    uint32_t number = is_closed ? intern_find(&module->names, 0, name) : INTERN_NONE;
    if (number == INTERN_NONE) return number;
    const struct module_function *known = &module->functions.at[number];
    return known->bodies == 1 && !known->is_open ? number : INTERN_NONE;
}

void module_free(struct module *module)
{
    intern_free(&module->names);
    vec_free(&module->functions);
    vec_free(&module->spans);
}

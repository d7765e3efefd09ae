/* Reads the text once more, and stores one summary for each function. Calls between functions are
 * resolved when a summary is needed. See callees.h. */
#include "flow/callees.h"

#include "base/intern.h"
#include "base/vec.h"
#include "base/work.h"
#include "flow/cfg.h"
#include "syntax/token.h"
#include "text/comment.h"

enum progress { PROGRESS_NONE, PROGRESS_OPEN, PROGRESS_DONE };

struct callee {
    struct callee_summary summary;
    uint32_t bodies;
    bool is_unknown; /* another function may be called in its place, or its body does something that
                        has no summary */
    enum progress progress;
    uint32_t next, end; /* indices in module.calls of its calls that are not resolved yet */
};

struct callee_module {
    const struct source *source;
    struct intern names; /* names of functions; the numbers are the indices in callees */
    struct VEC(struct callee) callees;
    struct VEC(uint32_t) calls; /* indices in callees */
    struct VEC(uint32_t) open;
    bool is_lost; /* no call of the text can be resolved */
};

static struct str callees_token_at(const struct source *source, const struct token_list *list,
                                   uint32_t t)
{
    return source_slice(source, list->spans[t]);
}

static struct callee *callee_of(struct callee_module *module, struct str name)
{
    uint32_t number = intern_add(&module->names, 0, name);
    if (number == module->callees.count) vec_push(&module->callees, (struct callee){.bodies = 0});
    return &module->callees.at[number];
}

/* ---- the callees of a call ---- */

/* Returns the token after the list in parentheses that begins at token t; t if there is no list. */
static uint32_t callees_skip_list(const struct token_list *list, uint32_t t)
{
    if (t >= list->count || list->kinds[t] != '(') return t;
    while (t < list->count && list->kinds[t] != ')' && list->kinds[t] != '{') t++;
    return t + 1;
}

static bool is_kind(const struct token_list *list, uint32_t t, enum token_kind kind)
{
    return t < list->count && list->kinds[t] == kind;
}

/* Returns the name in `[@[!]p] call[.uni] [(returns),] name[, (arguments)];`. Empty if the call has
 * another form. */
static struct str name_in_call(const struct source *source, const struct token_list *list)
{
    const struct str none = {"", 0};
    uint32_t t = 0;
    while (t < list->count && list->kinds[t] != TOKEN_CALL) t++;
    if (++t >= list->count) return none;
    if (list->kinds[t] != '(' && callees_token_at(source, list, t).p[0] == '.' &&
        !str_is(callees_token_at(source, list, t++), ".uni"))
        return none;
    uint32_t behind = callees_skip_list(list, t);
    if (behind > t && !is_kind(list, behind++, TOKEN_COMMA)) return none;
    uint32_t name = behind;
    if (!is_kind(list, name, TOKEN_IDENTIFIER)) return none;
    t = name + 1;
    if (is_kind(list, t, TOKEN_COMMA)) {
        behind = callees_skip_list(list, t + 1);
        if (behind == t + 1) return none;
        t = behind;
    }
    return is_kind(list, t, TOKEN_SEMICOLON) ? callees_token_at(source, list, name) : none;
}

static struct str callee_name(const struct source *source, const struct instr *instr)
{
    struct token_list *list = mem_alloc(sizeof *list); /* too large for a stack */
    struct lexer lexer;
    struct str text = {source->text.p, instr->span.end}, name = {"", 0};
    list->count = 0;
    if (lexer_start(&lexer, text, instr->span.start) &&
        lexer_take_through(&lexer, list, TOKEN_SEMICOLON))
        name = name_in_call(source, list);
    mem_free(list);
    return name;
}

/* ---- the effects of a body ---- */

/* The thread may not return from the instruction, or the effect of the instruction is unknown. */
static bool has_no_summary(const struct instr *instr)
{
    const struct opcode *opcode = instr->opcode;
    bool returns = opcode == &opcode_end_of_body || str_is(str_from(opcode->name), "ret");
    return opcode == &opcode_unknown || opcode->effect == EFFECT_UNSUPPORTED ||
           str_is(str_from(opcode->name), "brkpt") || (opcode->effect == EFFECT_EXIT && !returns);
}

/* For proxy fences, the checker counts any ld or st as an access. */
static bool touches_memory(const struct opcode *opcode)
{
    bool moves = !strncmp(opcode->name, "ld", 2) || !strncmp(opcode->name, "st", 2);
    return opcode->effect != EFFECT_REGISTER || moves;
}

static bool can_be_followed(const struct callee_module *module, const struct function *function)
{
    struct arena arena = {0};
    struct cfg cfg;
    uint32_t at;
    bool can = !function->unsupported && !cfg_build(&cfg, function, module->source, &arena, &at);
    arena_free(&arena);
    return can;
}

static void callees_read_instruction(struct callee_module *module, struct callee *callee,
                                     const struct instr *instr)
{
    struct callee_summary *summary = &callee->summary;
    enum effect effect = instr->opcode->effect;
    if (effect != EFFECT_EXIT) summary->touches_memory |= touches_memory(instr->opcode);
    callee->is_unknown |= has_no_summary(instr);
    if (effect_is_neutral(effect) || effect == EFFECT_EXIT) return;
    if (effect != EFFECT_CALL) {
        summary->effects |= 1u << effect;
        return;
    }
    struct str name = callee_name(module->source, instr);
    callee->is_unknown |= !name.n;
    if (name.n) vec_push(&module->calls, intern_add(&module->names, 0, name));
}

static void callees_read_function(struct callee_module *module, const struct function *function)
{
    struct callee callee = *callee_of(module, function->name);
    callee.bodies++;
    callee.summary.groups = (uint8_t)(function->cta_group ? 1u << function->cta_group : 0);
    callee.next = module->calls.count;
    callee.is_unknown |= function->is_entry || !can_be_followed(module, function);
    for (uint32_t i = 0; !callee.is_unknown && i < function->count; i++)
        callees_read_instruction(module, &callee, &function->instrs[i]);
    while (module->callees.count < module->names.count)
        vec_push(&module->callees, (struct callee){.bodies = 0});
    callee.end = module->calls.count;
    *callee_of(module, function->name) = callee;
}

/* ---- the text between the bodies ---- */

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.';
}

/* The declaration that is being read: the head of a function, an alias, or another one. */
struct declaration {
    struct str name;
    uint32_t parens, braces;
    bool is_function, is_alias, is_open;
};

static void callees_read_word(struct callee_module *module, struct declaration *d, struct str word)
{
    static const char *const open[] = {".weak", ".extern", ".common", ".noreturn"};
    bool is_name = *word.p != '.' && (*word.p < '0' || *word.p > '9');
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) d->is_open |= str_is(word, open[i]);
    d->is_function |= str_is(word, ".func");
    d->is_alias |= str_is(word, ".alias");
    module->is_lost |= str_is(word, ".reg") && !d->is_function;
    if (!is_name) return;
    if (d->is_alias) callee_of(module, word)->is_unknown = true;
    if (d->is_function && !d->parens && !d->name.n) d->name = word;
}

static void callees_read_sign(struct callee_module *module, struct declaration *d, char sign)
{
    d->parens += sign == '(';
    d->parens -= d->parens && sign == ')';
    d->braces += sign == '{';
    d->braces -= d->braces && sign == '}';
    if (sign != ';') return;
    if (d->is_open && d->name.n) callee_of(module, d->name)->is_unknown = true;
    *d = (struct declaration){.parens = 0};
}

/* Reads the declarations in [start, stop), the last of which may be the head of a body. */
static void read_declarations(struct callee_module *module, uint32_t start, uint32_t stop)
{
    const char *at = module->source->text.p + start, *end = module->source->text.p + stop;
    struct declaration d = {.parens = 0};
    work_spend(stop - start);
    while (at < end) {
        const char *behind = comment_skip(at, end);
        if (behind == at && is_word_char(*at)) {
            while (behind < end && is_word_char(*behind) && (behind == at || *behind != '.'))
                behind++;
            if (!d.braces) callees_read_word(module, &d, (struct str){at, (size_t)(behind - at)});
        } else if (behind == at) {
            callees_read_sign(module, &d, *behind++);
        }
        at = behind;
    }
    callees_read_sign(module, &d, ';');
}

/* Returns the place of the brace that opens the body of the function: the first outside comments.
 */
static uint32_t body_start(const struct source *source, struct span span)
{
    const char *at = source->text.p + span.start, *end = source->text.p + span.end;
    while (at < end && *at != '{') {
        const char *behind = comment_skip(at, end);
        at = behind > at ? behind : at + 1;
    }
    return (uint32_t)(at - source->text.p);
}

/* ---- the whole text ---- */

/* There may be a `.func` with a body. This only searches the text. */
static bool may_define(struct str text)
{
    const char *at = text.p, *end = text.p + text.n;
    while ((at = memmem(at, (size_t)(end - at), ".func", 5))) {
        while (at < end && *at != ';' && *at != '{') at++;
        if (at < end && *at == '{') return true;
    }
    return false;
}

static struct callee_module *read_module(const struct source *source)
{
    struct callee_module *module = mem_zalloc(1, sizeof *module);
    struct arena arena = {0};
    struct view view;
    struct function function;
    uint32_t end = 0;
    module->source = source;
    struct reader *reader = reader_of_text(source->text, 0);
    struct view_reader *functions = view_read(&view, reader, source, &arena);
    view_keep_unmentioned(functions);
    while (view_next(functions, &function)) {
        read_declarations(module, end, body_start(source, function.span));
        callees_read_function(module, &function);
        end = function.span.end;
    }
    module->is_lost |= !view_read_end(functions);
    read_declarations(module, end, (uint32_t)source->text.n);
    reader_free(reader);
    arena_free(&arena);
    return module;
}

/* Continues with the next callee of the innermost open function, or closes the function. A callee
 * that is open calls this function, which is a recursion. */
static void callees_advance(struct callee_module *module)
{
    struct callee *callee = &module->callees.at[module->open.at[module->open.count - 1]];
    if (callee->is_unknown || callee->next == callee->end) {
        callee->progress = PROGRESS_DONE;
        module->open.count--;
        return;
    }
    uint32_t number = module->calls.at[callee->next];
    struct callee *other = &module->callees.at[number];
    if (other->progress == PROGRESS_NONE) {
        other->progress = PROGRESS_OPEN;
        other->is_unknown |= other->bodies != 1;
        vec_push(&module->open, number);
        return;
    }
    callee->is_unknown |= other->progress == PROGRESS_OPEN || other->is_unknown;
    callee->summary.effects |= other->summary.effects;
    callee->summary.groups |= other->summary.groups;
    callee->summary.touches_memory |= other->summary.touches_memory;
    callee->next++;
}

/* Summarizes the function with this number. */
static const struct callee *callees_summarize(struct callee_module *module, uint32_t number)
{
    struct callee *callee = &module->callees.at[number];
    if (callee->progress == PROGRESS_NONE) {
        callee->progress = PROGRESS_OPEN;
        callee->is_unknown |= callee->bodies != 1;
        vec_push(&module->open, number);
    }
    while (module->open.count) callees_advance(module);
    return callee;
}

const struct callee_summary *callees_ask(struct callees *callees, const struct instr *instr)
{
    if (!callees->module && !callees->has_none)
        callees->has_none = !may_define(callees->source->text);
    if (callees->has_none) return NULL;
    struct str name = callee_name(callees->source, instr);
    if (!name.n) return NULL;
    if (!callees->module) callees->module = read_module(callees->source);
    uint32_t number =
        callees->module->is_lost ? INTERN_NONE : intern_find(&callees->module->names, 0, name);
    if (number == INTERN_NONE) return NULL;
    const struct callee *callee = callees_summarize(callees->module, number);
    return callee->is_unknown ? NULL : &callee->summary;
}

void callees_free(struct callees *callees)
{
    struct callee_module *module = callees->module;
    if (!module) return;
    intern_free(&module->names);
    vec_free(&module->callees);
    vec_free(&module->calls);
    vec_free(&module->open);
    mem_free(module);
    callees->module = NULL;
}

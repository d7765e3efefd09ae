/* Reads the functions of a text into views; view_body.c reads their bodies. See view.h. */
#include "ptx/view.h"

#include "base/sixteen.h"
#include "base/work.h"
#include "ptx/digits.h"
#include "ptx/target.h"
#include "ptx/view_body.h"
#include "text/comment.h"
#include "text/mention.h"

struct view_reader {
    struct view *view;
    struct reader *reader;
    struct view_body body;
    struct VEC(struct source_file) files;
    struct statement statement; /* the last one that was read */
    bool keeps_unmentioned;
};

/* Whether the text declares registers outside of functions. */
struct view_registers {
    bool is_known, declares;
};

struct view_reader *view_read(struct view *view, struct reader *reader, const struct source *source,
                              struct arena *arena)
{
    struct view_reader *r = mem_zalloc(1, sizeof *r);
    *view = (struct view){.source = source};
    view->registers = arena_alloc(arena, 1, sizeof *view->registers);
    r->view = view;
    r->reader = reader;
    r->body.source = source;
    r->body.arena = arena;
    return r;
}

void view_keep_all(struct view_reader *r)
{
    r->body.keeps_all = true;
}

void view_leave_out_locs(struct view_reader *r)
{
    r->body.leaves_out_locs = true;
    reader_leave_out_locs(r->reader);
}

void view_keep_unmentioned(struct view_reader *r)
{
    r->keeps_unmentioned = true;
}

/* ---- the module ---- */

static void view_read_version(struct view *view, const struct statement *statement)
{
    struct span part = statement_part(statement, statement->parts);
    struct str text = source_slice(view->source, part);
    const char *dot = memchr(text.p, '.', text.n);
    size_t n = dot ? (size_t)(dot - text.p) : text.n;
    view->isa_major = (uint32_t)digits_read((struct str){text.p, n});
    view->has_version = true;
    view->version_at = part.start;
    if (dot) view->isa_minor = (uint32_t)digits_read((struct str){dot + 1, text.n - n - 1});
}

static void read_target(struct view *view, const struct statement *statement)
{
    for (uint32_t i = 0; i < statement->part_count && !view->unknown_target.end; i++) {
        struct span part = statement_part(statement, &statement->parts[i]);
        if (!target_is_known(source_slice(view->source, part))) view->unknown_target = part;
    }
}

static struct source_file view_read_file(const struct view *view, const struct statement *statement)
{
    struct source_file file = {0};
    for (uint32_t i = 0; i < statement->part_count; i++) {
        const struct part *part = &statement->parts[i];
        struct str text = source_slice(view->source, statement_part(statement, part));
        if (part->role == PART_NUMBER) file.number = (uint32_t)digits_read(text);
        if (part->role == PART_NAME) file.name = (struct str){text.p + 1, text.n - 2};
    }
    return file;
}

/* Reads a statement outside of functions. False for the head of a function, an end and an unknown
 * statement. */
static bool view_read_directive(struct view_reader *r)
{
    switch (r->statement.kind) {
    case STATEMENT_VERSION: view_read_version(r->view, &r->statement); return true;
    case STATEMENT_TARGET: read_target(r->view, &r->statement); return true;
    case STATEMENT_FILE: vec_push(&r->files, view_read_file(r->view, &r->statement)); return true;
    default: return false;
    }
}

/* The number of bytes, at most SIXTEEN, up to a bracket or a byte with which a comment or string
 * may begin. */
static uint32_t pass_plain_bytes(const char *at)
{
    sixteen bytes = sixteen_load(at);
    return sixteen_first((sixteen)(bytes == '{') | (sixteen)(bytes == '}') |
                         (sixteen)((bytes | 1) == ')') | (sixteen)((bytes | 1) == '#') |
                         (sixteen)(bytes == '/'));
}

/* The text has a .reg outside of braces and outside of parentheses, in which the parameters of
 * functions are. The body of the function with that span is skipped. */
static bool declares_registers(struct str text, struct span function)
{
    const char *from = text.p + function.start, *to = text.p + function.end;
    const char *at = text.p, *end = at + text.n;
    uint32_t depth = 0;
    for (const char *behind = at; at<end; at = behind> at ? behind : at + 1) {
        for (uint32_t n = SIXTEEN; depth && n == SIXTEEN && end - at > SIXTEEN; at += n)
            n = pass_plain_bytes(at);
        behind = at;
        switch (*at) {
        case '"':
        case '#':
        case '/': behind = comment_skip(at, end); break;
        case '{':
            if (!depth && at >= from && at < to)
                behind = to;
            else
                depth++;
            break;
        case '(': depth++; break;
        case '}':
        case ')': depth -= depth > 0; break;
        case '.':
            if (!depth && end - at > 4 && !memcmp(at, ".reg", 4)) return true;
            break;
        default: break;
        }
    }
    return false;
}

bool view_declares_registers(const struct view *view, struct span function)
{
    struct view_registers *registers = view->registers;
    if (!registers->is_known) {
        work_spend(view->source->text.n / 8);
        registers->declares = declares_registers(view->source->text, function);
        registers->is_known = true;
    }
    return registers->declares;
}

/* ---- functions ---- */

/* Reads the body, whose '{' comes next. */
static void view_read_body(struct view_reader *r, struct function *function)
{
    uint32_t depth = 0;
    do {
        reader_next(r->reader, &r->statement);
        depth += r->statement.kind == STATEMENT_BLOCK_BEGIN;
        depth -= r->statement.kind == STATEMENT_BLOCK_END;
        view_body_read(&r->body, &r->statement);
    } while (depth && r->statement.kind != STATEMENT_ODD);
    function->span.end = r->statement.span.end;
}

/* Reads the function whose head was read last. False if it has no body, or one that mentions
 * nothing that a rule could use. */
static bool view_read_function(struct view_reader *r, struct function *function)
{
    const struct source *source = r->view->source;
    const struct statement *head = &r->statement;
    bool has_body = false;
    *function = (struct function){.span = head->span};
    for (uint32_t i = 0; i < head->part_count; i++) {
        const struct part *part = &head->parts[i];
        struct str text = source_slice(source, statement_part(head, part));
        if (part->role == PART_NAME) function->name = text;
        if (part->role != PART_ENTRY_OR_FUNC) continue;
        function->is_entry = str_is(text, ".entry");
        has_body = part->flag;
    }
    if (!has_body) return false;
    view_body_begin(&r->body, function);
    view_read_body(r, function);
    if (r->statement.kind == STATEMENT_ODD) return false;
    bool kept = r->keeps_unmentioned || mention_found(source_slice(source, function->span));
    if (!kept) return false;
    view_body_end(&r->body);
    return true;
}

bool view_next(struct view_reader *r, struct function *function)
{
    for (;;) {
        reader_next(r->reader, &r->statement);
        switch (r->statement.kind) {
        case STATEMENT_FUNCTION:
            r->view->function_count++;
            if (view_read_function(r, function)) return true;
            break;
        case STATEMENT_END:
        case STATEMENT_ODD: return false;
        default: (void)view_read_directive(r);
        }
    }
}

static void *view_keep(struct arena *arena, const void *items, uint32_t count, size_t size)
{
    void *copy = arena_alloc(arena, count, size);
    if (count) memcpy(copy, items, count * size);
    return copy;
}

bool view_read_end(struct view_reader *r)
{
    bool told = r->statement.kind == STATEMENT_END;
    r->view->files = view_keep(r->body.arena, r->files.at, r->files.count, sizeof *r->files.at);
    r->view->file_count = r->files.count;
    vec_free(&r->files);
    view_body_free(&r->body);
    mem_free(r);
    return told;
}

void view_read_head(struct view *view, struct reader *reader, const struct source *source,
                    struct arena *arena)
{
    struct view_reader *r = view_read(view, reader, source, arena);
    do {
        reader_next(reader, &r->statement);
    } while (view_read_directive(r));
    (void)view_read_end(r);
}

/* ---- all functions at once ---- */

static void keep_function(struct function *f, const struct view_body *body, struct arena *arena)
{
    f->instrs = view_keep(arena, f->instrs, f->count, sizeof *f->instrs);
    f->notable = view_keep(arena, f->notable, f->notable_count, sizeof *f->notable);
    f->operands = view_keep(arena, f->operands, f->operand_count, sizeof *f->operands);
    struct stored_list stored = stored_of(f);
    f->stored = view_keep(arena, stored.at, stored.count, sizeof *f->stored);
    f->stored_count = stored.count;
    f->search = NULL;
    f->uses = view_keep(arena, f->uses, f->use_count, sizeof *f->uses);
    f->scope_parent = view_keep(arena, f->scope_parent, f->scope_count, sizeof *f->scope_parent);
    f->labels = view_keep(arena, f->labels, f->label_count, sizeof *f->labels);
    f->target_lists =
        view_keep(arena, f->target_lists, f->target_list_count, sizeof *f->target_lists);
    f->targets = view_keep(arena, f->targets, body->targets.count, sizeof *f->targets);
    f->locs = view_keep(arena, f->locs, f->loc_count, sizeof *f->locs);
}

bool view_build(struct view *view, struct reader *reader, const struct source *source, bool all,
                struct arena *arena)
{
    struct VEC(struct function) functions = {0};
    struct function function;
    struct view_reader *r = view_read(view, reader, source, arena);
    if (all) view_keep_all(r);
    while (view_next(r, &function)) {
        keep_function(&function, &r->body, arena);
        vec_push(&functions, function);
    }
    bool told = view_read_end(r);
    view->functions = view_keep(arena, functions.at, functions.count, sizeof *functions.at);
    view->count = functions.count;
    vec_free(&functions);
    return told;
}

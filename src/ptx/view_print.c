/* Gives the text of an instruction and its CUDA line, for messages. See view.h. */
#include "base/buf.h"
#include "ptx/view.h"

const struct loc *view_loc(const struct function *function, uint32_t instr)
{
    const struct loc *found = NULL;
    uint32_t low = 0, high = function->loc_count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (function->locs[mid].first <= instr) {
            found = &function->locs[mid];
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return found;
}

const char *view_span_text(const struct source *source, struct span span, struct arena *arena)
{
    struct str text = source_slice(source, span);
    char *out = arena_alloc(arena, text.n + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n && text.p[i] != ';'; i++) {
        char c = text.p[i] == '\n' || text.p[i] == '\r' || text.p[i] == '\t' ? ' ' : text.p[i];
        if (c != ' ' || (n && out[n - 1] != ' ')) out[n++] = c;
    }
    while (n && out[n - 1] == ' ') n--;
    out[n] = '\0';
    return out;
}

const char *view_text(const struct view *view, const struct instr *instr, struct arena *arena)
{
    if (instr->opcode == &opcode_end_of_body) return "the end of the body";
    return view_span_text(view->source, instr->span, arena);
}

void view_dump(const struct view *view, struct arena *arena, struct buf *out)
{
    buf_printf(out, "isa %u.%u, %u of %u functions hold tcgen05 or a proxy fence\n",
               view->isa_major, view->isa_minor, view->count, view->function_count);
    for (uint32_t f = 0; f < view->count; f++) {
        const struct function *function = &view->functions[f];
        buf_printf(out, "%s %.*s: %u instructions, %u registers%s%s\n",
                   function->is_entry ? "entry" : "func", (int)function->name.n, function->name.p,
                   function->count, function->reg_count,
                   function->unsupported ? "; left alone: " : "",
                   function->unsupported ? function->unsupported_why : "");
        for (uint32_t i = 0; i < function->count; i++) {
            const struct instr *instr = &function->instrs[i];
            struct place place = source_place(view->source, instr->span.start);
            buf_printf(out, "  %4u %u:%u %-12s %s\n", i, place.line, place.column,
                       effect_name(instr->opcode->effect), view_text(view, instr, arena));
        }
    }
}

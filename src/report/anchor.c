/* Decides whether reports show findings at the PTX line or at the CUDA line. See anchor.h. */
#include "report/anchor.h"

#include <inttypes.h>

#include "report/clean.h"
#include "report/origins.h"

enum { MOST_TEXT = 8 << 20 }; /* for the CUDA source of all files of a PTX */

static void read_source(struct review_file *file, struct review_source *source,
                        const struct review_finder *finder, size_t *room)
{
    struct buf text = {0};
    if (finder->read && finder->read(source->place, *room, &text)) {
        const char *kept = arena_copy(&file->arena, text.data ? text.data : "", text.len);
        source_init(&source->text, &file->arena, source->place, (struct str){kept, text.len});
        line_hashes(&source->hashes, source->text.text);
        *room -= text.len;
    }
    buf_free(&text);
}

static void name_places(struct review_file *file, const struct review_item_list *items)
{
    for (uint32_t i = 0; i < items->count; i++) origins_say(file, &items->at[i]);
}

void review_file_find_sources(struct review_file *file, const struct review_finder *finder)
{
    size_t room = MOST_TEXT;
    for (uint32_t i = 0; i < file->sources.count; i++) {
        struct review_source *source = file->sources.at[i];
        char *place = finder->place(file->path, source->file);
        source->place = clean_path(&file->arena, place);
        mem_free(place);
        read_source(file, source, finder, &room);
    }
    name_places(file, &file->items);
    name_places(file, &file->suppressed);
}

static void anchor_items(struct review_file *file, const struct review_item_list *items)
{
    for (uint32_t i = 0; i < items->count; i++) {
        struct review_item *item = &items->at[i];
        if (!item->stack.count) continue;
        const struct review_place *site = &item->stack.at[0];
        item->at_source = true;
        item->ptx_says = arena_printf(&file->arena, "%s:%" PRIu32 ":%" PRIu32, file->place_name,
                                      item->finding.line, item->finding.column);
        item->line_hash = line_hash_text(&site->source->hashes, site->line, &file->arena);
    }
}

void review_file_anchor(struct review_file *file)
{
    anchor_items(file, &file->items);
    anchor_items(file, &file->suppressed);
}

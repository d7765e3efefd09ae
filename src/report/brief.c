/* Writes the one line of an item: the number of copies, the instruction, the verdict, the reason in
 * a few words, and the code. See brief.h. */
#include "report/brief.h"

#include <inttypes.h>

#include "report/groups.h"
#include "report/origins.h"

static bool brief_is_candidate(const struct review_item *item)
{
    return item->finding.kind == PTXOPT_DELETED || item->finding.kind == PTXOPT_KEPT;
}

/* Shortens the name: "wait::ld" for "tcgen05.wait::ld.sync.aligned". Guard and operands are left out. */
static void add_name(struct buf *out, const char *text)
{
    enum { NAME = 40 };
    static const char *const dropped[] = {".sync.aligned", "_thread_sync"};
    static const char prefix[] = "tcgen05.";
    if (*text == '@') text += strcspn(text, " ");
    text += *text == ' ';
    size_t start = out->len, len = strcspn(text, " ;{[");
    bool is_sync =
        strncmp(text, "tcgen05.wait::", 14) == 0 || strncmp(text, "tcgen05.fence::", 15) == 0;
    size_t at = is_sync ? sizeof prefix - 1 : 0;
    while (at < len && out->len - start < NAME) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            if (strncmp(text + at, dropped[i], strlen(dropped[i])) == 0) skip = strlen(dropped[i]);
        if (skip)
            at += skip;
        else
            buf_putc(out, text[at++]);
    }
    if (at < len) buf_puts(out, "…");
}

/* Appends "15 of 16 ", "all 16 ", "both ", or "16 " if the items are not candidates. */
static void add_share(struct buf *out, const struct review_group *group)
{
    bool candidates = brief_is_candidate(group->leader);
    if (candidates && group->redundant && group->redundant < group->count)
        buf_printf(out, "%" PRIu32 " of %" PRIu32 " ", group->redundant, group->count);
    else if (candidates && group->count == 2)
        buf_puts(out, "both ");
    else
        buf_printf(out, "%s%" PRIu32 " ", candidates ? "all " : "", group->count);
}

/* Appends each reason for which a copy is kept, once. Reasons that do not fit are left out. */
static void add_reasons_once(struct buf *out, const struct review_group *group)
{
    enum { ROOM = 24 };
    const char *shown[ROOM], *between = "";
    size_t count = 0, room = ROOM;
    for (uint32_t i = 0; i < group->count; i++) {
        const struct ptxopt_finding *finding = &group->items[i]->finding;
        size_t k = 0;
        while (k < count && strcmp(shown[k], finding->reason) != 0) k++;
        if (finding->kind != PTXOPT_KEPT || k < count) continue;
        size_t needed = strlen(between) + strlen(finding->reason);
        if (needed > room) {
            buf_puts(out, ", …");
            return;
        }
        buf_printf(out, "%s%s", between, finding->reason);
        shown[count++] = finding->reason; /* each takes some of the room */
        room -= needed;
        between = ", ";
    }
}

/* For a group of candidates, appends how many are kept and why. */
static void add_kept_reasons(struct buf *out, const struct review_group *group)
{
    if (!brief_is_candidate(group->leader) || group->redundant == group->count || group->last)
        return;
    if (group->redundant)
        buf_printf(out, "; %" PRIu32 " kept: ", group->count - group->redundant);
    else
        buf_puts(out, ": ");
    add_reasons_once(out, group);
}

/* Appends "(see PTX line 1311, k.cu:29)". The CUDA line is shown without its folder, and only if
 * there is room. */
static void add_see(struct buf *out, const struct review_item *item, size_t start)
{
    enum { ROOM = 72 }; /* the rest of the line is for the place and the code */
    struct review_place place = origins_of_witness(item);
    buf_printf(out, " (see PTX line %" PRIu32, item->finding.witness_line);
    if (place.source && out->len - start < ROOM) {
        const char *name = place.source->place, *slash = strrchr(name, '/');
        if (slash) name = slash + 1;
        if (out->len - start + strlen(name) < ROOM)
            buf_printf(out, ", %s:%" PRIu32, name, place.line);
    }
    buf_putc(out, ')');
}

static void add_why(struct buf *out, const struct review_item *item,
                    const struct review_group *group)
{
    const struct ptxopt_finding *finding = &item->finding;
    bool is_last = group && group->last;
    size_t start = out->len;
    buf_puts(out, is_last ? "the last one covers them" : finding->brief);
    if (brief_is_candidate(item) && !(group && group->redundant) && finding->witness_line)
        add_see(out, item, start);
}

static void brief_add_title(struct buf *out, const struct review_item *item, const char *verb,
                            const struct review_group *group)
{
    const struct ptxopt_finding *finding = &item->finding;
    if (brief_is_candidate(item)) {
        if (group) add_share(out, group);
        add_name(out, finding->text);
        buf_printf(out, " %s: ", finding->kind == PTXOPT_DELETED ? verb : "kept");
    } else if (finding->kind == PTXOPT_SKIPPED) {
        buf_printf(out, "function %s is skipped: ", finding->function);
    } else if (group) {
        add_share(out, group);
        buf_puts(out, "copies: ");
    }
    if (*finding->brief)
        add_why(out, item, group);
    else
        buf_puts(out, finding->message);
}

void brief_single(struct buf *out, const struct review_item *item, const char *verb)
{
    brief_add_title(out, item, verb, NULL);
}

/* Appends the second line of a hazard, if the text does not name it yet and there is room. */
static void add_witness(struct buf *out, const struct review_item *item, size_t len)
{
    enum { ROOM = 88 };
    const struct ptxopt_finding *finding = &item->finding;
    if (!finding->witness_line || item->group || strstr(finding->brief, "PTX line ")) return;
    if (len + strlen(finding->code) < ROOM) add_see(out, item, out->len - len);
}

void brief_line(struct buf *out, const struct review_item *item, const char *verb)
{
    size_t start = out->len;
    brief_add_title(out, item, verb, item->group);
    if (item->finding.kind == PTXOPT_HAZARD) add_witness(out, item, out->len - start);
    buf_printf(out, " [%s", item->finding.code);
    if (item->group)
        add_kept_reasons(out, item->group);
    else if (*item->finding.reason)
        buf_printf(out, ": %s", item->finding.reason);
    buf_putc(out, ']');
}

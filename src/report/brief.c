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

/* Shortens the name: "wait::ld" for "tcgen05.wait::ld.sync.aligned". Guard and operands are left
 * out. */
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

/* Appends "15 of 16 ", "all 16 copies of ", "both copies of ", or "16 " if the items are not
 * candidates. */
static void add_share(struct buf *out, const struct review_group *group)
{
    bool candidates = brief_is_candidate(group->leader);
    if (candidates && group->redundant && group->redundant < group->count)
        buf_printf(out, "%" PRIu32 " of %" PRIu32 " ", group->redundant, group->count);
    else if (candidates && group->count == 2)
        buf_puts(out, "both copies of ");
    else
        buf_printf(out, candidates ? "all %" PRIu32 " copies of " : "%" PRIu32 " ", group->count);
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
    if (group && group->last)
        buf_puts(out, "the last one covers them");
    else
        buf_puts(out, *finding->brief ? finding->brief : finding->message);
}

/* Whether the line of the witness is of use: it is not named already, and copies have one each. */
static bool has_witness(const struct review_item *item, const struct review_group *group)
{
    const struct ptxopt_finding *finding = &item->finding;
    if (!finding->witness_line || !*finding->brief) return false;
    if (brief_is_candidate(item)) return !(group && group->redundant);
    return finding->kind == PTXOPT_HAZARD && !group && !strstr(finding->brief, "PTX line ");
}

/* " (see PTX line 1311, k.cu:29)", in at most room bytes: without the CUDA line, or nothing, where
 * that is too long. The CUDA line is without its folder. */
static void add_see(struct buf *out, const struct review_item *item, size_t room)
{
    struct review_place place = origins_of_witness(item);
    struct buf see = {0};
    buf_printf(&see, " (see PTX line %" PRIu32, item->finding.witness_line);
    size_t plain = see.len;
    if (place.source) {
        const char *name = place.source->place, *slash = strrchr(name, '/');
        buf_printf(&see, ", %s:%" PRIu32, slash ? slash + 1 : name, place.line);
    }
    size_t len = see.len < room ? see.len : plain;
    if (len < room) {
        buf_add(out, see.data, len);
        buf_putc(out, ')');
    }
    buf_free(&see);
}

/* All but the code, of which `rest` bytes are still to come. */
static void brief_add(struct buf *out, const struct review_item *item, const char *verb,
                      const struct review_group *group, size_t rest)
{
    enum { MOST = 120 - sizeof "warning:" }; /* of the line, after the level */
    size_t start = out->len;
    brief_add_title(out, item, verb, group);
    size_t used = out->len - start + rest;
    if (has_witness(item, group) && used < MOST) add_see(out, item, MOST - used);
}

void brief_single(struct buf *out, const struct review_item *item, const char *verb)
{
    brief_add(out, item, verb, NULL, 0);
}

void brief_line(struct buf *out, const struct review_item *item, const char *verb)
{
    struct buf code = {0};
    buf_printf(&code, " [%s", item->finding.code);
    if (item->group)
        add_kept_reasons(&code, item->group);
    else if (*item->finding.reason)
        buf_printf(&code, ": %s", item->finding.reason);
    buf_putc(&code, ']');
    brief_add(out, item, verb, item->group, code.len);
    buf_add(out, code.data, code.len);
    buf_free(&code);
}

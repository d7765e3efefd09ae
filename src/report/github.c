/* Writes annotations of GitHub Actions: one workflow command in each line. A step shows ten of each
 * level and silently drops the rest, so the tenth says how many more there are and where to read
 * them. The command line then adds the markdown report to the summary of the job. */
#include "report/brief.h"
#include "report/format.h"
#include "report/groups.h"

#include <inttypes.h>

enum { SHOWN = 10, SITES = 20 };
/* The level of the annotation for a kernel that got worse: that of its edits. */
static const enum review_severity worse_level = REVIEW_WARNING;
static const char *const words[REVIEW_SEVERITIES] = {"error", "warning", "notice"};

/* Escapes text as the runner decodes it. Colons and commas must be escaped only in properties,
 * which they would end. */
static void add_escaped(struct buf *out, const char *text, size_t len, bool property)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            buf_printf(out, "%%%02X", c);
        else
            buf_putc(out, text[i]);
    }
}

static void add_property(struct buf *out, const char *text)
{
    add_escaped(out, text, strlen(text), true);
}

static void github_add_location(struct buf *out, const struct review_file *file,
                                const struct review_item *item)
{
    const struct ptxopt_finding *finding = &item->finding;
    if (item->at_source) {
        add_property(out, item->stack.at[0].source->place);
        buf_printf(out, ",line=%" PRIu32, item->source_line);
        return;
    }
    add_property(out, file->place_name);
    buf_printf(out, ",line=%" PRIu32 ",endLine=%" PRIu32, finding->line, finding->end_line);
    if (finding->line == finding->end_line)
        buf_printf(out, ",col=%" PRIu32 ",endColumn=%" PRIu32, finding->column,
                   finding->end_column);
}

/* One annotation is for all copies of a CUDA line. What is kept is shown only on request, because
 * it would take the room of what people have to read. */
static bool github_is_shown(const struct review *review, const struct review_item *item)
{
    enum ptxopt_kind kind = item->finding.kind;
    bool is_quiet = kind == PTXOPT_KEPT || kind == PTXOPT_SKIPPED;
    bool is_asked_for = review->remarks || item->finding.level != PTXOPT_REMARK;
    return groups_lead(item) && (!is_quiet || is_asked_for);
}

static void add_sites(struct buf *text, const struct review_group *group)
{
    for (uint32_t i = 0; i < group->count && i < SITES; i++) {
        buf_putc(text, '\n');
        groups_site(text, group->items[i], "redundant");
    }
    if (group->count > SITES) buf_printf(text, "\n… %" PRIu32 " more", group->count - SITES);
}

static void github_add_advice(struct buf *text, const struct review_group *group)
{
    if (group->last) buf_puts(text, "\nadvice: ");
    groups_advice(text, group);
}

static void add_annotation(struct buf *out, const struct review_file *file,
                           const struct review_item *item)
{
    struct buf text = {0};
    struct review_fact facts[REVIEW_FACTS];
    buf_printf(out, "::%s file=", words[review_severity(item)]);
    github_add_location(out, file, item);
    buf_puts(out, ",title=ptxopt ");
    add_property(out, item->finding.code);
    buf_puts(out, "::");
    if (item->group)
        brief_line(&text, item, "redundant");
    else
        brief_single(&text, item, "redundant");
    if (*item->finding.brief) buf_putc(&text, '\n');
    if (*item->finding.brief) review_sentence(&text, item);
    if (item->group) github_add_advice(&text, item->group);
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++)
        if (*facts[i].text) buf_printf(&text, "\n%s: %s", facts[i].label, facts[i].text);
    buf_puts(&text, "\n");
    review_grounds(&text, item);
    if (*item->isa_link) buf_printf(&text, "\n%s", item->isa_link);
    if (item->group) add_sites(&text, item->group);
    add_escaped(out, text.data, text.len, false);
    buf_putc(out, '\n');
    buf_free(&text);
}

/* The first edit of the function; NULL: none. */
static const struct review_item *find_edit(const struct review_file *file, const char *function)
{
    for (uint32_t i = 0; i < file->items.count; i++) {
        const struct ptxopt_finding *finding = &file->items.at[i].finding;
        if (finding->kind == PTXOPT_DELETED && strcmp(finding->function, function) == 0)
            return &file->items.at[i];
    }
    return NULL;
}

/* Adds an annotation for a kernel that got worse, at its first edit; at the file if the kernel
 * itself has no edit. */
static void add_worse_annotation(struct buf *out, const struct review_file *file,
                                 const struct review_kernel *kernel)
{
    struct buf text = {0};
    const struct review_item *edit = find_edit(file, kernel->name);
    buf_printf(out, "::%s file=", words[worse_level]);
    if (edit)
        github_add_location(out, file, edit);
    else
        add_property(out, file->place_name);
    buf_puts(out, ",title=ptxopt registers::");
    buf_printf(&text, "%s: ", kernel->name);
    review_worse(&text, kernel);
    buf_puts(&text, "\n--max-registers, --no-spill-growth and --keep-occupancy limit that");
    add_escaped(out, text.data, text.len, false);
    buf_putc(out, '\n');
    buf_free(&text);
}

static uint32_t github_add_worse(struct buf *out, const struct review *review, uint32_t room)
{
    uint32_t shown = 0;
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t k = 0; k < file->kernels.count && shown < room; k++) {
            if (!review_is_worse(&file->kernels.at[k])) continue;
            add_worse_annotation(out, file, &file->kernels.at[k]);
            shown++;
        }
    }
    return shown;
}

static void github_add_level(struct buf *out, const struct review *review,
                             enum review_severity level, uint32_t total)
{
    uint32_t room = total > SHOWN ? SHOWN - 1 : SHOWN, shown = 0;
    if (level == worse_level) shown = github_add_worse(out, review, room);
    for (uint32_t f = 0; f < review->count && shown < room; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t i = 0; i < file->items.count && shown < room; i++) {
            if (review_severity(&file->items.at[i]) != level ||
                !github_is_shown(review, &file->items.at[i]))
                continue;
            add_annotation(out, file, &file->items.at[i]);
            shown++;
        }
    }
    if (total > shown)
        buf_printf(out,
                   "::%s title=ptxopt::%" PRIu32 " more of this kind: see the job "
                   "summary or another report\n",
                   words[level], total - shown);
}

static void count_levels(const struct review *review, uint32_t totals[REVIEW_SEVERITIES])
{
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t i = 0; i < file->items.count; i++)
            totals[review_severity(&file->items.at[i])] +=
                github_is_shown(review, &file->items.at[i]);
        for (uint32_t k = 0; k < file->kernels.count; k++)
            totals[worse_level] += review_is_worse(&file->kernels.at[k]);
    }
}

bool report_github_overflows(const struct review *review)
{
    uint32_t totals[REVIEW_SEVERITIES] = {0};
    count_levels(review, totals);
    return totals[REVIEW_ERROR] > SHOWN || totals[REVIEW_WARNING] > SHOWN ||
           totals[REVIEW_NOTE] > SHOWN;
}

void report_github(struct buf *out, const struct review *review)
{
    uint32_t totals[REVIEW_SEVERITIES] = {0};
    count_levels(review, totals);
    for (int level = 0; level < REVIEW_SEVERITIES; level++)
        github_add_level(out, review, (enum review_severity)level, totals[level]);
}

/* Programs with written removals, and the losses that these cause, or none. A judge that misses
 * losses, or reports false ones, fails here, whatever the optimizer does.
 *
 * NAME.body is the body of a kernel (body.h has the text around it). Lines that end in `// deleted`
 * are removed. Lines `// loses: A: B then C turned round` list what must be found, all of it and
 * nothing else (`// loses before 13.4: ` with older releases of ptxas, `// loses from 13.2: ` with
 * this and newer ones); a body without such a line must lose nothing. Other comment lines say why.
 * For bodies in known/ the guarantees of the text are tested; for bodies in unsaid/, whether the
 * last line is where it was, after operations and their completion. */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential.h"
#include "trial.h"

enum { MOST_LOSSES = 8, LOSS = 400 };

struct known {
    char *name;
    char loses[MOST_LOSSES][LOSS];
    uint32_t count;
    bool fine; /* every statement in it is known */
};

/* A line that lists a loss; if it names a version, only with that ptxas. */
static void read_loss(struct known *known, const char *line)
{
    static const char before[] = " before ", from[] = " from ";
    bool old = !strncmp(line, before, sizeof before - 1);
    bool new = !strncmp(line, from, sizeof from - 1);
    if (known->count == MOST_LOSSES) return;
    if (old && release_of_ptxas() >= strtod(line + sizeof before - 1, NULL)) return;
    if (new &&release_of_ptxas() < strtod(line + sizeof from - 1, NULL)) return;
    const char *colon = strchr(line, ':');
    if (colon) snprintf(known->loses[known->count++], LOSS, "%s", colon + 2);
}

static void read_line(struct known *known, struct draft *draft, char *line)
{
    static const char loses[] = "// loses", deleted[] = " // deleted";
    if (!strncmp(line, loses, sizeof loses - 1)) {
        read_loss(known, line + sizeof loses - 1);
        return;
    }
    if (!strncmp(line, "//", 2)) return;
    char *mark = strstr(line, deleted);
    if (mark) *mark = '\0';
    draft_add(draft, line);
    draft->deleted[draft->count - 1] = mark != NULL;
}

/* A misspelt operation would never be tested, so each must be in the vocabulary. What is not
 * tcgen05, a label or a branch may be any other computation, or a weak access. */
static bool is_known(const struct statement *statement, const char *line)
{
    static const char *const others[] = {
        "elect.sync _|", "mbarrier.pending_count", "mad.", "setp.", "max.", "ld.shared.",
        "st.shared."};
    if (statement->op || statement->branches || line[strlen(line) - 1] == ':') return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(line, others[i], strlen(others[i]))) return true;
    printf("# not in the vocabulary: %s\n", line);
    return false;
}

static void read_known(const FTSENT *entry, struct known *known, struct trial *trial)
{
    struct bytes file = file_read(entry->fts_path);
    *known = (struct known){.name = must(strdup(entry->fts_name)), .fine = true};
    known->name[strcspn(known->name, ".")] = '\0';
    trial->draft.count = 0;
    trial->changed = true;
    for (char *rest, *line = strtok_r(file.data, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        read_line(known, &trial->draft, line);
    known->fine = body_parse(&trial->body, &trial->draft);
    for (uint32_t i = 0; i < trial->draft.count; i++)
        known->fine &= is_known(&trial->body.at[i], trial->draft.line[i]);
    free(file.data);
}

static bool is_expected(const struct known *known, const char *name)
{
    for (uint32_t i = 0; i < known->count; i++)
        if (!strcmp(known->loses[i], name)) return true;
    return false;
}

static bool is_found(const struct findings *found, const char *name)
{
    char one[LOSS];
    for (uint32_t i = 0; i < found->count; i++) {
        finding_name(&found->at[i], one, sizeof one);
        if (!strcmp(one, name)) return true;
    }
    return false;
}

static void report_known(const struct known *known, const struct trial *trial)
{
    const struct findings *found = &trial->verdict.found;
    bool fine = known->fine && trial->judged;
    char name[LOSS];
    for (uint32_t i = 0; i < known->count; i++) {
        if (is_found(found, known->loses[i])) continue;
        printf("# not seen: %s\n", known->loses[i]);
        fine = false;
    }
    for (uint32_t i = 0; i < found->count; i++) {
        finding_name(&found->at[i], name, sizeof name);
        if (is_expected(known, name)) continue;
        printf("# seen: %s\n", name);
        fine = false;
    }
    report(fine, known->count ? "%s is lost and seen" : "%s loses nothing", known->name);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

void run_known(char *folder, pairs_finder *find)
{
    enum { MOST = 128 };
    static struct known known[MOST];
    struct trial *trials = must(calloc(MOST, sizeof *trials));
    uint32_t count = 0;
    FTS *walk = fts_open((char *[]){folder, NULL}, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    for (FTSENT *entry; walk && (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F && strstr(entry->fts_name, ".body") && count < MOST) {
            read_known(entry, &known[count], &trials[count]);
            count++;
        }
    if (walk) fts_close(walk);
    bool judged = count && trials_judge(trials, count, find, getenv("SASS_PRINT") != NULL);
    report(judged, "ptxas takes the bodies in %s", folder);
    for (uint32_t i = 0; i < count; i++) {
        if (judged) report_known(&known[i], &trials[i]);
        trial_free(&trials[i]);
        free(known[i].name);
    }
    free(trials);
}

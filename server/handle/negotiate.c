/* Chooses the offer that the client likes best. RFC 9110, section 12.5. */
#include "server/handle/negotiate.h"

#include <string.h>
#include <strings.h>

static const char *skip_header_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* How exactly range[0..len) covers offer: 0 not, 1 any, 2 the type, 3 itself. */
static int match_offer(const char *range, size_t len, const char *offer)
{
    const char *slash = strchr(offer, '/');
    if (len == strlen(offer) && strncasecmp(range, offer, len) == 0) return 3;
    if ((len == 1 && *range == '*') || (len == 3 && strncmp(range, "*/*", 3) == 0)) return 1;
    size_t type = slash ? (size_t)(slash - offer) + 1 : 0;
    bool covers = type && len == type + 1 && range[type] == '*';
    return covers && strncasecmp(range, offer, type) == 0 ? 2 : 0;
}

/* The q of the parameters before the next comma, in thousandths. */
static int quality_value(const char *parameters, const char *end)
{
    for (const char *p = parameters; p < end; p++) {
        if (*p != ';') continue;
        const char *name = skip_header_blanks(p + 1);
        if ((*name != 'q' && *name != 'Q') || name[1] != '=') continue;
        if (name[2] == '1') return 1000;
        int value = 0, unit = 100;
        if (name[2] == '0' && name[3] == '.')
            for (const char *d = name + 4; *d >= '0' && *d <= '9' && unit; d++, unit /= 10)
                value += (*d - '0') * unit;
        return value;
    }
    return 1000;
}

int negotiate_weight(const char *accept, const char *offer)
{
    int best = 0, weight = 0;
    if (!accept) return 1000;
    for (const char *p = skip_header_blanks(accept); *p; p = skip_header_blanks(p)) {
        const char *end = p + strcspn(p, ",");
        int exact = match_offer(p, strcspn(p, ";, \t"), offer);
        if (exact > best) {
            best = exact;
            weight = quality_value(p, end);
        }
        p = *end ? end + 1 : end;
    }
    return weight;
}

const char *negotiate_best(const char *accept, const char *const *offers, size_t count)
{
    const char *best = NULL;
    int most = 0;
    for (size_t i = 0; i < count && offers[i]; i++) {
        int weight = negotiate_weight(accept, offers[i]);
        if (weight <= most) continue;
        most = weight;
        best = offers[i];
    }
    return best;
}

bool negotiate_is_type(const char *content_type, const char *type)
{
    size_t len = strcspn(content_type, "; \t");
    return len == strlen(type) && strncasecmp(content_type, type, len) == 0;
}

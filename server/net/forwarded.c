/* Reads X-Forwarded-For and Forwarded. See forwarded.h. */
#include "server/net/forwarded.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { CHAIN_MOST = 32, NODE_MOST = 64 };

/* The senders, by each proxy on the way: the last ones. */
struct chain {
    struct str at[CHAIN_MOST];
    unsigned count;
};

static void chain_add(struct chain *chain, struct str node)
{
    if (chain->count == CHAIN_MOST)
        memmove(chain->at, chain->at + 1, --chain->count * sizeof *chain->at);
    chain->at[chain->count++] = node;
}

static struct str forwarded_trim_blanks(struct str text)
{
    while (text.n && (*text.p == ' ' || *text.p == '\t')) text.p++, text.n--;
    while (text.n && (text.p[text.n - 1] == ' ' || text.p[text.n - 1] == '\t')) text.n--;
    return text;
}

/* ---- a node: ADDRESS, IPV4:PORT, [IPV6] or [IPV6]:PORT ---- */

static bool read_node(struct str node, union link_address *address)
{
    char text[NODE_MOST];
    char *begin = text, *end;
    union link_address found = {0};
    if (node.n >= sizeof text) return false;
    memcpy(text, node.p, node.n);
    text[node.n] = 0;
    if (*text == '[') {
        begin = text + 1;
        end = strchr(begin, ']');
        if (!end || (end[1] && end[1] != ':')) return false;
        *end = 0;
    } else if ((end = strchr(text, ':')) && !strchr(end + 1, ':')) {
        *end = 0;
    }
    if (inet_pton(AF_INET, begin, &found.four.sin_addr) == 1)
        found.any.sa_family = AF_INET;
    else if (inet_pton(AF_INET6, begin, &found.six.sin6_addr) == 1)
        found.any.sa_family = AF_INET6;
    else
        return false;
    *address = found;
    return true;
}

/* ---- X-Forwarded-For ---- */

static void read_list(const char *list, struct chain *chain)
{
    for (;;) {
        size_t len = strcspn(list, ",");
        chain_add(chain, forwarded_trim_blanks((struct str){list, len}));
        if (!list[len]) return;
        list += len + 1;
    }
}

/* ---- Forwarded (RFC 7239, section 4): elements by commas, pairs NAME=VALUE by semicolons ---- */

/* Takes a token or the inside of a quoted string from *text; false: it is neither. */
static bool take_value(const char **text, struct str *value)
{
    const char *p = *text;
    if (*p != '"') {
        *value = (struct str){p, strcspn(p, " \t\",;=")};
        *text = p + value->n;
        return value->n;
    }
    size_t len = strcspn(p + 1, "\"\\"); /* no address has an escape in it */
    if (p[1 + len] != '"') return false;
    *value = (struct str){p + 1, len};
    *text = p + len + 2;
    return true;
}

static void skip_optional_blanks(const char **text)
{
    *text += strspn(*text, " \t");
}

/* One element, up to a comma or the end: its "for" is added, an empty one when it has none. */
static bool read_element(const char **text, struct chain *chain)
{
    struct str name, value, node = {"", 0};
    for (;;) {
        skip_optional_blanks(text);
        if (!take_value(text, &name) || **text != '=') return false;
        ++*text;
        if (!take_value(text, &value)) return false;
        if (name.n == 3 && strncasecmp(name.p, "for", 3) == 0) node = value;
        skip_optional_blanks(text);
        if (**text != ';') break;
        ++*text;
    }
    chain_add(chain, node);
    return !**text || **text == ',';
}

static bool read_elements(const char *text, struct chain *chain)
{
    while (read_element(&text, chain)) {
        if (!*text) return true;
        text++;
    }
    return false;
}

/* ---- the way back ---- */

static void follow_chain(const struct networks *trusted, const struct chain *chain,
                         union link_address *client)
{
    for (unsigned i = chain->count; i > 0 && networks_have(trusted, &client->any); i--)
        if (!read_node(chain->at[i - 1], client)) return;
}

static bool is_same_client(const union link_address *a, const union link_address *b)
{
    unsigned char first[NETWORK_KEY_BYTES], second[NETWORK_KEY_BYTES];
    bool has_first = network_key(&a->any, first), has_second = network_key(&b->any, second);
    return has_first == has_second && (!has_first || memcmp(first, second, sizeof first) == 0);
}

const struct fault *forwarded_client(const struct networks *trusted, const struct request *request,
                                     union link_address *client)
{
    static const struct fault malformed = {400, "ambiguous",
                                           "Forwarded does not have the form of RFC 7239"},
                              different = {400, "ambiguous",
                                           "X-Forwarded-For and Forwarded name different clients"};
    const char *list = fields_find(&request->headers, "X-Forwarded-For");
    const char *elements = fields_find(&request->headers, "Forwarded");
    struct chain by_list = {0}, by_elements = {0};
    union link_address other = *client;
    if (!networks_have(trusted, &client->any)) return NULL;
    if (list) read_list(list, &by_list);
    if (elements && !read_elements(elements, &by_elements)) return &malformed;
    follow_chain(trusted, list ? &by_list : &by_elements, client);
    if (!list || !elements) return NULL;
    follow_chain(trusted, &by_elements, &other);
    return is_same_client(client, &other) ? NULL : &different;
}

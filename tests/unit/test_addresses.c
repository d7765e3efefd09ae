/* Addresses: each has its own count, and what is not an IP address has none. */
#include "unit.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/un.h>

#include "server/net/addresses.h"

static struct sockaddr_storage address_of(const char *text)
{
    struct sockaddr_storage storage = {0};
    struct sockaddr_in *four = (void *)&storage;
    struct sockaddr_in6 *six = (void *)&storage;
    if (strchr(text, ':')) {
        six->sin6_family = AF_INET6;
        assert_int_equal(inet_pton(AF_INET6, text, &six->sin6_addr), 1);
    } else {
        four->sin_family = AF_INET;
        assert_int_equal(inet_pton(AF_INET, text, &four->sin_addr), 1);
    }
    return storage;
}

static bool enter(struct addresses *addresses, const char *text)
{
    struct sockaddr_storage storage = address_of(text);
    return addresses_enter(addresses, (struct sockaddr *)&storage);
}

static void leave(struct addresses *addresses, const char *text)
{
    struct sockaddr_storage storage = address_of(text);
    addresses_leave(addresses, (struct sockaddr *)&storage);
}

static void each_address_has_its_own_count(void **state)
{
    struct addresses *addresses = addresses_new(2);
    (void)state;
    assert_true(enter(addresses, "10.0.0.1"));
    assert_true(enter(addresses, "10.0.0.1"));
    assert_false(enter(addresses, "10.0.0.1"));
    assert_true(enter(addresses, "10.0.0.2"));
    assert_true(enter(addresses, "2001:db8::1"));
    leave(addresses, "10.0.0.1");
    assert_true(enter(addresses, "10.0.0.1"));
    assert_false(enter(addresses, "10.0.0.1"));
    leave(addresses, "10.0.0.1");
    leave(addresses, "10.0.0.1");
    leave(addresses, "10.0.0.2");
    leave(addresses, "2001:db8::1");
    addresses_free(addresses);
}

static void an_address_mapped_into_ipv6_is_the_same(void **state)
{
    struct addresses *addresses = addresses_new(1);
    (void)state;
    assert_true(enter(addresses, "192.0.2.7"));
    assert_false(enter(addresses, "::ffff:192.0.2.7"));
    leave(addresses, "::ffff:192.0.2.7");
    assert_true(enter(addresses, "192.0.2.7"));
    leave(addresses, "192.0.2.7");
    addresses_free(addresses);
}

static void a_unix_socket_has_no_limit(void **state)
{
    struct addresses *addresses = addresses_new(1);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(addresses_enter(addresses, (struct sockaddr *)&address));
    for (int i = 0; i < 3; i++) addresses_leave(addresses, (struct sockaddr *)&address);
    addresses_free(addresses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_address_has_its_own_count),
        cmocka_unit_test(an_address_mapped_into_ipv6_is_the_same),
        cmocka_unit_test(a_unix_socket_has_no_limit),
    };
    return RUN_TESTS(tests);
}

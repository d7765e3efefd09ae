/* parse(binding, text) for Node: takes the language as node-tree-sitter does, by its type tag. */
#define NAPI_VERSION 8
#include "../parses.h"

#include <node_api.h>
#include <stdlib.h>

static const napi_type_tag language_tag = {0x8AF2E5212AD58ABF, 0xD5006CAD83ABBA16};

static napi_value parse(napi_env env, napi_callback_info info)
{
    size_t count = 2, length = 0;
    napi_value arguments[2], language, result;
    bool tagged = false;
    void *pointer = NULL;
    if (napi_get_cb_info(env, info, &count, arguments, NULL, NULL) != napi_ok ||
        napi_get_named_property(env, arguments[0], "language", &language) != napi_ok ||
        napi_check_object_type_tag(env, language, &language_tag, &tagged) != napi_ok || !tagged ||
        napi_get_value_external(env, language, &pointer) != napi_ok ||
        napi_get_value_string_utf8(env, arguments[1], NULL, 0, &length) != napi_ok) {
        napi_throw_error(env, NULL, "parse takes a binding with a language, and a text");
        return NULL;
    }
    char *text = calloc(length + 1, 1);
    if (!text) abort();
    napi_get_value_string_utf8(env, arguments[1], text, length + 1, &length);
    napi_get_boolean(env, parses(pointer, text), &result);
    free(text);
    return result;
}

NAPI_MODULE_INIT()
{
    napi_value function;
    napi_create_function(env, "parse", NAPI_AUTO_LENGTH, parse, NULL, &function);
    napi_set_named_property(env, exports, "parse", function);
    return exports;
}

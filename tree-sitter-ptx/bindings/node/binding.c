/* The language for Node: { name, language }, the latter an External that node-tree-sitter takes. In
 * C, so that nothing but Node's own headers is needed to build it. */
#define NAPI_VERSION 8
#include <node_api.h>

#include "../c/tree_sitter/tree-sitter-ptx.h"

/* By this node-tree-sitter knows a language from other externals. */
static const napi_type_tag language_tag = {0x8AF2E5212AD58ABF, 0xD5006CAD83ABBA16};

static napi_value fail(napi_env env)
{
    napi_throw_error(env, NULL, "tree-sitter-ptx: Node could not take the language");
    return NULL;
}

NAPI_MODULE_INIT()
{
    napi_value language, name;
    if (napi_create_external(env, (void *)tree_sitter_ptx(), NULL, NULL, &language) != napi_ok ||
        napi_type_tag_object(env, language, &language_tag) != napi_ok ||
        napi_set_named_property(env, exports, "language", language) != napi_ok ||
        napi_create_string_utf8(env, "ptx", NAPI_AUTO_LENGTH, &name) != napi_ok ||
        napi_set_named_property(env, exports, "name", name) != napi_ok)
        return fail(env);
    return exports;
}

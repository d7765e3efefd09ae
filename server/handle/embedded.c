/* The .inc files are made from openapi.json and page.html by local.mk. */
#include "server/handle/embedded.h"

const unsigned char embedded_openapi[] = {
#include "server/handle/openapi.inc"
};
const size_t embedded_openapi_len = sizeof embedded_openapi;

const unsigned char embedded_page[] = {
#include "server/handle/page.inc"
};
const size_t embedded_page_len = sizeof embedded_page;

"""openapi.json itself: an OpenAPI 3.1 document, as far as its structure can be compared with the standard."""
import os
import re

from harness import *

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def main():
    documents()
    operations()
    sources()
    schemas()
    catalogs()


def nodes(node, where=""):
    """Every object in the document, with its place."""
    if isinstance(node, dict):
        yield where, node
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, one in inside:
        yield from nodes(one, f"{where}/{str(name).replace('~', '~0').replace('/', '~1')}")


def all_operations():
    for path_name, item in OPENAPI["paths"].items():
        for method in METHODS:
            if method in item:
                yield path_name, method, item, item[method]


def parameters_of(item, operation):
    return [resolve(one) for one in item.get("parameters", []) + operation.get("parameters", [])]


def documents():
    @case("openapi.json has the members that OpenAPI 3.1 asks for, and no other")
    def _():
        same(re.fullmatch(r"3\.1\.\d+", OPENAPI["openapi"]) is not None, True, "its version")
        for name in ("title", "version"):
            same(isinstance(OPENAPI["info"][name], str), True, "info: " + name)
        known = {"openapi", "info", "jsonSchemaDialect", "servers", "paths", "webhooks", "components", "security",
                 "tags", "externalDocs"}
        same(set(OPENAPI) - known, set())
        known = {"schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes",
                 "links", "callbacks", "pathItems"}
        same(set(OPENAPI["components"]) - known, set())

    @case("every $ref of openapi.json resolves")
    def _():
        for where, node in nodes(OPENAPI):
            target = node.get("$ref")
            if not isinstance(target, str):
                continue
            same(target.startswith("#/"), True, f"{where}: {target} is in this document")
            try:
                resolve(node)
            except (KeyError, TypeError):
                raise AssertionError(f"{where}: there is no {target}") from None

    @case("no component of openapi.json is unused")
    def _():
        used = {node["$ref"] for _, node in nodes(OPENAPI) if isinstance(node.get("$ref"), str)}
        kinds = set(OPENAPI["components"]) - {"securitySchemes"}
        same([f"#/components/{kind}/{name}" for kind in sorted(kinds) for name in OPENAPI["components"][kind]
              if f"#/components/{kind}/{name}" not in used], [])


def operations():
    @case("every operation has responses, each with a status and a description")
    def _():
        for path_name, method, _, operation in all_operations():
            same(bool(operation.get("responses")), True, f"{method} {path_name}")
            for status, response in operation["responses"].items():
                what = f"{method} {path_name}: {status}"
                same(re.fullmatch(r"[1-5](\d\d|XX)|default", status) is not None, True, what)
                same(isinstance(resolve(response).get("description"), str), True, what)
            same(any(status.startswith("2") for status in operation["responses"]), True, "a success")

    @case("every operation has an operationId of its own")
    def _():
        ids = [one.get("operationId", f"{method} {path_name} has none") for path_name, method, _, one in all_operations()]
        same(sorted(ids), sorted(set(ids)))
        same([one for one in ids if not re.fullmatch("[a-zA-Z]+", one)], [])

    @case("every operation may be refused for its head, and every answer has the headers that all have")
    def _():
        for path_name, method, _, operation in all_operations():
            what = f"{method} {path_name}"
            same({"400", "413", "414", "431"} - set(operation["responses"]), set(), what)
            same(any(one["name"] == "X-Request-Id" for one in parameters_of({}, operation)), True, what)
            for status, response in operation["responses"].items():
                if status == "414":  # libmicrohttpd's own
                    continue
                same({"X-Request-Id", "X-Content-Type-Options"} - set(resolve(response).get("headers", {})), set(),
                     f"{what}: {status}")
            same("ETag" in resolve(operation["responses"]["200"])["headers"],
                 any(one["name"] == "If-None-Match" for one in parameters_of({}, operation)), what + ": a tag to be named")

    @case("every parameter is declared once, and those of a path are in it")
    def _():
        for path_name, method, item, operation in all_operations():
            what = f"{method} {path_name}"
            all_of = parameters_of(item, operation)
            names = [(one["in"], one["name"]) for one in all_of]
            same(sorted(names), sorted(set(names)), what)
            same({name for where, name in names if where == "path"}, set(re.findall(r"\{([^}]*)\}", path_name)), what)
            for one in all_of:
                same(one["in"] in ("path", "query", "header", "cookie"), True, what)
                same(("schema" in one) != ("content" in one), True, f"{what}: the schema of {one['name']}")
                same(one["in"] != "path" or one.get("required"), True, f"{what}: {one['name']} is required")

    @case("what has a body is described by media types, each with a schema")
    def _():
        for path_name, method, _, operation in all_operations():
            bodies = [resolve(one) for one in operation["responses"].values()]
            if "requestBody" in operation:
                bodies.append(resolve(operation["requestBody"]))
                same(bool(bodies[-1].get("content")), True, f"{method} {path_name}")
            for kind, media in [pair for one in bodies for pair in one.get("content", {}).items()]:
                same(re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind) is not None and "schema" in media, True, kind)

    @case("security asks only for schemes that there are")
    def _():
        schemes = set(OPENAPI["components"].get("securitySchemes", {}))
        for one in [OPENAPI, *(operation for _, _, _, operation in all_operations())]:
            for choice in one.get("security", []):
                same(set(choice) - schemes, set())


def source(name):
    with open(os.path.join(SOURCE, "server", name)) as file:
        return file.read()


def sources():
    @case("the routes of routes.c are the operations of openapi.json")
    def _():
        rows = re.findall(r'\{"([A-Z]+)", "([^"]+)",( \.prefix)?', source("handle/routes.c"))
        same(len(rows) > 10, True, "rows found")
        described = {(method.upper(), re.sub(r"\{[^}]*\}$", "", path_name)) for path_name, method, _, _ in all_operations()}
        same(described, {(method, where) for method, where, _ in rows})

    @case("the options of input.c are those of queries and of JSON")
    def _():
        rows = re.findall(r'\{"(\w+)", FOR_(ONE|PAIR|LINT|TEXT|ANY), ', source("handle/input.c"))
        ones = {name for name, use in rows if use in ("ONE", "TEXT", "ANY")}
        pairs = {name for name, use in rows if use in ("PAIR", "ANY")}
        lints = {name for name, use in rows if use in ("LINT", "TEXT", "ANY")}
        schemas = OPENAPI["components"]["schemas"]
        same(set(schemas["Options"]["properties"]), ones)
        same(set(schemas["VerifyRequest"]["properties"]["options"]["properties"]), pairs)
        same(set(schemas["LintOptions"]["properties"]), lints)
        for where, known in (("/v1/optimize", ones), ("/v1/report", ones | {"format"}), ("/v1/lint", lints | {"format"})):
            parameters = parameters_of({}, OPENAPI["paths"][where]["post"])
            same({one["name"] for one in parameters if one["in"] == "query"}, known, where)


def schemas():
    name = "every schema of openapi.json is one of JSON Schema 2020-12, and requires only what it describes"
    if not jsonschema:
        skip(name, "python3-jsonschema is not installed")
        return

    @case(name)
    def _():
        found = [(where + "/schema", node["schema"]) for where, node in nodes(OPENAPI) if "schema" in node]
        found += [("/components/schemas/" + name, node) for name, node in OPENAPI["components"]["schemas"].items()]
        same(len(found) > 20, True, "schemas found")
        for where, schema in found:
            try:
                jsonschema.Draft202012Validator.check_schema(schema)
            except jsonschema.SchemaError as error:
                raise AssertionError(f"{where}: {error.message}") from None
            for inside, node in nodes(schema, where):
                if node.get("additionalProperties") is False and isinstance(node.get("required"), list):
                    same(set(node["required"]) - set(node.get("properties", {})), set(), inside)


def catalogs():
    @case("the names of rules and assumptions in openapi.json are those of /v1/rules and /v1/assumptions")
    def _():
        schemas = OPENAPI["components"]["schemas"]
        with Service() as service:
            rules = [one["id"] for one in service.ask("GET", "/v1/rules").json()]
            names = [one["name"] for one in service.ask("GET", "/v1/assumptions").json()]
        escaped = lambda all_of: "(" + "|".join(one.replace(".", "\\.") for one in all_of) + ")"
        same(schemas["OptionRules"]["pattern"], "^(all|none|{0}(,{0})*,?)$".format(escaped(rules)))
        same(schemas["NameList"]["pattern"], "^({0}(,{0})*,?)?$".format(escaped(names)))
        same(schemas["Names"]["oneOf"][1]["items"]["enum"], names)

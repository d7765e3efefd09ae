"""Prints server/openapi.json with the report formats as `docgen formats` lists them.

usage: openapi.py OPENAPI FORMATS

It fills in the values of `format`, and the media types of the routes' answers. A new media type is described as a
string.
"""
import json
import sys

FORMAT_ROUTES = ("/v1/report", "/v1/lint")
STORED = "/v1/results/{sha256}"
NEW_TYPE = {"schema": {"type": "string"}}


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        formats = dict(line.split()[:2] for line in file)
    types = list(dict.fromkeys(formats.values()))
    for path in FORMAT_ROUTES:
        route = document["paths"][path]["post"]
        for parameter in route["parameters"]:
            if parameter.get("name") == "format":
                parameter["schema"]["enum"] = list(formats)
        answer = route["responses"]["200"]
        known = answer["content"]
        kept = [one for one in known if one in types] + [one for one in types if one not in known]
        answer["content"] = {one: known.get(one, NEW_TYPE) for one in kept}
    stored = document["paths"][STORED]["get"]["responses"]["200"]["content"]
    for one in types:
        stored.setdefault(one, NEW_TYPE)
    print(json.dumps(document, indent=1))


main()

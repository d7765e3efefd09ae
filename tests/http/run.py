"""Runs the parts of this folder named on the command line, all of them without; prints TAP."""
import fnmatch
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import harness  # noqa: E402

PARTS = ("document", "routes", "batches", "heads", "origins", "proxies", "tokens", "framing", "limits", "generated", "observed", "page", "config", "life", "clocks", "isolation", "disk", "caches", "shared", "replicas", "restarts", "image", "program", "hostile")
GLOB = os.environ.get("CASES") or "*"  # see ../chosen.sh

for part in sys.argv[1:] or [part for part in PARTS if fnmatch.fnmatchcase("http/" + part, GLOB)]:
    __import__(part).main()
print(f"1..{harness.count}")

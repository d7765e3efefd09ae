"""Runs the parts of this folder named on the command line, all of them without; prints TAP."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import harness  # noqa: E402

for part in sys.argv[1:] or ("document", "routes", "batches", "heads", "origins", "framing", "limits", "page", "life", "clocks", "isolation", "caches", "shared", "replicas", "hostile"):
    __import__(part).main()
print(f"1..{harness.count}")

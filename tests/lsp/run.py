"""Runs the parts of this folder; prints TAP."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import client  # noqa: E402
import hostile  # noqa: E402
import neovim  # noqa: E402
import pygls_client  # noqa: E402
import races  # noqa: E402
import recipes  # noqa: E402
import talks  # noqa: E402

PARTS = (talks, hostile, neovim, pygls_client, races, recipes)

for part in PARTS:
    part.main()
print(f"1..{client.count}")

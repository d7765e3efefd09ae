#!/usr/bin/env bash
# What holds for every text of the tree; see invariants.c. Malformed ones are in tests/bad.
exec "$BUILDDIR/tests/invariants" "$EXPANDED"/{rules,isa,never,pipeline} examples

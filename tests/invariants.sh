#!/usr/bin/env bash
# Properties of every text of the tree; see invariants.c. Malformed texts are in tests/bad.
exec "$BUILDDIR/tests/invariants" "$EXPANDED"/{rules,isa,never,pipeline} examples

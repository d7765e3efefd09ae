#!/usr/bin/env bash
echo "1..0 # SKIP no cmocka: the unit tests were not built"

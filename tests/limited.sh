#!/usr/bin/env bash
# limited.sh MINUTES COMMAND...: ends a command that hangs, and all that it started. It is no test of speed: the limit is
# far beyond what the command takes on a busy machine, and what met it is said to have timed out.
minutes=$1
shift
# In the background, so that an interrupt of make reaches what timeout has put into a group of its own.
timeout -k 30 "${minutes}m" "$@" &
trap 'kill -TERM $! 2>/dev/null' INT TERM HUP
wait $!
status=$?
[ $status != 124 ] && [ $status != 137 ] || echo "Bail out! timed out after $minutes minutes: $*"
exit $status

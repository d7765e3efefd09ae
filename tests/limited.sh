#!/usr/bin/env bash
# limited.sh MINUTES COMMAND...: ends a command that hangs, and all its children. It is not a test of speed: the
# limit is far above the time of the command on a busy machine, and a command that reaches it is reported as timed
# out.
minutes=$1
shift
# In the background, so that an interrupt of make reaches the process group that timeout creates.
timeout -k 30 "${minutes}m" "$@" &
trap 'kill -TERM $! 2>/dev/null' INT TERM HUP
wait $!
status=$?
[ $status != 124 ] && [ $status != 137 ] || echo "Bail out! timed out after $minutes minutes: $*"
exit $status

# shellcheck shell=bash
# The texts that bench.sh, train.sh and ../limits.sh run on; source it.

# Prints the paths of the examples, one in each line.
examples() { printf '%s\n' "$SRCDIR"/examples/*/*.ptx; }

# multiply FILE BYTES: repeats the functions of FILE under new names until the text is that large. The text before
# the first function is kept once.
multiply() {
  awk -v want="$2" '
    !body && /^[[:space:]]*(\.visible |\.weak |\.extern )?\.(entry|func)/ { body = 1 }
    match($0, /\.(entry|func)[ \t]+(\([^)]*\)[ \t]*)?[A-Za-z_$%][A-Za-z0-9_$]*/) {
      name = substr($0, RSTART, RLENGTH); sub(/.*[ \t)]/, "", name); names[name] = 1
    }
    { if (body) part = part $0 "\n"; else head = head $0 "\n" }
    END {
      printf "%s", head
      for (size = length(head); size < want && length(part); n++) {
        copy = part
        for (name in names) { escaped = name; gsub(/\$/, "[$]", escaped); gsub(escaped, "&_" n, copy) }
        printf "%s", copy
        size += length(copy)
      }
    }' "$1"
}

# unread BYTES: prints a kernel of multiply without the words that make ptxopt read a text.
unread() {
  multiply "$SRCDIR/examples/attention/attention.ptx" $(($1 < 1000000 ? $1 : 1000000)) |
    sed 's/tcgen05/tensor5/g; s/\.proxy/.other/g' |
    awk -v want="$1" '{ part = part $0 "\n" } END { for (size = 0; size < want; size += length(part)) printf "%s", part }'
}

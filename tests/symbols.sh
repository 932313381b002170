#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the shared libraries export is what the public headers declare: no more, no less.
set -u
: "${srcdir:=.}"
command -v nm >/dev/null 2>&1 || { echo "SKIP: no nm"; exit 77; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

headers=$(ls "$srcdir"/include/berth/*.h)
[ "${WITH_OPENCL-yes}" = yes ] || headers=$(echo "$headers" | grep -v '/opencl\.h$')
# A declaration runs from BERTH_API to its semicolon; its name stands before the first "(".
# shellcheck disable=SC2086 # one word a header
cat $headers | tr '\n' ' ' | grep -o 'BERTH_API[^;{]*;' |
	sed 's/BERTH_MUST_CHECK//; s/(.*//; s/.*[ *]\([a-z0-9_]*\) *$/\1/' | sort -u >"$scratch/declared"
for library in lib/.libs/libberth.so replay/.libs/libberth-replay.so; do
	nm -D --defined-only "$library" || exit 1
done | awk '$2 ~ /[TDBRV]/ { print $3 }' | sed 's/@.*//' | sort -u >"$scratch/exported"

# Instrumented builds export the instrumentation's symbols as well.
grep '^berth' "$scratch/exported" >"$scratch/ours"
diff -u "$scratch/declared" "$scratch/ours" || { echo "FAILED: declared (-) and exported (+) differ"; exit 1; }
if [ "${WITH_SANITIZERS-no}" = no ] && ! cmp -s "$scratch/ours" "$scratch/exported"; then
	echo "FAILED: exported besides berth_*:"
	grep -v '^berth' "$scratch/exported"
	exit 1
fi
echo "$(wc -l <"$scratch/ours") symbols"

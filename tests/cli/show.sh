# The small trace (sample_trace.c), for people and for scripts.
"$BUILT/make_trace" small t.db
cp t.db "$TMPDIR/before.db"
try berth show t.db
for key in device program ops objects peak_bytes peak leaked failed bytes_moved untracked unanswered lost; do
	berth show --json t.db | grep -q "\"$key\":" || echo "the JSON lacks $key"
done
berth show --json t.db | grep -o '"peak_bytes": *[0-9]*' | tr -d ' '
cmp t.db "$TMPDIR/before.db" && echo "the trace is as it was"
# A full disk is not a success.
test ! -c /dev/full || berth show t.db 2>&1 >/dev/full
echo "[exit $?]"
list_files

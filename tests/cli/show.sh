# The small trace (sample_trace.c), for people and for scripts.
"$BUILT/make_trace" small t.db
cp t.db "$TMPDIR/before.db"
try berth show t.db
for key in device program ops objects peak_bytes peak leaked failed bytes_moved untracked unanswered lost; do
	berth show --json t.db | grep -q "\"$key\":" || echo "the JSON lacks $key"
done
berth show --json t.db | grep -o '"peak_bytes": *[0-9]*' | tr -d ' '
cmp t.db "$TMPDIR/before.db" && echo "the trace is as it was"
# With a transfer of what was there already.
"$BUILT/make_trace" residency r.db
try berth show --residency r.db
for key in writes reads needless_writes needless_reads perhaps_needless_writes perhaps_needless_reads \
	saved writes_without_digest lost ping_pong_count object_count objects turns first_op; do
	berth show --residency --json r.db | grep -q "\"$key\":" || echo "the JSON lacks $key"
done
try berth show --residency --json missing.db
rm r.db
# A full disk is not a success.
test ! -c /dev/full || berth show t.db 2>&1 >/dev/full
echo "[exit $?]"
list_files

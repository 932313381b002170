# What could be better in the small trace (sample_trace.c): buffer 2 is never released, buffer 1
# is not used once the image is.
"$BUILT/make_trace" small t.db
cp t.db "$TMPDIR/before.db"
try berth findings t.db
cmp t.db "$TMPDIR/before.db" && echo "the trace is as it was"
# On a device without images on buffers nothing can be shared; on a small one more is said.
try berth findings t.db --on sim:nvidia-h200
# For scripts.
berth findings t.db --json --junit f.xml >f.json
echo "[exit $?]"
for key in count lost findings rule title note text advice bytes time_ns op objects id kind label stack; do
	grep -q "\"$key\":" f.json || echo "the JSON lacks $key"
done
grep -o 'tests="[0-9]*" failures="[0-9]*"' f.xml
grep -c '<failure message="' f.xml
if command -v xmllint >/dev/null; then
	xmllint --noout f.xml || echo "xmllint finds errors"
fi
berth findings --rules | grep -c '^F-'
for rule in $(berth findings --rules | sed 's/ .*//'); do
	grep -q "^| \`$rule\` |" "$TOP_SRCDIR/doc/findings.md" || echo "doc/findings.md lacks $rule"
done
# What cannot be.
try berth findings
try berth findings missing.db
try berth findings t.db --on sim:nonsense-gpu 2>&1 | cut -c 1-60
berth findings t.db --junit no/such/folder 2>&1 >/dev/null
echo "[exit $?]"
"$BUILT/make_trace" damaged d.db
try berth findings d.db
rm d.db f.json f.xml
test ! -c /dev/full || berth findings t.db 2>&1 >/dev/full
echo "[exit $?]"
list_files

# A page of the small trace (sample_trace.c), and what is wrong usage.
"$BUILT/make_trace" small t.db
cp t.db "$TMPDIR/before.db"
try berth report t.db -o t.html
grep -c '<title>' t.html
try berth report t.db --output=t.html --title 'A <b>title</b>' --plan --on sim:adreno-650,sim:spec-minimum
grep '<title>' t.html
grep -c 'data:image/svg+xml;base64,' t.html
# The peak: 1 MiB + 2 MiB + 640 x 360 x 4 at op 6.
berth report t.db --json | grep -o '"peak":{"moment":[0-9]*' 
berth report t.db --json --on sim:adreno-650 --pool suballoc | grep -o '"name":"pool[^"]*"'
# To standard output it is the same page, but for its random number.
without_nonce() { sed 's/nonce[-=]"*[0-9a-f]*//g'; }
berth report t.db -o t.html
berth report t.db -o - | without_nonce >"$TMPDIR/stdout.html"
without_nonce <t.html | cmp - "$TMPDIR/stdout.html" && echo "the same"
# Nothing outside is named but the namespace of SVG.
grep -o "[a-z]*://[^\"' ]*" t.html | sort -u
rm t.html
try berth report t.db
try berth report t.db -o t.html --json
try berth report t.db -o t.html --pool suballoc
try berth report t.db -o t.html --on sim:nothing 2>&1 | sed 's/there are .*/.../'
try berth report t.db -o t.html --on sim:adreno-650 --pool nothing
try berth report t.db -o missing/t.html
try berth report missing.db -o t.html
"$BUILT/make_trace" damaged d.db
try berth report d.db -o t.html
rm d.db
test ! -c /dev/full || berth report t.db -o - 2>&1 >/dev/full
echo "[exit $?]"
cmp t.db "$TMPDIR/before.db" && echo "the trace is as it was"
list_files

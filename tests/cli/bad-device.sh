# Devices that cannot be had; the trace stays as it is.
"$BUILT/make_trace" small t.db
cp t.db "$TMPDIR/before.db"
berth devices --dump spec-minimum >good.ini
sed 's/^max_alloc_bytes = .*/max_alloc_bytes = many/' good.ini >value.ini
sed 's/^max_alloc_bytes = .*/max_allocation = 1/' good.ini >key.ini

try berth replay t.db --on nonsense
try_sed 's/: there are .*/: there are .../' berth replay t.db --on sim:nonsense
try berth replay t.db --on sim:missing.ini
: >empty.ini
try berth replay t.db --on sim:empty.ini
rm empty.ini
# Both are the file's own line and what is allowed there.
try berth replay t.db --on sim:value.ini
try berth replay t.db --on sim:key.ini
try_sed 's/ops: .*/ops: .../; /^ /d; /^[a-z ]*: *[0-9]/d; /^trace/d' berth replay t.db --on sim:good.ini
try berth devices --dump nonsense
cmp t.db "$TMPDIR/before.db" && echo "the trace is as it was"
list_files

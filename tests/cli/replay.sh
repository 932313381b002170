# The small trace (sample_trace.c) where it fits, and where it does not: 1 + 2 MiB
# of buffers fill 3 MiB, so the image of op 6 is refused, and its write and release
# have nothing to act on.
"$BUILT/make_trace" small t.db
cp t.db "$TMPDIR/before.db"
time='s/^\(elapsed: *\)[0-9.]* s/\1TIME/; s/"elapsed_ns":[0-9]*/"elapsed_ns":TIME/'
try_sed "$time" berth replay t.db --on sim:spec-minimum
try_sed "$time" berth replay t.db --on sim:spec-minimum --check
try_sed "$time" berth replay t.db --on sim:spec-minimum --memory 3M --ghost
try_sed "$time" berth replay t.db --on sim:spec-minimum --ghost --json
berth replay t.db --on sim:spec-minimum --memory 3M --json --before 0 |
	grep -o '"\(verdict\|recorded\|replayed\)":"[^"]*"\|"\(seq\|recorded_code\|replayed_code\)":[-0-9]*'
cmp t.db "$TMPDIR/before.db" && echo "the trace is as it was"
list_files

# The small trace (sample_trace.c) on its own plan: 1 and 2 MiB of buffers and an image of
# 921600 bytes, which are alive together, in one buffer of 4067328 bytes.
"$BUILT/make_trace" small t.db
time='s/^\(elapsed: *\)[0-9.]* s/\1TIME/'
try_sed "$time" berth replay t.db --on sim:adreno-650 --plan --check
berth replay t.db --on sim:adreno-650 --plan --ghost --json | grep -o '"plan":{[^}]*}'
# There is no room for the arena: nothing is replayed.
try_sed "$time" berth replay t.db --on sim:adreno-650 --plan --memory 3M
try berth replay t.db --on sim:adreno-650 --plan --pool naive
list_files

# Faults on the device of a replay, on the small trace (sample_trace.c): 10 ops, of
# which 3 create, of 1 MiB, 2 MiB and an image; and estimated times.
"$BUILT/make_trace" small t.db
summary='/^verdict\|^faults\|^estimated\|^  replayed\|^\[\|^\$\|^berth/!d'
try_sed "$summary" berth replay t.db --on sim:spec-minimum --fault nth=1
try_sed "$summary" berth replay t.db --on sim:spec-minimum --fault nth=2:buffer_create:CL_OUT_OF_HOST_MEMORY
try_sed "$summary" berth replay t.db --on sim:spec-minimum --ghost --fault budget=3M
try_sed "$summary" berth replay t.db --on sim:spec-minimum --fault lost=4
try_sed "$summary" berth replay t.db --on sim:spec-minimum --fault rate=1:seed=3:read,rate=0:write
# The fault lies below the pool: none of its blocks can be had.
try_sed "$summary" berth replay t.db --on sim:spec-minimum --pool suballoc --fault budget=1K
berth replay t.db --on sim:spec-minimum --fault nth=1 --json |
	grep -o '"faults":{[^}]*}\|"verdict":"[^"]*"'
for spec in nth=0 rate=2 budget=1X lost= nth=5:nothing nth=1, some=1 nth=1:CL_SUCCESS; do
	try berth replay t.db --on sim:spec-minimum --fault $spec
done

# 2 writes of 1 MiB and 640 x 360 x 4 bytes: 2 x 1000 ns + 1970176 / 2^30 s; 1 read.
cat >mine.ini <<'END'
[profile]
name = mine
source = a test
[caps]
cl_version = 3.0
global_mem_bytes = 128 MiB
max_alloc_bytes = 128 MiB
base_addr_align_bits = 1024
[memory]
capacity_bytes = 128 MiB
[transfer]
write_pageable_fixed_ns = 1000
write_pageable_bytes_per_second = 1 GiB
read_pageable_fixed_ns = 2000
END
try_sed "$summary" berth replay t.db --on sim:mine.ini
berth replay t.db --on sim:mine.ini --ghost --json | grep -o '"estimated_ns":[0-9]*\|"estimated":{[^}]*}'

# A device that crashes at op 8, which asks for a buffer of no bytes.
printf '[deviations]\nR24 = crash\n' >>mine.ini
try_sed 's/^\(elapsed: *\)[0-9.]* s/\1TIME/' berth replay t.db --on sim:mine.ini
berth replay t.db --on sim:mine.ini --json | grep -o '"lost_seq":[0-9]*'

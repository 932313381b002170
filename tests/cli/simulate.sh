# A program sees another device: its limits, its refusals with their codes, at their time.
need_recording
test -f "$TOP_BUILDDIR/layer/libberth-simulate-layer.la" || skip "no simulate layer"
here="s|$BUILT/cli/||"
on() { device=$1; shift; try_sed "$here" berth simulate --on "sim:$device" "$@"; }

on adreno-650 -- simulated_program limits
on adreno-650 --memory 256M --set image_pitch_align=32 -- simulated_program limits
# CL_DEVICE_TYPE_CPU is 2, _GPU is 4.
on adreno-650 --type gpu -- simulated_program limits | grep type:
try berth simulate --on sim:adreno-650 --type phone -- simulated_program limits
# One MiB over the largest object, which the profile says is 998073344 bytes (951.8 MiB): -61.
on adreno-650 --explain -- simulated_program buffer 952
on adreno-650 --memory 64M -- simulated_program buffer 64
# Commits at the first use: made, and then -4 from the kernel and from the read.
on nvidia-h200 --memory 16M --set max_alloc_bytes=64MiB --explain -- simulated_program buffer 32
on adreno-650 -- simulated_program image 16384
on adreno-650 --explain -- simulated_program image 16385
on adreno-650 --fault nth=1:buffer_create -- simulated_program buffer 1
on adreno-650 -- simulated_program fork

# Images on a buffer and on a part of one: 50 pixels of 4 bytes in rows of 256 bytes, which are 64
# pixels, the pitch alignment of the profile. PoCL itself makes none; a kernel writes through each.
on adreno-650 -- simulated_program alias 256
on adreno-650 --explain -- simulated_program alias 208
on videocore-iv -- simulated_program alias 256

# A trace of it replays on the same profile.
berth simulate --on sim:adreno-650 --record t.db -- simulated_program image 100 >/dev/null 2>&1
berth replay t.db --on sim:adreno-650 | head -1

# The program's exit status, and how not to start one.
on adreno-650 -- cl_program exit 7
on adreno-650 -- ./no-such-program
OCL_ICD_VENDORS=/no-such-driver on adreno-650 -- simulated_program limits
on no-such-device -- simulated_program limits 2>&1 | cut -c1-60
try berth simulate -- simulated_program limits
try berth simulate --on opencl:PoCL -- simulated_program limits
try berth simulate --on sim:adreno-650 --set nonsense=1 -- simulated_program limits 2>&1 | cut -c1-70
try berth simulate --on sim:adreno-650 --fault nonsense -- simulated_program limits 2>&1 | cut -c1-60
try berth simulate --on sim:adreno-650 --memory 0 -- simulated_program limits
echo '[caps]' >bad.ini
try berth simulate --on sim:./bad.ini -- simulated_program limits 2>&1 | cut -c1-60
list_files

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which programs run on which simulated device, and where they fail: the table of doc/simulate.md.
# Each runs under `berth simulate --explain`; a program that is not installed has no row. The first
# refusal stands in the cell, since what comes after it may only follow from it.
#
#	bench/simulate_programs.sh [PROFILE...]		BERTH names the tool
BERTH=${BERTH-berth}
OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd}
PYOPENCL_CTX=0
export OCL_ICD_VENDORS PYOPENCL_CTX
test $# -gt 0 || set -- pocl-3.1 adreno-650 mali-g610 nvidia-gtx-1650 videocore-iv spec-minimum

folder=$(mktemp -d "${TMPDIR:-/tmp}/berth-programs.XXXXXX") || exit 3
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 3

cat >opencv.py <<'PY'
import cv2, numpy
cv2.ocl.setUseOpenCL(True)
for width in (320, 640):
    image = cv2.UMat(numpy.full((200, width, 3), 90, numpy.uint8))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    cv2.resize(cv2.GaussianBlur(grey, (5, 5), 0), (100, 100)).get()
assert cv2.ocl.useOpenCL()
PY
cat >buffers.py <<'PY'
import numpy, pyopencl as cl, pyopencl.array as array
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
one = array.arange(queue, 1 << 20, dtype=numpy.float32)
assert float(array.sum(one + one).get()) > 0
PY
cat >largest.py <<'PY'
import pyopencl as cl
context = cl.create_some_context(interactive=False)
device, queue = context.devices[0], cl.CommandQueue(context)
size = min(device.max_mem_alloc_size, 256 << 20) // 4096 * 4096
for i in range(3):
    held = cl.Buffer(context, cl.mem_flags.READ_WRITE, size)
    cl.enqueue_fill_buffer(queue, held, bytes(4), 0, size)
cl.Image(context, cl.mem_flags.READ_ONLY, cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT), shape=(4096, 64))
PY

filter() {
	echo "ffmpeg -nostdin -y -loglevel error -init_hw_device opencl=ocl:0.0 -filter_hw_device ocl" \
	     "-f lavfi -i testsrc2=s=$1:d=0.5:r=10 -vf format=yuv420p,hwupload,$2,hwdownload,format=yuv420p" \
	     "-f null -"
}

# What the cell says of one run.
cell() {
	status=$1
	# Programs that end early release what they did not make: that is no reason.
	refused=$(sed -n '/clReleaseMemObject/d; s/^berth: \([^:]*\): .* refuses it with \([A-Z_]*\): \([^:]*\):.*/\1 \2 (\3)/p' log |
		head -n 1)
	own=$(grep -c "this machine's driver" log)
	test "$status" = 0 && test -z "$refused" && test "$own" = 0 && echo runs && return
	test "$own" = 0 || refused="${refused:-this machine's driver refused}"
	test "$status" = 0 && echo "runs; refused: $refused" && return
	echo "exit $status: ${refused:-nothing refused}"
}

row() {
	name=$1
	shift
	command -v "$1" >/dev/null || return
	timeout 60 "$@" >/dev/null 2>&1 || return
	printf '| %s ' "$name"
	for profile in $profiles; do
		timeout 60 "$BERTH" simulate --on "sim:$profile" --explain -- "$@" >log 2>&1
		printf '| %s ' "$(cell $?)"
	done
	echo '|'
}

profiles=$*
printf '| program '
printf '| %s ' $profiles
echo '|'
printf '|---'
for profile in $profiles; do printf '|---'; done
echo '|'
row "ffmpeg avgblur" $(filter 640x360 avgblur_opencl=sizeX=5)
row "ffmpeg avgblur, 3000 wide" $(filter 3000x200 avgblur_opencl=sizeX=5)
row "ffmpeg boxblur, transpose" $(filter 640x360 boxblur_opencl=5:1,transpose_opencl=clock)
row "ffmpeg erosion" $(filter 320x180 erosion_opencl)
row "OpenCV UMat" env OPENCV_OPENCL_DEVICE=:CPU: /usr/bin/python3 opencv.py
row "pyopencl arrays" /usr/bin/python3 buffers.py
row "pyopencl, largest buffers" /usr/bin/python3 largest.py
row "clblast_test_xaxpy" clblast_test_xaxpy -precision 32 -platform 0 -device 0
row "clinfo" clinfo

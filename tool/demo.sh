#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make demo: records a live OpenCL program on PoCL, then asks whether it would fit
# on an Adreno 650, and on one with little memory. Needs $BERTH; without ffmpeg and
# clpeak it takes $LIVE_PROGRAM, which `make check` builds.
set -u

scratch=$(mktemp -d "${TMPDIR:-/tmp}/berth-demo.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit 1
trace=demo.db
export OCL_ICD_VENDORS="${OCL_ICD_VENDORS-pocl.icd}"

step() {
	printf '\n== %s\n' "$1"
	shift
	printf '$ berth %s\n' "$*"
	"$BERTH" "$@"
}

record() {
	title=$1
	shift
	if ! step "$title" record -o "$trace" -- "$@" </dev/null >output 2>&1; then
		cat output >&2
		echo "demo: recording failed" >&2
		exit 1
	fi
	grep -e '^==' -e '^\$' -e '^berth:' output
}

if command -v ffmpeg >/dev/null; then
	record "ffmpeg blurs ten video frames with OpenCL" \
		ffmpeg -nostdin -y -loglevel error -init_hw_device opencl=ocl:0.0 -filter_hw_device ocl \
		-f lavfi -i testsrc2=s=640x360:d=1:r=10 \
		-vf format=yuv420p,hwupload,avgblur_opencl=sizeX=5,hwdownload,format=yuv420p -f null -
elif command -v clpeak >/dev/null; then
	record "clpeak measures transfers" clpeak --transfer-bandwidth
elif test -x "$LIVE_PROGRAM"; then
	record "the live program of Berth's own tests" "$LIVE_PROGRAM"
else
	echo "demo: no OpenCL program to record: install ffmpeg, or run 'make check' first" >&2
	exit 1
fi

step "what it did" show "$trace" || exit 1
step "would it run on an Adreno 650?" replay "$trace" --on sim:adreno-650
status=$?
test $status -le 1 || exit $status
step "and with half a MiB of memory? The first refusal is named" \
	replay "$trace" --on sim:adreno-650 --memory 512K --ghost
status=$?
test $status -le 1 || exit $status

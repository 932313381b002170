#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What recording and simulating costs whole programs that make many calls: wall time recorded over plain, runs
# interleaved, medians. Programs that are not installed are left out.
set -u

runs=${RUNS-9}
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3
export OCL_ICD_VENDORS=pocl.icd POCL_CACHE_DIR="$scratch" PYOPENCL_CTX=0

now() {
	date +%s%N
}

# NAME COMMAND: the median of each way, in ms, in the files of its name.
time_once() {
	began=$(now)
	"$@" >/dev/null 2>&1
	echo $((($(now) - began) / 1000))
}

median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

compare() {
	name=$1
	shift
	command -v "$1" >/dev/null || return
	"$@" >/dev/null 2>&1
	rm -f plain digest bare simulated
	for run in $(seq "$runs"); do
		time_once "$@" >>plain
		time_once "$BERTH" record -o t.db -- "$@" >>digest
		time_once "$BERTH" record -o t.db --no-digest -- "$@" >>bare
		time_once "$BERTH" simulate --on sim:pocl-3.1 -- "$@" >>simulated
	done
	ops=$(sqlite3 t.db 'SELECT count(*) FROM op')
	echo "$name|$ops|$(median plain)|$(median digest)|$(median bare)|$(median simulated)" |
		awk -F'|' '{ printf "%-26s %8d ops %9.1f ms  digests %.3f  without %.3f  simulated %.3f of plain\n", $1, $2, $3 / 1000, $4 / $3, $5 / $3, $6 / $3 }'
}

echo "whole programs, wall time recorded and simulated over plain, medians of $runs interleaved runs (PoCL)"
compare "clpeak kernel latency" clpeak --kernel-latency
compare "clblast_test_xaxpy" clblast_test_xaxpy -platform 0 -device 0
compare "ffmpeg avgblur, 200 frames" ffmpeg -nostdin -y -loglevel error -init_hw_device opencl=ocl:0.0 \
	-filter_hw_device ocl -f lavfi -i testsrc2=s=640x360:d=8:r=25 \
	-vf format=yuv420p,hwupload,avgblur_opencl=sizeX=5,hwdownload,format=yuv420p -f null -

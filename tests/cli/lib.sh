# SPDX-License-Identifier: Apache-2.0
# Functions for the cases.

skip() {
	echo "SKIP: $*"
	exit 77
}

# Run a command and print it, all that it prints, and its exit status.
try() {
	printf '$ %s\n' "$*"
	"$@" 2>&1
	printf '[exit %d]\n' $?
}

# As try, for commands whose output varies: filter it with the sed script $1.
try_sed() {
	try_sed_script=$1
	shift
	printf '$ %s\n' "$*"
	"$@" >"$TMPDIR/output" 2>&1
	try_sed_status=$?
	sed -e "$try_sed_script" "$TMPDIR/output"
	printf '[exit %d]\n' $try_sed_status
}

# Print the names of everything in the case's folder: nothing must be left behind.
list_files() {
	echo "files:" $(find . -mindepth 1 | LC_ALL=C sort)
}

need_layer() {
	test -f "$TOP_BUILDDIR/layer/libberth-layer.la" || skip "no OpenCL in this build"
}

# A driver and a layer to record $BUILT/cli/cl_program with.
need_recording() {
	need_layer
	"$BUILT/cli/cl_program" exit 0 >/dev/null 2>&1 || skip "no OpenCL driver"
	PATH=$BUILT/cli:$PATH
}

# Wait for a file to appear, at most 20 s.
wait_for() {
	wait_for_rounds=0
	until test -e "$1"; do
		wait_for_rounds=$((wait_for_rounds + 1))
		test $wait_for_rounds -lt 200 || return 1
		sleep 0.1
	done
}

# Where the loader loads no layers: as the program's libOpenCL, or preloaded.
need_recording
test -f "$TOP_BUILDDIR/layer/libberth-opencl.la" || skip "no recording libOpenCL for this processor"
# What is preloaded is before the runtime of a sanitizer that the program was built with.
ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS-}
export ASAN_OPTIONS
here="s|$BUILT/cli/||; s|\.libs/||"

for way in library preload; do
	echo "== $way"
	cl_program exit 3 >plain.txt
	berth record -o t.db --via $way -- cl_program exit 3 >recorded.txt 2>messages.txt
	echo "[exit $?]"
	cmp plain.txt recorded.txt && echo "the program's output is its own"
	sed "$here" messages.txt
	berth replay t.db --on sim:spec-minimum --check | sed -n 1p
done

echo "== a vendor's library"
try_sed "$here; s|'[^']*libOpenCL-vendor[^']*'|'VENDOR'|" berth record -o v.db -- vendor_program
try_sed "$here" berth record -o v.db --via preload -- vendor_program
berth show v.db | sed -n '/^ops/,/^objects/p; /^failed/,$p'

echo "== a library that is none"
BERTH_OPENCL=/nowhere/libOpenCL.so
export BERTH_OPENCL
try_sed "$here; s/libOpenCL.so: .*/libOpenCL.so: .../" berth record -o n.db --via library -- cl_program exit 0 | sed '/core dumped/d'
list_files

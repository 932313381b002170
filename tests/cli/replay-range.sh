# Parts of a trace, at the recorded times, on threads and queues of their own, with other limits.
"$BUILT/make_trace" script t.db <<END
buffer 1 1M
mark loaded
begin step
at 300
write 1 0 1M a
thread 2
queue 2
use kernel 1!
end step
at 600
read 1 0 1M
buffer 2 3M
release 2
release 1
END
time='s/^\(elapsed: *\)[0-9.]* s/\1TIME/'
counts() {
	berth replay t.db --on sim:spec-minimum "$@" | grep '^verdict\|^ops\|^before\|^peak\|^bytes'
}
echo "all:"; counts
echo "a phase:"; counts --from mark:step --to mark:step
echo "from a moment:"; counts --from mark:loaded
echo "to an op:"; counts --to 4
echo "behind what does not fit:"; counts --memory 2M --from 6
echo "what came before is refused:"; counts --memory 512K --from 5
echo "threads and queues:"; counts --threads --queues --check
seconds() {
	berth replay t.db --on sim:spec-minimum --json "$@" | grep -o '"elapsed_ns":[0-9]*' | cut -d: -f2
}
test "$(seconds --timing recorded)" -ge 600000000 && echo "takes 600 ms and more"
# from 300 to 600 ms, at half of the time
test "$(seconds --timing recorded:2 --from mark:step)" -ge 150000000 && echo "takes 150 ms and more"
try_sed "$time" berth replay t.db --on sim:spec-minimum --set capacity_bytes=2MiB --set max_alloc_bytes=2MiB \
	--junit r.xml
cat r.xml
for wrong in "--from 0" "--from 99" "--from mark:none" "--to x" "--from 5 --to 3" "--timing slow" \
	"--timing recorded:0" "--timing recorded:x" "--before 33" "--list 1000001" "--max-alloc 0" \
	"--set nonsense" "--set nonsense=3" "--set name=x" "--set caps.images=maybe" \
	"--set image_pitch_align=3" "--set max_alloc_bytes=0" "--junit no/such/folder/x.xml"; do
	try berth replay t.db --on sim:spec-minimum $wrong 2>&1 | grep '^\$\|^berth: \|^.exit'
done
try berth replay t.db --on recorded:7
try berth replay t.db --on recorded:x
list_files

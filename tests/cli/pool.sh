# A trace on pools: as many objects, fewer device allocations, the same answers.
golden=$TOP_SRCDIR/traces/pyopencl-wrapper-pocl.db
time='s/^\(elapsed: *\)[0-9.]* s/\1TIME/; s#'"'[^']*/traces/"'#'"'traces/"'#'
for policy in suballoc naive exact best-fit; do
	berth replay "$golden" --on sim:adreno-650 --pool $policy --check >out.txt
	echo "[exit $?]"
	sed -e "$time" out.txt | grep -e '^verdict' -e '^trace' -e '^pool' -e '^ '
done
berth replay "$golden" --on sim:adreno-650 --pool suballoc --ghost --json >pool.json
echo "[exit $?]"
grep -o '"\(images\|device_allocations\|passed_through\|pooled\|peak_held_bytes\)":[^,}]*' pool.json
"$BUILT/make_trace" small t.db
try berth replay t.db --on sim:adreno-650 --pool buddy

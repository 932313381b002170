# Signals sent to berth go on to the program; the trace is whole. (A shell
# starts background jobs with SIGINT ignored, so that one is left out.) Then a process that
# outlives the program.
need_recording
here="s|$BUILT/cli/||"

for signal in TERM HUP; do
	rm -f ready
	berth record -o t.db -- cl_program wait ready >output.txt 2>&1 &
	berth=$!
	wait_for ready || echo "the program did not start"
	kill -$signal $berth
	wait $berth 2>/dev/null
	echo "$signal: [exit $?]"
	sed "$here" output.txt
done

berth record -o left.db -- cl_program leave go >output.txt 2>&1 &
berth=$!
wait_for output.txt
until grep -q "waiting for processes" output.txt; do
	kill -0 $berth 2>/dev/null || break
	sleep 0.1
done
touch go
wait $berth
echo "left behind: [exit $?]"
sed "$here; s/left\.[0-9]*\.db/left.PID.db/" output.txt
rm ready go output.txt
list_files | sed 's/left\.[0-9]*\.db/left.PID.db/'

# Signals sent to berth go on to the program; the trace is whole. (A shell
# starts background jobs with SIGINT ignored, so that one is left out.) Then a process that
# outlives the program, and a signal to stop waiting for it.
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

rm go output.txt
berth record -o tired.db -- cl_program leave go >output.txt 2>&1 &
berth=$!
wait_for output.txt
until grep -q "waiting for processes" output.txt; do
	kill -0 $berth 2>/dev/null || break
	sleep 0.1
done
kill -TERM $berth
wait $berth
echo "tired of waiting: [exit $?]"
touch go
rounds=0
until berth recover tired.db.spool >output.txt 2>&1; do
	rounds=$((rounds + 1))
	test $rounds -lt 200 || break
	sleep 0.1
done
sed 's/tired\.[0-9]*\.db/tired.PID.db/; s/ of .*:/:/' output.txt

# The signals that berth itself was started with: its child's end must be seen, and a reader
# of its messages that went away must not matter.
(trap '' CHLD; exec berth record -o t.db -- cl_program exit 7) 2>&1 | sed "$here"
{ sleep 0.5; berth record -o t.db -- cl_program exit 7 >/dev/null; echo $? >code; mv code status; } 2>&1 | :
wait_for status
echo "nobody reads: [exit $(cat status)]"
rm ready go output.txt status
list_files | sed 's/\(left\|tired\)\.[0-9]*\.db/\1.PID.db/g'

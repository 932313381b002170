# The recorder is killed: the spool stays, is refused while the program lives, and
# gives the whole trace afterwards.
need_recording
here="s|$BUILT/cli/||"

berth record -o t.db -- sh -c 'echo $$ >pid; exec cl_program wait ready' >output.txt 2>&1 &
berth=$!
wait_for ready || echo "the program did not start"
kill -KILL $berth
wait $berth 2>/dev/null
echo "killed: [exit $?]"
test -d t.db.spool && echo "the spool is there"
try berth record -o t.db -- echo started
try_sed "s/process [0-9]*/process PID/" berth recover t.db.spool
kill -TERM $(cat pid)
while kill -0 $(cat pid) 2>/dev/null; do sleep 0.1; done
echo precious >other
try berth recover t.db.spool -o other
try_sed "$here" berth recover t.db.spool/
berth show t.db | grep '^[eol]'
rm pid ready output.txt
list_files

# What a recorder leaves that was killed before the program used OpenCL; and a spool
# that cannot be made: the program has no room for it, and runs all the same.
mkdir early.db.spool && : >early.db.spool/recorder.lock
try berth recover early.db.spool
(ulimit -f 100; exec berth record -o small.db -- cl_program exit 7) >output.txt 2>&1
echo "[exit $?]"
sed "s/process [0-9]*/process PID/; s|'/.*/[^/]*.spool'|'SPOOL'|; s/of [0-9]* bytes/of N bytes/" output.txt
rm output.txt
list_files

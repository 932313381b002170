# Threads and queues of the program on a real driver: the content is the same, and the driver
# sees as many threads and queues as the program had.
need_recording
command -v sqlite3 >/dev/null 2>&1 || skip "no sqlite3"
berth devices --json 2>/dev/null | grep -q Portable || skip "no PoCL"
"$BUILT/make_trace" script t.db <<END
buffer 1 64K
buffer 2 64K
write 1 0 64K a
queue 2
thread 2
copy 1 2 64K
queue 3
thread 3
read 2 0 64K
queue 1
thread 1
write 2 0 64K b
queue 4
copy 2 1 64K
queue 2
thread 2
read 1 0 64K
sync
release 2
release 1
END
for options in "" "--threads" "--queues" "--threads --queues"; do
	try berth replay t.db --on opencl:Portable --check $options |
		grep '^\$\|^verdict\|^content\|^.exit'
done
# The replay is an OpenCL program as well: what it does can be recorded.
berth record -o again.db -- berth replay t.db --on opencl:Portable --queues --threads >/dev/null 2>&1
sqlite3 -readonly again.db "SELECT count(DISTINCT thread), count(DISTINCT queue) FROM op
	WHERE kind IN (8, 9, 10) AND queue > 0"
berth record -o again.db -- berth replay t.db --on opencl:Portable >/dev/null 2>&1
sqlite3 -readonly again.db "SELECT count(DISTINCT thread), count(DISTINCT queue) FROM op
	WHERE kind IN (8, 9, 10) AND queue > 0"

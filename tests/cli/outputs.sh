# What is written goes over nothing that is read, and turns no device or pipe into a file.
printf 'id,lower,upper,size\na,0,3,64\nb,1,2,32\n' >lives.csv
berth import lives.csv -o t.db >/dev/null
cp t.db kept.db
ln -s t.db link.db
try berth export t.db -f csv -o t.db
try berth export t.db -f csv -o link.db
try berth report t.db -o ./t.db
try berth findings t.db --junit t.db
try berth replay t.db --on sim:adreno-650 --junit t.db
try berth compare t.db --on sim:adreno-650 --pool verbatim --row t.db
try berth import lives.csv -o lives.csv
cmp t.db kept.db && echo "the trace is as it was"

# A pipe stays one; what is written to it comes out.
mkfifo pipe
berth export t.db -f csv -o plain.csv
for command in "export t.db -f csv -o pipe" "report t.db -o pipe" \
	"compare t.db --on sim:adreno-650 --pool verbatim --row pipe"; do
	cat pipe >read.out &
	try berth $command
	test -p pipe && wait
	test -s read.out && echo "it was read"
	case $command in export*) cmp read.out plain.csv ;; esac
done
try berth import lives.csv -o pipe
test -p pipe && echo "still a pipe"

# A byte order mark in front, as spreadsheets write it.
{ printf '\357\273\277' && cat lives.csv; } >marked.csv
try berth import marked.csv -o marked.db

# A snapshot whose history of a device is a number: {"device_traces": [5]}.
printf '\200\002}X\015\000\000\000device_traces]K\005as.' >number.pickle
try berth import number.pickle -o number.db

# Ended in the middle: what was begun is removed. The log takes far longer than a round of the loop.
awk 'BEGIN { print "Thread,Time,Action,Pointer,Size,Stream"
	for (i = 1; i <= 400000; i++)
		printf "1,00:00:00,%s,0x%x,64,0\n", i % 2 ? "allocate" : "free", int((i + 1) / 2) }' >long.csv
berth import long.csv -o long.db >/dev/null
interrupt() {
	berth "$@" >/dev/null 2>&1 &
	berth=$!
	until test -e half.tmp$berth; do
		kill -0 $berth 2>/dev/null || break
	done
	kill -TERM $berth
	wait $berth 2>/dev/null
	echo "$1: [exit $?]"
}
interrupt import long.csv -o half
interrupt export long.db -f chrome -o half
list_files

# A name that is no UTF-8 is no reason for JSON that is none.
odd=$(printf 'odd\377.db')
cp kept.db "$odd"
berth compare "$odd" --on sim:adreno-650 --pool verbatim --json | grep -o '"trace":"[^"]*"'
berth diff "$odd" kept.db --json | grep -c '"a":"odd\\ufffd.db"'

# Wrong usage: exit status 2, one message that says what would be right.
try berth
try berth nonsense
try berth help nonsense
try berth show
try berth show a b
try berth show --nonsense a
try berth record
try berth record -o
try berth record -o "" -- true
try berth replay a
try berth replay a --on
try berth devices a b
"$BUILT/make_trace" small t.db
for size in 0 12X K -1 1KK 99999999999G; do
	try berth replay t.db --on sim:spec-minimum --memory $size
done
list_files

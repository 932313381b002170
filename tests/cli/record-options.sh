# What is recorded, from where on and up to where: marks, content, stacks, sizes, signals.
need_recording
"$BUILT/cli/marked_program" 1 || skip "no OpenCL driver that the program can use"
here="s|$BUILT/cli/||"

kinds() {
	berth show "$1" | sed -n '/^ended/p; /^begins/p; /^ops/,/^objects/p'
}

echo "== marks and names"
berth record -o all.db -- marked_program 20 2>/dev/null
kinds all.db
berth show all.db | sed -n '/^leaked/,/^failed/p'
sqlite3 all.db "SELECT text, bits, object IS NULL FROM op JOIN name ON name.id = op.name WHERE kind = 17 ORDER BY seq"

echo "== from a mark on"
berth record -o late.db --start-mark run -- marked_program 20 2>/dev/null
kinds late.db
try_sed 's/^\(elapsed: *\).*/\1TIME/' berth replay late.db --on sim:spec-minimum --check

echo "== a mark that does not come"
berth record -o never.db --start-mark nothing -- marked_program 20 2>/dev/null
kinds never.db

echo "== up to a size"
berth record -o short.db --max-size 250K -- marked_program 20000 2>/dev/null
echo "[exit $?]"
berth show short.db | sed -n '/^ended/,/max-size/p'
test "$(stat -c %s short.db)" -lt 2000000 && echo "the trace is short"
berth replay short.db --on sim:spec-minimum | sed -n 1p

echo "== content"
berth record -o content.db --payload 8K -- marked_program 20 2>/dev/null
sqlite3 content.db "SELECT count(DISTINCT digest), sum(length(bytes)) FROM payload"
berth replay content.db --on sim:spec-minimum --check | sed -n '/^verdict/p; /^recorded/p'
sqlite3 content.db "UPDATE op SET digest = zeroblob(16) WHERE seq = (SELECT max(seq) FROM op WHERE kind = 9)"
berth replay content.db --on sim:spec-minimum --check | sed -n '/^verdict/p; /^recorded/p; /digest/p'

echo "== waits"
berth record -o waits.db --split-waits -- marked_program 20 2>/dev/null
kinds waits.db | sed -n '/sync/p; /write/p; /read/p'

echo "== stacks"
berth record -o stacks.db --stacks -- marked_program 20 2>/dev/null
sqlite3 stacks.db "SELECT count(*) > 1, (SELECT count(*) FROM op_stack) > 80 FROM stack"
sqlite3 stacks.db "SELECT count(*) FROM op JOIN op_stack ON op_stack.op = seq WHERE kind IN (16, 21)"
if sqlite3 stacks.db "SELECT 1 FROM frame WHERE function IS NOT NULL LIMIT 1" | grep -q 1; then
	berth show stacks.db | sed -n '/^leaked/,/^failed/p' | sed -n 's/^ *\(make[a-z_]*\|main\)[.a-z0-9]* at .*/\1/p'
	berth show --json stacks.db | grep -o '"function":"make_forgotten'
else
	printf '%s\n' make make_forgotten main '"function":"make_forgotten'
fi

echo "== a signal"
berth record -o signal.db --mark-signal USR1 -- marked_program 5 ready go 2>/dev/null &
berth=$!
wait_for ready || echo "the program did not start"
berth top --once signal.db | sed -n 's/.*\(alive.*objects\).*/\1/p; /weights/p'
berth top --json signal.db | grep -o '"alive":[0-9]*'
kill -USR1 $berth
# The mark is written before the program goes on: berth looks for signals every few ms.
sleep 0.5
touch go
wait $berth
echo "[exit $?]"
sqlite3 signal.db "SELECT text FROM op JOIN name ON name.id = op.name WHERE kind = 17 AND object IS NULL ORDER BY seq"
try berth top --once nothing.db

echo "== children"
rm -f go
cat >background.sh <<'END'
(sleep 0.5; marked_program 1) &
END
berth record -o child.db --wait-children -- sh background.sh 2>/dev/null
berth show child.db | sed -n '/^objects/p'

try berth record --payload 1K --no-digest -- true
try berth record --payload x -- true
try berth record --stack-depth 0 -- true
try berth record --start-after x -- true
try berth record --max-size 0 -- true
try berth record --mark-signal KILL -- true
try berth record --via magic -- true

# Two runs of one program, and what the second does otherwise.
run() { "$BUILT/make_trace" script "$1.db"; }
program() {
	cat <<END
buffer 1 1M
write 1 0 1M input
buffer 2 ${1-2M}
copy 1 2 1M
use scale 1 2!
${2-}
read 2 0 1M ${3-result}
release 2
release 1
END
}
program | run a
program | run same
program 4M | run larger
program 2M "" otherwise | run content
program 2M "fail -61 buffer 3 5G" | run failing
program 2M "image 3 640x360 RGBA UNORM_INT8" | run leaking
program | sed 5,99d | run short
# Objects that were numbered otherwise, and a thread that is another, are no difference.
program | sed 's/\<1\>/11/; s/\<2\>/22/; s/ 1 2!/ 11 22!/; 1i thread 7' | run renumbered
for other in same renumbered larger content failing leaking short; do
	try berth diff a.db $other.db
done
try berth diff content.db a.db --no-content
try berth diff leaking.db a.db --json
try berth diff content.db a.db --json
try berth diff a.db none.db
try berth diff a.db
list_files

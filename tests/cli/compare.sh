# One program on devices where it fits, where it does not, and where it is refused.
"$BUILT/make_trace" script a.db <<END
buffer 1 1M
buffer 2 2M
sub 3 2 64 1024
write 1 0 1M a
copy 1 2 1M
release 3
release 2
buffer 4 3M
use kernel 4!
read 4 0 1K
release 4
release 1
END
"$BUILT/make_trace" script "b 'two'.db" <<END
buffer 1 100
END
try berth compare a.db "b 'two'.db" --on recorded,sim:spec-minimum --pool verbatim,exact --plan
try berth compare a.db --on recorded --memory 3M --pool verbatim --set base_addr_align_bits=8
try berth compare "b 'two'.db" --on recorded --on sim:spec-minimum --max-alloc 64 --markdown
berth compare a.db --on recorded,sim:spec-minimum --csv --pool verbatim | sed 's/,[0-9][0-9]*$/,TIME/'
berth compare a.db --on recorded --json --pool suballoc | sed 's/"elapsed_ns":[0-9]*/"elapsed_ns":TIME/'

# Each cell as a command of its own, two at once, gives the same table.
mkdir rows
berth compare a.db "b 'two'.db" --on recorded,sim:spec-minimum --plan --memory 3M --jobs rows >jobs
cat jobs
tr '\n' '\0' <jobs | xargs -0 -n 1 -P 2 sh -c
berth compare --collect rows/*.json >collected
berth compare a.db "b 'two'.db" --on recorded,sim:spec-minimum --plan --memory 3M >direct
cmp collected direct && echo "the same table"

echo nonsense >rows/a.txt
echo '{"trace":"a.db"}' >rows/b.txt
printf 'a\0b' >rows/c.txt
head -c 70000 /dev/zero | tr '\0' ' ' >rows/d.txt
: >rows/e.txt
for wrong in "" "--on recorded --pool buddy" "--on , a.db" "--on recorded --parallel 0" \
	"--on recorded --jobs none" "--on recorded --jobs a.db" "--on recorded --row x.json" "--on recorded --pool verbatim --row no/such/x.json"; do
	try berth compare a.db $wrong
done
for row in rows/?.txt rows/none.json; do
	try berth compare --collect rows/000001.json $row
done
try berth compare none.db --on recorded --pool verbatim
try berth compare a.db --on sim:none,recorded --pool verbatim --parallel 1
rm -r rows
list_files

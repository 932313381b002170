# Inputs that are none, options without meaning, plans of something else: a message that says
# where, and no file left behind.
echo "What is this?" >prose.csv
: >empty.csv
printf 'id,lower,upper,size\na,0,2,4\nb,4,4,4\n' >reversed.csv
printf 'id,lower,upper,size\na,0,,4\n' >missing.csv
printf 'id,lower,upper,size\na,0,2,4\na,1,2,4\n' >twice.csv
printf 'id,lower,upper,size\na,0,2,18446744073709551615\nb,1,2,18446744073709551615\n' >huge.csv
printf 'id,lower,upper,size,offset\na,0,2,4,0\nb,1,3,4,2\n' >pinned.csv
printf 'id,lower,upper,layout\na,0,2,linear float16 4\n' >layout.csv
printf 'MODEL m\nALLOC 1 4\n' >unfreed.txt
printf 'MODEL m\nALLOC 1 4\nFREE 1\nMODEL n\n' >two.txt
printf 'id,lower,upper,size\na,0,2,4\nb,1,2,4\n' >good.csv
printf 'id,offset\na,0\n' >half.csv
printf 'id,offset\na,0\nb,4\nc,8\n' >other.csv
mkdir folder
for file in none folder prose.csv empty.csv reversed.csv missing.csv twice.csv huge.csv \
	pinned.csv layout.csv unfreed.txt; do
	try berth plan $file
done
"$BUILT/make_trace" damaged damaged.db
try berth plan damaged.db
try berth plan good.csv --max-alloc 3
try berth plan good.csv --by-use
try berth plan good.csv --on sim:nonsense
try berth plan good.csv --model m
try berth plan two.txt -o plan.csv
try berth plan good.csv --check half.csv
try berth plan good.csv --check other.csv
try berth plan good.csv --check none
try berth plan good.csv --check good.csv
try berth plan good.csv --check half.csv --svg plan.svg
try berth plan good.csv -o no/such/folder
try berth plan good.csv --svg no/such/folder
try berth plan good.csv --time 0
try berth plan good.csv --time soon
try berth plan good.csv --seed -1
try berth plan good.csv --max-alloc 0
list_files

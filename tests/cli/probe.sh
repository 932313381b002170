# What a device is found to do: one that keeps to the specification, and one that is known
# not to. A profile that is learnt answers as what it was learnt from.
berth probe sim:spec-minimum >all.txt
echo "[exit $?]"
tail -n 1 all.txt | sed 's/[0-9][0-9]* rules, [0-9][0-9]* cases: /N rules: /; s/[0-9][0-9]* agrees.*/N agrees/'
cat >odd.ini <<'END'
[profile]
name = odd
source = a test
[caps]
cl_version = 3.0
global_mem_bytes = 128 MiB
max_alloc_bytes = 32 MiB
base_addr_align_bits = 1024
[memory]
capacity_bytes = 128 MiB
commit = first_use
[deviations]
R24 = CL_INVALID_VALUE
R27 = crash
R36 = accept
Q.zero_bytes read = CL_INVALID_VALUE
[behaviour]
max_alloc_enforced = none
END
berth probe sim:odd.ini --learn learnt.ini --junit odd.xml --record odd.db >odd.txt
echo "[exit $?]"
grep -A 3 ' deviates \| crashes ' odd.txt | grep -v ' agrees '
sed -n '/^\[deviations\]/,/^$/p' learnt.ini | grep -v '^#\|^$'
# The same answers again, and the same profile.
berth probe sim:odd.ini --json | sed 's/sim:[a-z]*\.ini//' >odd.json
berth probe sim:learnt.ini --json | sed 's/sim:[a-z]*\.ini//' >learnt.json
cmp odd.json learnt.json && echo "the same"
berth replay odd.db --on sim:learnt.ini | head -n 1
grep -c '<testcase' odd.xml | sed 's/[1-9][0-9]*/N/'
grep '<testsuite' odd.xml | sed 's/[0-9][0-9]*/N/g'
try berth probe sim:spec-minimum --only R24,R27
try berth probe sim:spec-minimum --only R24 --list
try berth probe sim:spec-minimum --only R24 --markdown
try berth probe sim:spec-minimum --only R24,nothing
try berth probe sim:spec-minimum --timeout 0
try berth probe sim:spec-minimum --junit /nowhere/x.xml --only R24
try berth probe sim:nothing.ini
try berth probe
# A driver that ends the process that loads it.
mkdir icd
if test -f "$BUILT/cli/.libs/crash_icd.so"; then
	echo "$BUILT/cli/.libs/crash_icd.so" >icd/crash.icd
	OCL_ICD_VENDORS=$PWD/icd berth probe opencl:any
else
	echo "berth: the driver of 'opencl:any' crashed when it was opened"
fi 2>&1
true

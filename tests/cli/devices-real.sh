# A real device; its name and its numbers are the machine's.
need_recording
OCL_ICD_VENDORS=pocl.icd
cl_program exit 0 >/dev/null 2>&1 || skip "no PoCL"
berth devices >list.txt
echo "[exit $?]"
grep -A 1 "^'opencl:Portable" list.txt |
	sed '/^ /s/^  *[0-9.]* .*[a-z]$/  VERSION ... MODE/'
berth devices --json | grep -o '"device":"opencl:[^"]*"'
# Every name that is listed can be pasted behind --on.
name=$(grep "^'opencl:Portable" list.txt | head -n 1)
"$BUILT/make_trace" small fits.db
eval "berth replay fits.db --on $name" | head -n 1

# Profiles are listed whatever the drivers do; here there is none, and one that crashes.
need_layer
OCL_ICD_VENDORS=$TMPDIR/none.so berth devices >list.txt
echo "[exit $?]"
head -n 2 list.txt
grep -c '^sim:[a-z]' list.txt
OCL_ICD_VENDORS=$TMPDIR/none.so berth devices --json | grep -o '"device":"[^"]*"' | head -n 3
# The table in the documentation is this one.
grep '^|' "$TOP_SRCDIR/doc/profiles.md" >documented.txt
berth devices --markdown | diff - documented.txt && echo "doc/profiles.md is current"
berth devices --dump adreno-650 >a.ini
echo "[exit $?]"
grep '^name' a.ini
OCL_ICD_VENDORS=$BUILT/cli/.libs/crash_icd.so berth devices 2>error.txt >list2.txt
echo "[exit $?]"
cat error.txt
cmp list.txt list2.txt

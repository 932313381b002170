# The rules as a table: one, some, all, and the documentation made of them.
try berth rules R38
try berth rules R21 --json
sed -n '/^| row |/,$p' "$TOP_SRCDIR/doc/rules.md" >documented.txt
berth rules --markdown | diff - documented.txt && echo "doc/rules.md is current"
berth rules | grep -c '^[RQ]' >count.txt
berth rules --json | grep -o '"rule"' | grep -c . | cmp - count.txt && echo "as many in JSON"
try berth rules R9999
try berth rules --markdown R38
try berth rules R38 R39

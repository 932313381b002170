# Files that are no trace, of a newer version, truncated, or damaged inside. Each is
# refused with status 3 and stays as it is.
echo "not a database at all, but long enough to be looked at" >text.db
: >empty.db
"$BUILT/make_trace" foreign foreign.db
"$BUILT/make_trace" newer newer.db
"$BUILT/make_trace" damaged damaged.db
"$BUILT/make_trace" small whole.db
head -c 5000 whole.db >truncated.db
mkdir folder.db

cp -r . "$TMPDIR/before"
for file in missing text empty foreign newer truncated damaged folder; do
	try berth show $file.db
	try berth replay $file.db --on sim:spec-minimum
done
diff -r . "$TMPDIR/before" && echo "all files are as they were"

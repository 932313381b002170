# Traces that cannot be written: found out before the program starts (it would print).
need_layer
echo precious >notes.txt
: >empty
mkdir folder left.db.spool
for file in notes.txt empty folder notes.txt/t.db /proc/t.db missing/t.db left.db; do
	try berth record -o $file -- echo started
done
try berth record -o t.db --spool missing -- echo started
try env BERTH_LAYER=missing.so berth record -o t.db -- echo started
cat notes.txt
mkdir other.spool
try berth recover left.db.spool
try berth recover missing.spool
try berth recover other.spool -o notes.txt
try berth recover folder -o t.db
list_files

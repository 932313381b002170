# Plans of a table, of allocation lists and of the small trace (sample_trace.c), there and
# back through a file; expected sizes are beside the inputs.
time='s/; [0-9.]* s$/; TIME/; s/"elapsed_ns":[0-9]*/"elapsed_ns":TIME/g; s/ [0-9.]*$/ TIME/'

# At 1 and 2 two of 4 bytes are alive beside c: 4 + 4 + 8.
cat >net.csv <<'END'
id,lower,upper,size
a,0,3,4
b,3,9,4
c,0,9,8
d,1,3,4
END
try_sed "$time" berth plan net.csv
try berth plan net.csv -o plan.csv --svg plan.svg --seed 7 --time 1 >/dev/null
try berth plan net.csv --check plan.csv
grep -c '<title>' plan.svg
# One arena cannot hold all of it: 8 and 8.
try_sed "$time" berth plan net.csv --max-alloc 8

# One byte of a is one byte of c.
cat >overlap.csv <<'END'
id,offset
a,7
b,8
c,0
d,12
END
sed 's/^a,7/a,8/' overlap.csv >valid.csv
try berth plan net.csv --check valid.csv
try berth plan net.csv --check overlap.csv

cat >lists.txt <<'END'
# two models
MODEL first
ALIGN 64
ALLOC 1 100
ALLOC 2 100
FREE 1
ALLOC 3 128
FREE 2
FREE 3
MEM 256
MODEL second
ALLOC 1 10
FREE 1
END
try_sed "$time" berth plan lists.txt
try_sed "$time" berth plan lists.txt --model first
try_sed "$time" berth plan lists.txt --json

# 1 MiB and 2 MiB of buffers and an image of 921600 bytes, alive together at op 6. Rows of
# 640 texels of 4 bytes are a multiple of 64 texels.
"$BUILT/make_trace" small t.db
cp t.db "$TMPDIR/before.db"
try_sed "$time" berth plan t.db --on sim:adreno-650
try_sed "$time" berth plan t.db --by-use --json
cmp t.db "$TMPDIR/before.db" && echo "the trace is as it was"

# (1,22,20,20,4) float32: 400 texels of 16 bytes, 22 rows; 64 pixels make 7168 a row.
cat >textures.csv <<'END'
id,lower,upper,layout
t,0,2,texture-nhwc float32 1x22x20x20x4
b,2,3,linear float32 1x22x20x20x4
END
try_sed "$time" berth plan textures.csv --on sim:adreno-650
list_files

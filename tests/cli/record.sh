# A recorded program prints what it prints and ends as it ends; the trace has its ops.
need_recording
here="s|$BUILT/cli/||"

cl_program exit 0 >plain.txt
berth record -o t.db -- cl_program exit 0 >recorded.txt 2>messages.txt
echo "[exit $?]"
cmp plain.txt recorded.txt && echo "the program's output is its own"
sed "$here" messages.txt
berth show t.db | sed -n '/^ops/,/^objects/p; /^leaked/p'

try_sed "$here" berth record -o t.db -- cl_program exit 7
# 6 and 9: berth ends by the same signal, which a shell shows as 128 + its number.
try_sed "$here" berth record -o t.db -- cl_program raise 6
try_sed "$here" berth record -o t.db -- cl_program raise 9
try_sed "$here" berth record -o t.db --no-digest -- cl_program exit 0
try_sed "$here" berth record -o t.db --spool "$TMPDIR" -- cl_program exit 0 | grep -v '^\$'
# The default name, and options of the program that look like berth's.
try_sed "$here" berth record cl_program exit 0 -o x

try_sed 's/^\(elapsed: *\).*/\1TIME/' berth replay t.db --on sim:spec-minimum --check
list_files

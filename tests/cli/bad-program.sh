# A program that cannot run, or makes no OpenCL call: no file is left.
need_layer
printf '#!/nonexistent/interpreter\n' >script
echo plain >plain
chmod 755 script
try berth record -o t.db -- ./missing
try berth record -o t.db -- ./plain
try berth record -o t.db -- ./script
try berth record -o t.db -- true
try berth record -o t.db -- sh -c 'echo its output; exit 7'
try berth record -- true
try berth recover .
list_files

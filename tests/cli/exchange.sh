# Out and in again: the same peak and objects; files that are none are refused with their place.
summary() {
	berth show --json "$1" | sed 's/.*"objects":\({[^}]*}\).*"peak_bytes":\([0-9]*\).*/\1 \2/'
}

# Around midnight: 256 + 512 alive together, one refused, one never freed.
cat >log.csv <<'END'
Thread,Time,Action,Pointer,Size,Stream
1,23:59:59.500000,allocate,0x100,256,0x0
1,23:59:59.600000,allocate,0x200,512,0x0
1,00:00:00.500000,free,0x100,256,0x0
1,00:00:01.000000,allocate failure,(nil),4096,0x0
1,00:00:01.500000,allocate,0x100,128,0x0
END
try berth import log.csv -o log.db
summary log.db
for format in rmm csv plan; do
	berth export log.db --format $format -o again.$format
	berth import again.$format -o again.db >/dev/null
	summary again.db
done
berth export log.db --format csv -o first.csv
berth import first.csv -o second.db >/dev/null
berth export second.db --format csv -o second.csv
cmp first.csv second.csv && echo "the same table"
berth export log.db --format chrome -o log.json
grep -c '"ph":"X"' log.json
grep -o '"args":{"bytes":[0-9]*}' log.json

bad() {
	printf "$1" >bad.csv
	try berth import bad.csv -o bad.db
	test ! -e bad.db || echo "a trace is there"
}
head='Thread,Time,Action,Pointer,Size,Stream\n'
bad "${head}1,00:00:00,free,0x1,8,0\n"
bad "${head}1,00:00:00,allocate,0x1,8,0\n1,00:00:00,allocate,0x1,8,0\n"
bad "${head}1,00:00:00,allocate,0x1,-8,0\n"
bad "${head}1,00:00:00,allocate,0x1,18446744073709551616,0\n"
bad "${head}1,24:00:00,allocate,0x1,8,0\n"
bad "${head}1,00:00:00,allocate,0x1\n"
bad "${head}1,00:00:00,alloc\000ate,0x1,8,0\n"
bad 'name,size\nx,4\n'
bad 'seq,kind,status,object,bytes\n1,buffer_create,0,1,8\n'
bad 'seq,kind,status,object,bytes\n2,buffer_create,0,1,8\n'
bad '\200\004cos\nsystem\n.'
bad '\200\004X\377\377\377\377'
bad '\200\004]q\000.'
list_files
bad 'kind,status,object,bytes,name\nbuffer_create,0,1,8,\nrelease,0,1,,\nbuffer_create,0,1,8,\nend,,,,exit\n'

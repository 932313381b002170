# The rules of Chrome's trace event format, on each golden trace: slices of a thread nest,
# asynchronous events begin before they end and do end, a counter has one number.
command -v python3 >/dev/null || skip "no python3"
cat >check.py <<'END'
import decimal, json, sys
needs = {'X': {'ts', 'dur', 'tid', 'pid', 'args'}, 'C': {'ts', 'pid', 'args'},
         'b': {'id', 'ts', 'cat'}, 'e': {'id', 'ts', 'cat'}, 'i': {'s', 'ts'}, 'M': {'args'}}
def check(path):
    with open(path, encoding='utf-8') as file:
        events = json.load(file, parse_float=decimal.Decimal)['traceEvents']
    threads, lives, named, calls = {}, {}, set(), 0
    for event in events:
        assert needs[event['ph']] <= set(event) and event['name'] is not None, event
        if event['ph'] == 'X':
            calls += 1
            threads.setdefault(event['tid'], []).append((event['ts'], -event['dur']))
        elif event['ph'] == 'C':
            assert list(event['args']) == ['bytes'] and event['args']['bytes'] >= 0, event
        elif event['ph'] in 'be':
            lives.setdefault((event['cat'], event['id'], event['name']), []).append(event)
        elif event['ph'] == 'M' and event['name'] == 'thread_name':
            named.add(event['tid'])
    assert named == set(threads)
    for slices in threads.values():
        ends = []
        for begin, minus in sorted(slices):
            end = begin - minus
            while ends and ends[-1] <= begin:
                ends.pop()
            assert not ends or end <= ends[-1], (begin, end, ends[-1])
            ends.append(end)
    for key, life in lives.items():
        assert [e['ph'] for e in life] == ['b', 'e'] * (len(life) // 2), key
        assert all(a['ts'] <= b['ts'] for a, b in zip(life, life[1:])), key
    return calls
for path in sys.argv[1:]:
    print(check(path))
END
for trace in "$TOP_SRCDIR"/traces/*.db; do
	name=$(basename "$trace" .db)
	berth export "$trace" --format chrome -o "$name.json" || continue
	calls=$(python3 check.py "$name.json")
	berth export "$trace" --format csv -o calls.csv
	rows=$(grep -c '^[0-9]' calls.csv)
	test "$calls" = "$rows" && echo "$name: each call is there"
done
# Calls of one thread that overlap, as an imported table may say; the last encloses all.
cat >overlap.csv <<'END'
kind,status,object,bytes,t_ns,dur_ns,thread,name
sync,0,,,1000,1000,1,
sync,0,,,1500,1000,1,
sync,0,,,1500,500,1,
sync,0,,,0,9000,1,
end,,,,,,,exit
END
berth import overlap.csv -o overlap.db >/dev/null
berth export overlap.db --format chrome -o overlap.json
python3 check.py overlap.json
grep -o '"ts":[0-9.]*,"dur":[0-9.]*' overlap.json

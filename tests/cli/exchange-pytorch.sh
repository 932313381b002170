# Snapshots as PyTorch documents them, made with Python's own pickle in each protocol; nothing in
# one is executed. Before the history: 1000 that it frees, and a block of 2000 that is there at
# the end (of 2048). Then 4096, freed, one refused, and 8192: at most 2000 + 8192 at once.
command -v python3 >/dev/null || skip "no python3"
cat >make.py <<'END'
import pickle
frames = [{'filename': '??', 'line': 0, 'name': 'c10'},
          {'filename': '/home/x/model.py', 'line': 12, 'name': 'forward'}]
first = 1700000000000000
low, high = 0x7f0000000000, 0x7f0000200000
events = [('free_completed', low, 1000), ('segment_alloc', high, 2097152), ('alloc', high, 4096),
          ('free_requested', high, 4096), ('free_completed', high, 4096), ('oom', None, 1 << 40),
          ('alloc', high, 8192)]
trace = []
for i, (action, address, size) in enumerate(events):
    event = {'action': action, 'size': size, 'stream': 0, 'frames': frames, 'time_us': first + i}
    if address is not None:
        event['addr'] = address
    trace.append(event)
def block(size, requested, state):
    return {'size': size, 'requested_size': requested, 'state': state, 'frames': frames}
segments = [{'device': 0, 'address': low, 'total_size': 2097152, 'blocks': [
                 block(1024, 1000, 'inactive'), block(2048, 2000, 'active_allocated')]},
            {'device': 0, 'address': high, 'total_size': 2097152, 'blocks': [
                 block(8192, 8192, 'active_allocated')]}]
def write(name, value, protocol):
    with open(name, 'wb') as file:
        pickle.dump(value, file, protocol)
for protocol in range(6):
    write(f'{protocol}.pickle', {'segments': segments, 'device_traces': [trace, []]}, protocol)
class Evil:
    def __reduce__(self):
        return open, ('executed', 'w')
write('evil.pickle', {'segments': [], 'device_traces': [[Evil()]]}, 4)
twice = [trace[2], trace[2]]
write('twice.pickle', {'device_traces': [twice]}, 4)
ends = [trace[2], trace[4], trace[4]]
write('ends.pickle', {'device_traces': [ends]}, 4)
write('negative.pickle', {'device_traces': [[dict(trace[2], size=-1)]]}, 4)
write('overflow.pickle', {'device_traces': [[dict(trace[2], size=1 << 64)]]}, 4)
# One list a thousand times in one a thousand times: a million devices' worth in some kilobytes.
marks = [{'action': 'snapshot'}] * 100000
write('bomb.pickle', {'device_traces': [marks] * 1000}, 4)
part = [dict(trace[1], action='segment_map'), dict(trace[1], action='segment_unmap', size=1048576)]
write('part.pickle', {'device_traces': [part]}, 4)
with open('deep.pickle', 'wb') as file:
    file.write(b'\x80\x04' + b']' * 1000000 + b'a' * 999999 + b'.')
with open('cut.pickle', 'wb') as file:
    file.write(open('4.pickle', 'rb').read()[:-1])
END
python3 make.py
try berth import 4.pickle -o torch.db
berth show --json torch.db | sed 's/.*"peak_bytes":\([0-9]*\).*/\1/'
berth show --json torch.db | grep -o '"label":"[^"]*"' | sort | uniq -c | sed 's/^ *//'
for protocol in 2 3 5; do
	berth import $protocol.pickle -o again.db >/dev/null
	berth export torch.db --format csv -o first.csv
	berth export again.db --format csv -o second.csv
	cmp first.csv second.csv && echo "protocol $protocol: the same"
done
try berth import 4.pickle --segments -o segments.db --json
try berth import part.pickle --segments -o bad.db
for name in 0 evil twice ends negative overflow bomb deep cut; do
	try berth import $name.pickle --format pytorch -o bad.db
done
test ! -e executed || echo "it was executed"
test ! -e bad.db || echo "a trace is there"

// SPDX-License-Identifier: Apache-2.0
// ---- what was alive ----

const OBJECT_COLUMNS = [
	{ name: 'Object', value: nameOf, node: objectLink },
	{ name: 'Kind', value: object => kindOf(object) + (object.geometry ? ' ' + object.geometry : '') },
	{ name: 'Bytes', value: object => object.bytes, show: bytes, number: true },
	{ name: 'Made by op', value: object => object.created, show: whole, number: true },
	{ name: 'Gone with op', value: object => object.ends, number: true,
		show: value => number(value) ? whole(value) : 'never' },
];

function showMoment() {
	const op = number(moments.op[chosen]);
	const alive = objects.filter(object => isAlive(object, op));
	const named = alive.reduce((sum, object) => sum + number(object.bytes), 0);
	const others = number(moments.alive[chosen]) - alive.length;
	const peak = chosen === data.peak.moment;
	byId('alive-title').textContent = peak ? 'Alive at the peak' : 'Alive at the moment';
	byId('alive-text').textContent = 'After op ' + whole(moments.op[chosen]) + ', ' +
		seconds(moments.ns[chosen]) + ' into the recording: ' + bytes(moments.bytes[chosen]) +
		' (' + whole(moments.bytes[chosen]) + ') in ' + objectCount(moments.alive[chosen]) +
		(others > 0 ? '; the table names ' + alive.length + ', the others have ' +
			bytes(Math.max(0, number(moments.bytes[chosen]) - named)) + '.' : '.');
	table(byId('alive'), null, OBJECT_COLUMNS, alive, { column: 2, down: true });
}

// ---- the rest of the page ----

function showHead() {
	const list = byId('facts');
	const started = new Date(number(data.started_ms));
	fact(list, 'Program', data.program || 'unknown');
	fact(list, 'Command', data.command || 'unknown');
	for (const device of data.recorded_on)
		fact(list, 'Recorded on', device.name + ' (' + device.platform + ', ' + device.driver +
			'), ' + bytes(device.capacity));
	fact(list, 'Recorded', number(data.started_ms) > 0 && !isNaN(started) ?
		started.toISOString().replace('T', ' ').slice(0, 19) + ' UTC' : 'unknown');
	fact(list, 'Operations', whole(data.ops));
	fact(list, 'Peak', bytes(data.peak.bytes) + ' at op ' + whole(data.peak.op));
	fact(list, 'Never released', objectCount(data.leaked.count) + ', ' + bytes(data.leaked.bytes));
}

function showWarnings() {
	const list = byId('warnings');
	const say = text => list.appendChild(element('li', text));
	const untracked = data.untracked.reduce((sum, call) => sum + number(call.count), 0);
	if (number(data.lost) > 0)
		say(whole(data.lost) + ' records were lost, for want of room: all numbers are too small.');
	if (data.never_began)
		say('The point that the recording was to begin at did not come.');
	else if (number(data.before_ops) > 0)
		say('The trace begins late: its first ' + whole(data.before_ops) +
			' operations make what was alive by then.');
	if (data.end !== 'exit')
		say('The process did not end in order (' + (data.end || 'unknown') +
			'): it might have released what is never released here.');
	if (number(data.unanswered) > 0)
		say(whole(data.unanswered) + ' calls never returned: the process ended in them.');
	if (untracked > 0)
		say(whole(untracked) + ' calls were seen that are not modelled; memory that they ' +
			'made is in no curve: see the table.');
	if (!list.firstChild) list.remove();
}

function showDevices() {
	if (!data.devices.length) return;
	byId('devices-section').hidden = false;
	const most = device => device.held.reduce((a, b) => Math.max(a, number(b)), 0);
	table(byId('devices'), null, [
		{ name: 'Device', value: device => device.name },
		{ name: 'Capacity', value: device => device.capacity, show: bytes, number: true },
		{ name: 'Largest allocation', value: device => device.max_alloc, show: bytes, number: true },
		{ name: 'Peak held', number: true, value: device => device.held ? most(device) : -1,
			show: value => value < 0 ? 'not simulated' : bytes(value) },
		{ name: 'Refused', number: true, value: device => device.held ? device.refused : -1,
			show: (value, device) => number(value) < 0 ? 'not simulated' : number(value) === 0 ? 'none' :
				whole(value) + ', first op ' + whole(device.first_refused) },
	], data.devices);
}

function showComparison() {
	const known = show => value => value === null ? '' : show(value);
	if (!data.comparison) return;
	byId('comparison-section').hidden = false;
	const text = (name, key) => ({ name: name, value: row => row[key] || '' });
	const figure = (name, key, show) => ({ name: name, number: true, value: row => row[key], show: known(show) });
	table(byId('comparison'), 'By berth compare', [
		text('Trace', 'trace'), text('Device', 'device'), text('Policy', 'policy'),
		text('Outcome', 'outcome'), text('Verdict', 'verdict'),
		figure('Peak', 'peak_bytes', bytes), figure('Capacity', 'capacity_bytes', bytes),
		figure('Allocations', 'device_allocations', whole),
		figure('Unused', 'unused_percent', value => value + ' %'),
		figure('Estimated', 'estimated_ns', seconds),
	], data.comparison);
}

// An object by its id, as a link where the page has it.
function linkById(id, text) {
	const object = objectById.get(String(id));
	return object ? objectLink(object) : element('span', text);
}

const WHY = {
	leaked: 'leaked', in_flight: 'in use by a command that was not waited for',
	kept: 'kept in use until the end', alive_at_end: 'alive when the recording ended',
};

function showLeaked() {
	const leaked = data.leaked;
	const text = number(leaked.count) === 0 ? 'Everything was released.' :
		objectCount(leaked.count) + ', ' + bytes(leaked.bytes) + (leaked.objects.length <
			number(leaked.count) ? '; the first ' + leaked.objects.length + ' are here.' : '.');
	byId('leaked-text').textContent = text;
	if (leaked.objects.length === 0) return;
	table(byId('leaked'), null, [
		{ name: 'Object', value: object => object.label || object.kind + ' ' + object.id,
			node: object => linkById(object.id, object.label || object.kind + ' ' + object.id) },
		{ name: 'Bytes', value: object => object.bytes, show: bytes, number: true },
		{ name: 'Made by op', value: object => object.created, show: whole, number: true },
		{ name: 'Why', value: object => WHY[object.why] || object.why },
	], leaked.objects);
}

function findingNode(finding) {
	const node = element('article');
	const links = element('p', null, { class: 'links' });
	node.appendChild(element('h3', (finding.note ? 'Note: ' : '') + finding.title));
	node.appendChild(element('p', finding.text));
	node.appendChild(element('p', finding.advice, { class: 'hint' }));
	for (const object of finding.objects) {
		if (!object.kind) continue;
		links.appendChild(linkById(object.id, object.label || object.kind + ' ' + object.id));
		links.appendChild(document.createTextNode(' '));
	}
	if (links.firstChild) node.appendChild(links);
	return node;
}

function showFindings() {
	const node = byId('findings');
	if (!data.findings) return;
	byId('findings-section').hidden = false;
	if (data.findings.length === 0)
		node.appendChild(element('p', 'Nothing was found by the rules of berth findings.'));
	for (const finding of data.findings) node.appendChild(findingNode(finding));
}

function showCounts() {
	const pairs = of => Object.keys(of).map(key => ({ key: key, value: of[key] }));
	const plain = [
		{ name: 'Operation', value: row => row.key },
		{ name: 'Calls', value: row => row.value, show: whole, number: true },
	];
	table(byId('counts'), 'Calls by kind', plain, pairs(data.counts));
	table(byId('moved'), 'Bytes moved', [
		{ name: 'How', value: row => row.key },
		{ name: 'Bytes', value: row => row.value, show: bytes, number: true },
	], pairs(data.moved));
	table(byId('failed'), data.failed.length ? 'Refused calls' : 'No call was refused.', [
		{ name: 'Operation', value: row => row.kind },
		{ name: 'Code', value: row => row.code },
		{ name: 'Calls', value: row => row.count, show: whole, number: true },
		{ name: 'First op', value: row => row.first_op, show: whole, number: true },
	], data.failed);
	table(byId('untracked'), data.untracked.length ? 'Seen, but not modelled' :
		'Every call that was seen is modelled.', [
		{ name: 'Function', value: row => row.name },
		{ name: 'Calls', value: row => row.count, show: whole, number: true },
	], data.untracked);
}

function showMeasures() {
	const select = byId('measure');
	const add = (value, text) => select.appendChild(element('option', text, { value: value }));
	add('bytes', 'as the driver says');
	add('requested', 'requested, without padding');
	data.devices.forEach((device, i) => {
		if (device.held) add(String(i), 'held by ' + device.name);
	});
}

// The page begins with the largest object of the peak.
function showLargest() {
	const op = number(moments.op[chosen]);
	const alive = objects.filter(object => isAlive(object, op));
	if (alive.length)
		showObject(alive.reduce((a, b) => number(b.bytes) > number(a.bytes) ? b : a));
}

showHead();
showWarnings();
showMeasures();
drawChart();
showMoment();
showLargest();
showDevices();
showComparison();
showFindings();
showLeaked();
showCounts();
byId('footer').textContent = 'Made by Berth ' + data.made_by + ' from a trace of Berth ' +
	(data.recorded_by || 'unknown') + '. One span of the chart is ' + whole(data.span_ops) +
	' operations, and shows its exact maximum.';
byId('capacities-label').hidden = data.devices.length === 0;
for (const id of ['by', 'measure', 'axis', 'capacities']) byId(id).addEventListener('change', drawChart);
let width = chart.clientWidth;
window.addEventListener('resize', () => {
	if (chart.clientWidth === width) return;
	width = chart.clientWidth;
	drawChart();
});
document.documentElement.setAttribute('data-ready', Math.round(performance.now()));

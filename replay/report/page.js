// SPDX-License-Identifier: Apache-2.0
// The page of a trace. Text from the trace goes into the page by textContent alone.
'use strict';
(function () {
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const moments = data.moments;
const count = moments.op.length;
const SVG = 'http://www.w3.org/2000/svg';
const COLOURS = ['#4c78a8', '#f58518', '#54a24b', '#e45756', '#72b7b2', '#b279a2', '#eeca3b',
	'#9d755d', '#ff9da6', '#6b6ecf', '#17a2b8'];
const REST_COLOUR = '#8a929c';

// ---- words and numbers ----

// Numbers that JavaScript would round come as strings.
const number = value => Number(value);
const whole = value => typeof value === 'string' ? value : value.toLocaleString('en');

function bytes(value) {
	const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
	let left = number(value), unit = 0;
	while (left >= 1024 && unit < units.length - 1) {
		left /= 1024;
		unit++;
	}
	return (unit === 0 ? String(left) : left.toFixed(left < 10 ? 2 : 1)) + ' ' + units[unit];
}

function seconds(ns) {
	const value = number(ns);
	if (value < 1e3) return value + ' ns';
	if (value < 1e6) return (value / 1e3).toFixed(1) + ' µs';
	if (value < 1e9) return (value / 1e6).toFixed(2) + ' ms';
	return (value / 1e9).toFixed(3) + ' s';
}

const objectCount = value => number(value) === 1 ? '1 object' : whole(value) + ' objects';

// ---- elements ----

function element(name, text, attributes) {
	const made = document.createElement(name);
	if (text !== undefined && text !== null) made.textContent = text;
	for (const key in attributes || {}) made.setAttribute(key, attributes[key]);
	return made;
}

function drawn(name, attributes, text) {
	const made = document.createElementNS(SVG, name);
	for (const key in attributes) made.setAttribute(key, attributes[key]);
	if (text !== undefined) made.textContent = text;
	return made;
}

function empty(node) {
	while (node.firstChild) node.removeChild(node.firstChild);
	return node;
}

// A sortable table. Columns: name, value(row), show(value, row), number, node(row).
function table(node, caption, columns, rows, sort) {
	let by = sort ? sort.column : -1, down = sort ? sort.down : false;
	function order() {
		if (by < 0) return rows;
		const value = columns[by].value;
		return rows.slice().sort((a, b) => {
			const x = value(a), y = value(b);
			const less = columns[by].number ? number(x) - number(y) :
				String(x).localeCompare(String(y));
			return down ? -less : less;
		});
	}
	function heading(column, index) {
		const cell = element('th', null, { scope: 'col' });
		const button = element('button', column.name + (index === by ? down ? ' ▼' : ' ▲' : ''));
		if (column.number) cell.className = 'number';
		cell.setAttribute('aria-sort',
			index !== by ? 'none' : down ? 'descending' : 'ascending');
		button.addEventListener('click', () => {
			down = index === by ? !down : !!column.number;
			by = index;
			draw();
			node.querySelectorAll('th button')[index].focus();
		});
		cell.appendChild(button);
		return cell;
	}
	function draw() {
		empty(node);
		if (caption) node.appendChild(element('caption', caption));
		if (rows.length === 0) return;
		const head = node.appendChild(element('thead')).appendChild(element('tr'));
		columns.forEach((column, index) => head.appendChild(heading(column, index)));
		const body = node.appendChild(element('tbody'));
		for (const row of order()) {
			const line = body.appendChild(element('tr'));
			for (const column of columns) {
				const cell = line.appendChild(element('td'));
				if (column.number) cell.className = 'number';
				if (column.node) cell.appendChild(column.node(row));
				else cell.textContent = (column.show || String)(column.value(row), row);
			}
			if (row.id !== undefined) line.setAttribute('data-object', row.id);
		}
		mark();
	}
	draw();
}

// ---- objects ----

const objects = data.objects.map(row => {
	const object = {};
	data.columns.forEach((name, i) => { object[name] = row[i]; });
	return object;
});
const objectById = new Map(objects.map(object => [String(object.id), object]));
let chosenObject = null;

const kindOf = object => data.kinds[object.kind];
const nameOf = object => object.label || kindOf(object) + ' ' + object.id;
const isAlive = (object, op) => number(object.created) <= op &&
	(number(object.ends) === 0 || number(object.ends) > op);

// Shows what is chosen in all tables.
function mark() {
	for (const line of document.querySelectorAll('tr[data-object]'))
		line.classList.toggle('chosen', chosenObject !== null &&
			line.getAttribute('data-object') === String(chosenObject.id));
}

function objectLink(object) {
	const button = element('button', nameOf(object), { type: 'button', class: 'link' });
	button.addEventListener('click', () => {
		showObject(object);
		byId('object-title').focus({ preventScroll: false });
	});
	return button;
}

function fact(list, name, value) {
	const pair = list.appendChild(element('div'));
	pair.appendChild(element('dt', name));
	pair.appendChild(element('dd', value));
}

function lifeOf(object) {
	const total = Math.max(1, data.ops);
	const begin = 1000 * number(object.created) / total;
	const end = 1000 * (number(object.ends) || total) / total;
	const svg = drawn('svg', { class: 'life', viewBox: '0 0 1000 24', role: 'img',
		preserveAspectRatio: 'none', 'aria-label': 'Its life in the run' });
	svg.appendChild(drawn('rect', { class: 'all', x: 0, y: 8, width: 1000, height: 8 }));
	svg.appendChild(drawn('rect', { class: 'alive', x: begin, y: 4,
		width: Math.max(2, end - begin), height: 16 }));
	for (const use of [object.first_use, object.last_use])
		if (number(use) > 0)
			svg.appendChild(drawn('rect', { class: 'use', x: 1000 * use / total,
				y: 0, width: 2, height: 24 }));
	return svg;
}

function transfersOf(object) {
	const kinds = [['written by the host', 'writes', 'written'], ['read by the host', 'reads', 'read'],
		['copied, from or to it', 'copies', 'copied'], ['filled', 'fills', 'filled'],
		['mapped', 'maps', 'mapped'], ['used by kernels, or migrated', 'uses', null]];
	const node = element('table');
	table(node, 'Transfers and uses, those through objects on it included', [
		{ name: 'What', value: row => row[0] },
		{ name: 'Calls', value: row => object[row[1]], show: whole, number: true },
		{ name: 'Bytes', value: row => row[2] ? object[row[2]] : 0, number: true,
			show: (value, row) => row[2] ? bytes(value) : '' },
	], kinds.filter(row => number(object[row[1]]) > 0));
	return node;
}

function showObject(object) {
	const node = empty(byId('object'));
	const list = element('dl');
	const stack = data.stacks[String(object.stack)];
	chosenObject = object;
	byId('object-title').textContent = 'Object ' + object.id;
	fact(list, 'Label', object.label || 'none');
	fact(list, 'Kind', kindOf(object) + (object.geometry ? ' ' + object.geometry : ''));
	fact(list, 'Bytes', bytes(object.bytes) + ' (' + whole(object.bytes) + ')');
	if (object.requested !== object.bytes)
		fact(list, 'Without padding', bytes(object.requested) + ' (' + whole(object.requested) + ')');
	fact(list, 'Made by op', whole(object.created));
	fact(list, 'Gone with op', number(object.ends) ? whole(object.ends) : 'never');
	fact(list, 'First and last use', number(object.first_use) ?
		'op ' + whole(object.first_use) + ' and op ' + whole(object.last_use) : 'never used');
	if (number(object.parts) > 0) fact(list, 'Objects on it', whole(object.parts));
	node.appendChild(list);
	node.appendChild(lifeOf(object));
	node.appendChild(transfersOf(object));
	node.appendChild(element('h3', 'Made at'));
	if (stack && stack.length) {
		const frames = node.appendChild(element('ol', null, { class: 'stack' }));
		for (const frame of stack) frames.appendChild(element('li', frame));
	} else {
		node.appendChild(element('p', 'No call stack was recorded.', { class: 'hint' }));
	}
	mark();
}

// ---- what is stacked ----

const restName = 'all else';

function objectLayers() {
	const weight = object => number(object.bytes) *
		((number(object.ends) || data.ops) - number(object.created) + 1);
	const largest = objects.slice().sort((a, b) => weight(b) - weight(a)).slice(0, COLOURS.length);
	const rest = moments.bytes.map(number);
	const layers = largest.map(object => ({
		name: nameOf(object),
		values: moments.op.map((op, i) => {
			const value = isAlive(object, op) ? number(object.bytes) : 0;
			rest[i] -= value;
			return value;
		}),
	}));
	return layers.concat({ name: restName, values: rest.map(value => Math.max(0, value)) });
}

function layersBy(by) {
	if (by === 'objects') return objectLayers();
	const names = by === 'kinds' ? data.kinds : data.groups.concat(restName);
	return names.map((name, i) => ({ name: name, values: moments[by][i].map(number) }));
}

// The layers, with a colour each; the rest is grey. Other measures than the driver's bytes
// are not known by layer: one layer then.
function chosenLayers() {
	const measure = byId('measure').value;
	if (measure === 'bytes') {
		const layers = layersBy(byId('by').value);
		layers.forEach((layer, i) => {
			layer.colour = layer.name === restName ? REST_COLOUR : COLOURS[i % COLOURS.length];
		});
		return layers.filter(layer => layer.values.some(value => value > 0));
	}
	if (measure === 'requested')
		return [{ name: 'requested', colour: COLOURS[0], values: moments.requested.map(number) }];
	const device = data.devices[Number(measure)];
	return [{ name: 'held by ' + device.name, colour: COLOURS[0], values: device.held.map(number) }];
}

// ---- the chart ----

const chart = byId('chart');
const PAD = { left: 78, right: 12, top: 22, bottom: 30 };
let moving = data.peak.moment, chosen = data.peak.moment, frame = null;

function niceStep(most, wanted) {
	const raw = Math.max(1, most / wanted);
	let unit = 1;
	while (unit * 1024 <= raw) unit *= 1024;
	for (const step of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
		if (step * unit >= raw) return step * unit;
	return unit * 1024;
}

function scales(layers) {
	const width = Math.max(300, chart.clientWidth);
	const height = width < 600 ? 260 : 380;
	const times = moments[byId('axis').value].map(number);
	let most = 1;
	for (let i = 0; i < count; i++) {
		let sum = 0;
		for (const layer of layers) sum += layer.values[i];
		most = Math.max(most, sum);
	}
	for (const device of data.devices) {
		if (device.held) most = device.held.reduce((a, b) => Math.max(a, number(b)), most);
	}
	// A capacity far above what is used would press all else flat: that is for the reader.
	const wanted = byId('capacities').checked ? Infinity : most * 3;
	for (const device of data.devices)
		if (number(device.capacity) <= wanted) most = Math.max(most, number(device.capacity));
	most *= 1.04;
	// Clocks of threads may differ by a little: time never runs back here.
	for (let i = 1; i < count; i++) times[i] = Math.max(times[i], times[i - 1]);
	const first = times[0];
	const last = byId('axis').value === 'op' ? Math.max(data.ops, first + 1) :
		Math.max(times[count - 1], first + 1);
	return {
		width: width, height: height, most: most, first: first, last: last, times: times,
		x: time => PAD.left + (width - PAD.left - PAD.right) * (time - first) / (last - first),
		y: value => height - PAD.bottom - (height - PAD.top - PAD.bottom) * Math.min(1, value / most),
	};
}

// A step at each moment, up to the next.
function stepPath(scale, upper, lower) {
	const at = i => scale.x(i < count ? scale.times[i] : scale.last).toFixed(1);
	let path = 'M' + at(0) + ' ' + scale.y(upper[0]).toFixed(1);
	for (let i = 0; i < count; i++)
		path += 'V' + scale.y(upper[i]).toFixed(1) + 'H' + at(i + 1);
	if (!lower) return path;
	for (let i = count - 1; i >= 0; i--)
		path += 'V' + scale.y(lower[i]).toFixed(1) + 'H' + at(i);
	return path + 'Z';
}

function drawAxes(svg, scale) {
	const step = niceStep(scale.most, 6);
	for (let value = 0; value <= scale.most; value += step) {
		const y = scale.y(value);
		svg.appendChild(drawn('line', { class: 'grid', x1: PAD.left, x2: scale.width - PAD.right, y1: y, y2: y }));
		svg.appendChild(drawn('text', { x: PAD.left - 6, y: y + 4, 'text-anchor': 'end' }, bytes(value)));
	}
	const ticks = scale.width < 600 ? 3 : 6;
	for (let i = 0; i <= ticks; i++) {
		const time = scale.first + (scale.last - scale.first) * i / ticks;
		svg.appendChild(drawn('text', { x: scale.x(time), y: scale.height - 8,
			'text-anchor': i === 0 ? 'start' : i === ticks ? 'end' : 'middle' },
		byId('axis').value === 'op' ? 'op ' + whole(Math.round(time)) : seconds(time)));
	}
}

function drawDevices(svg, scale) {
	data.devices.forEach((device, i) => {
		const y = scale.y(number(device.capacity));
		if (device.held && byId('measure').value === 'bytes')
			svg.appendChild(drawn('path', { class: 'held', 'stroke-dasharray': 1 + 3 * i + ' 2',
				d: stepPath(scale, device.held.map(number)) }));
		if (number(device.capacity) <= scale.most)
			svg.appendChild(drawn('line', { class: 'limit', x1: PAD.left, x2: scale.width - PAD.right, y1: y, y2: y }));
	});
	const within = data.devices.filter(device => number(device.capacity) <= scale.most);
	const above = data.devices.filter(device => number(device.capacity) > scale.most);
	within.forEach((device, i) => svg.appendChild(drawn('text', { class: 'limit-name',
		x: scale.width - PAD.right - 4, 'text-anchor': 'end',
		y: scale.y(number(device.capacity)) - 5 - 13 * (i % 2),
	}, device.name + ': ' + bytes(device.capacity))));
	byId('above').textContent = above.length === 0 ? '' : 'Above what is drawn: ' +
		above.map(device => 'capacity of ' + device.name + ', ' + bytes(device.capacity)).join('; ') + '.';
}

function drawLegend(layers) {
	const legend = empty(byId('legend'));
	const entry = (name, shape) => {
		const item = legend.appendChild(element('li'));
		const key = item.appendChild(drawn('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }));
		key.appendChild(shape);
		item.appendChild(element('bdi', name));
	};
	for (const layer of layers)
		entry(layer.name, drawn('rect', { width: 10, height: 10, fill: layer.colour }));
	data.devices.forEach((device, i) => {
		if (device.held && byId('measure').value === 'bytes')
			entry('held by ' + device.name, drawn('line', { x1: 0, x2: 10, y1: 5, y2: 5,
				stroke: 'currentColor', 'stroke-width': 2, 'stroke-dasharray': 1 + 3 * i + ' 2' }));
	});
}

function drawChart() {
	const layers = chosenLayers();
	const scale = scales(layers);
	const svg = drawn('svg', { viewBox: '0 0 ' + scale.width + ' ' + scale.height,
		'aria-hidden': 'true', focusable: 'false' });
	let lower = new Array(count).fill(0);
	drawAxes(svg, scale);
	for (const layer of layers) {
		const upper = lower.map((value, i) => value + layer.values[i]);
		const path = drawn('path', { fill: layer.colour, d: stepPath(scale, upper, lower) });
		path.appendChild(drawn('title', {}, layer.name));
		svg.appendChild(path);
		lower = upper;
	}
	drawDevices(svg, scale);
	const line = name => svg.appendChild(drawn('line', { class: name, y1: PAD.top, y2: scale.height - PAD.bottom }));
	frame = { scale: scale, sums: lower, chosen: line('chosen'), moving: line('moving'),
		tip: element('div', null, { class: 'tip', 'aria-hidden': 'true' }) };
	empty(chart).appendChild(svg);
	chart.appendChild(frame.tip);
	chart.setAttribute('aria-valuemax', count - 1);
	drawLegend(layers);
	placeLines();
}

function momentText(i) {
	return 'op ' + whole(moments.op[i]) + ', ' + seconds(moments.ns[i]) + ': ' +
		bytes(frame.sums[i]) + ', ' + objectCount(moments.alive[i]);
}

function placeLines() {
	for (const [line, i] of [[frame.chosen, chosen], [frame.moving, moving]]) {
		const x = frame.scale.x(frame.scale.times[i]);
		line.setAttribute('x1', x);
		line.setAttribute('x2', x);
	}
	const x = frame.scale.x(frame.scale.times[moving]);
	frame.tip.textContent = momentText(moving);
	const room = frame.scale.width - frame.tip.offsetWidth - 4;
	frame.tip.style.left = Math.max(0, Math.min(x + 8, room)) + 'px';
	chart.setAttribute('aria-valuenow', moving);
	chart.setAttribute('aria-valuetext', momentText(moving));
}

function momentAt(event) {
	const box = chart.getBoundingClientRect();
	const x = (event.clientX - box.left) * frame.scale.width / box.width;
	const times = frame.scale.times;
	let low = 0, high = count - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (frame.scale.x(times[middle]) <= x) low = middle;
		else high = middle - 1;
	}
	return low;
}

function move(to) {
	moving = Math.max(0, Math.min(count - 1, to));
	placeLines();
}

function choose() {
	chosen = moving;
	placeLines();
	showMoment();
}

const KEYS = {
	ArrowLeft: () => move(moving - 1), ArrowDown: () => move(moving - 1),
	ArrowRight: () => move(moving + 1), ArrowUp: () => move(moving + 1),
	PageDown: () => move(moving - 20), PageUp: () => move(moving + 20),
	Home: () => move(0), End: () => move(count - 1),
	p: () => move(data.peak.moment), Enter: choose, ' ': choose,
};

chart.addEventListener('keydown', event => {
	if (event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
	event.preventDefault();
	KEYS[event.key]();
});
chart.addEventListener('pointermove', event => move(momentAt(event)));
chart.addEventListener('click', event => { move(momentAt(event)); choose(); });

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
})();

// SPDX-License-Identifier: Apache-2.0
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

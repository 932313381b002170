// SPDX-License-Identifier: Apache-2.0
// The page of a trace. Text from the trace goes into the page by textContent alone.
'use strict';
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

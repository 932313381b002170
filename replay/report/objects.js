// SPDX-License-Identifier: Apache-2.0
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
	/* A column is too narrow for a long command. */
	pair.classList.toggle('wide', String(value).length > 80);
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

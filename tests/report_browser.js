// SPDX-License-Identifier: Apache-2.0
// Looks at reports in Chromium, over its debugging pipe: node report_browser.js CHROMIUM
//   check PAGE...                         what report_browser.test prints
//   shot PAGE OUT.png WIDTH HEIGHT light|dark
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');

class Browser {
	constructor(program) {
		const profile = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'report-'));
		this.profile = profile;
		this.process = spawn(program, ['--headless', '--no-sandbox', '--disable-gpu',
			'--hide-scrollbars', '--user-data-dir=' + profile, '--remote-debugging-pipe'],
		{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
		this.waiting = new Map();
		this.next = 1;
		this.onEvent = () => {};
		let rest = '';
		this.process.stdio[4].on('data', piece => {
			const parts = (rest + piece).split('\0');
			rest = parts.pop();
			parts.forEach(part => this.take(JSON.parse(part)));
		});
	}
	take(message) {
		if (!message.id) return this.onEvent(message);
		const { resolve, reject } = this.waiting.get(message.id);
		this.waiting.delete(message.id);
		return message.error ? reject(new Error(message.error.message)) : resolve(message.result);
	}
	send(method, params) {
		const id = this.next++;
		this.process.stdio[3].write(JSON.stringify({ id, method, params: params || {},
			sessionId: this.session }) + '\0');
		return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
	}
	async attach() {
		const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
		this.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
		for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await this.send(domain + '.enable');
	}
	async value(expression) {
		const { result, exceptionDetails } = await this.send('Runtime.evaluate',
			{ expression, returnByValue: true, awaitPromise: true });
		if (exceptionDetails) throw new Error(exceptionDetails.text + ': ' + expression);
		return result.value;
	}
	async size(width, height, scheme) {
		await this.send('Emulation.setDeviceMetricsOverride',
			{ width, height, deviceScaleFactor: 1, mobile: width < 600 });
		await this.send('Emulation.setEmulatedMedia',
			{ features: [{ name: 'prefers-color-scheme', value: scheme }] });
	}
	async open(page) {
		const loaded = new Promise(resolve => {
			const before = this.onEvent;
			this.onEvent = event => {
				before(event);
				if (event.method === 'Page.loadEventFired') resolve();
			};
		});
		await this.send('Page.navigate', { url: 'file://' + path.resolve(page) });
		await loaded;
	}
	async key(key, code) {
		for (const type of ['keyDown', 'keyUp'])
			await this.send('Input.dispatchKeyEvent', { type, key, code: key,
				windowsVirtualKeyCode: code });
	}
	// In order, so that none of its processes writes into the folder any more.
	async close() {
		const ended = new Promise(resolve => this.process.once('exit', resolve));
		this.session = undefined;
		this.send('Browser.close').catch(() => {});
		const late = setTimeout(() => this.process.kill('SIGKILL'), 10000);
		await ended;
		clearTimeout(late);
		try {
			fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 20 });
		} catch (error) {
			console.error('left behind: ' + error.message);
		}
	}
}

// Everything that the keyboard alone reaches, by what it is.
async function tabOrder(browser) {
	const seen = [];
	for (let i = 0; i < 8; i++) {
		await browser.key('Tab', 9);
		seen.push(await browser.value('document.activeElement.id || document.activeElement.className || ' +
			'document.activeElement.localName'));
	}
	return seen.join(' ');
}

async function check(browser, page) {
	const problems = [];
	browser.onEvent = event => {
		if (event.method === 'Runtime.exceptionThrown')
			problems.push('exception: ' + event.params.exceptionDetails.exception.description);
		if (event.method === 'Log.entryAdded') problems.push(event.params.entry.text);
		if (event.method === 'Network.requestWillBeSent' &&
		    !/^(file|data):/.test(event.params.request.url))
			problems.push('request: ' + event.params.request.url);
	};
	for (const [width, scheme] of [[1440, 'light'], [390, 'dark']]) {
		await browser.size(width, 900, scheme);
		await browser.open(page);
		const over = await browser.value('document.documentElement.scrollWidth - innerWidth');
		if (over > 0) problems.push('at ' + width + ' the page is ' + over + ' pixels too wide');
	}
	const ready = Number(await browser.value('document.documentElement.dataset.ready'));
	console.error(page + ': ready after ' + ready + ' ms, ' + fs.statSync(page).size + ' bytes');
	console.log('tab order: ' + await tabOrder(browser));
	await browser.value('document.getElementById("chart").focus()');
	const now = () => browser.value('document.getElementById("chart").ariaValueNow');
	await browser.key('Home', 36);
	const first = await now();
	await browser.key('ArrowRight', 39);
	console.log('moment: ' + first + ', then ' + await now());
	await browser.key('Enter', 13);
	console.log('chosen: ' + await browser.value('document.getElementById("alive-text").textContent'));
	// The peak has objects; from the keyboard, as a button is pressed.
	await browser.key('p', 80);
	await browser.key('Enter', 13);
	await browser.value('document.querySelector("#alive tr:last-child button.link").focus()');
	await browser.key(' ', 32);
	console.log('object: ' + await browser.value('document.getElementById("object-title").textContent'));
	console.log('markup of the trace: ' + await browser.value(
		'document.querySelectorAll("main script, b, img:not(.plan)").length'));
	problems.forEach(problem => console.log('PROBLEM: ' + problem));
}

async function main() {
	const [program, what, ...rest] = process.argv.slice(2);
	const browser = new Browser(program);
	try {
		await browser.attach();
		if (what === 'check') {
			for (const page of rest) await check(browser, page);
		} else {
			const [page, out, width, height, scheme] = rest;
			await browser.size(Number(width), Number(height), scheme);
			await browser.open(page);
			const { data } = await browser.send('Page.captureScreenshot', { format: 'png' });
			fs.writeFileSync(out, Buffer.from(data, 'base64'));
		}
	} finally {
		await browser.close();
	}
}

main().then(() => process.exit(0), error => {
	console.error(String(error));
	process.exit(1);
});

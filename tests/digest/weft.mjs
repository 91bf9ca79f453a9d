// Runs the weft binary as a user does: by command line, in a home with the fixed keyring, under a
// clock that stands still.
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));

// The clock of the first ingest, and the clock of everything that resumes it.
export const firstClock = 1_780_000_000_000;
export const laterClock = firstClock + 86_400_000;

export class Weft {
  // `directory` becomes the home and holds a copy of the keyring; `user` is the folder in which
  // weft looks for the conversations of other tools.
  constructor(binary, directory, { clock = firstClock, user = join(directory, 'nobody') } = {}) {
    this.binary = binary;
    this.home = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    copyFileSync(join(here, 'keyring.json'), join(directory, 'keyring.json'));
    chmodSync(join(directory, 'keyring.json'), 0o600);
    this.environment = {
      HOME: user,
      LANG: 'C.UTF-8',
      LD_PRELOAD: process.env.WEFT_DIGEST_PRELOAD,
      PATH: '/usr/bin:/bin',
      TZ: 'UTC',
      USER: 'ada',
      WEFT_DIGEST_CLOCK_MS: String(clock),
      WEFT_HOME: directory,
    };
  }

  setClock(clock) {
    this.environment.WEFT_DIGEST_CLOCK_MS = String(clock);
  }

  start(args) {
    return spawn(this.binary, args, { env: this.environment, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  // Runs one command to its end. Resolves to { exit, out, err }; `out` is a Buffer.
  run(...args) {
    return new Promise((resolve, reject) => {
      const child = this.start(args);
      const out = [];
      const err = [];
      child.stdin.end();
      child.stdout.on('data', (piece) => out.push(piece));
      child.stderr.on('data', (piece) => err.push(piece));
      child.on('error', reject);
      child.on('close', (code, signal) =>
        resolve({ exit: code ?? signal, out: Buffer.concat(out), err: Buffer.concat(err).toString() }));
    });
  }

  // Runs one command that must succeed. Resolves to the JSON document that it prints.
  async json(...args) {
    const { exit, out, err } = await this.run(...args, '--json');
    if (exit !== 0) throw new Error(`weft ${args.join(' ')}: exit ${exit}\n${err}`);
    return JSON.parse(out);
  }
}

// A running `weft mcp` that answers one request after another.
export class McpSession {
  constructor(weft) {
    this.child = weft.start(['mcp']);
    this.child.stderr.resume();
    this.waiting = new Map();
    this.next = 1;
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const id = JSON.parse(line).id;
      this.waiting.get(id)?.(line);
      this.waiting.delete(id);
    });
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    this.ended.then(() => {
      for (const resolve of this.waiting.values()) resolve('{"error":"weft mcp ended"}');
    });
  }

  async open() {
    await this.request('initialize', {
      protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'web_digest', version: '1' },
    });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }

  // Resolves to the line that answers.
  request(method, params) {
    const id = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n');
    });
  }

  call(name, args) {
    return this.request('tools/call', { name, arguments: args });
  }

  close() {
    this.child.stdin.end();
    return this.ended;
  }
}

// Runs `jobs`, functions that return promises, `width` at a time.
export async function together(jobs, width) {
  const queue = jobs[Symbol.iterator]();
  const work = async () => {
    for (const job of queue) await job();
  };
  await Promise.all(Array.from({ length: width }, work));
}

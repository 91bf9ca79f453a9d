// A web of our own, the real weft that serves it, and the official clients that ask it: over stdio
// and HTTP, in both eras of the protocol.
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const fixture = (path) => join(root, 'tests', 'fixtures', path);
export const weft = process.env.WEFT_BINARY;
export const conformanceServer = process.env.WEFT_CONFORMANCE_SERVER;
if (!weft) throw new Error('WEFT_BINARY says which weft to test');

const protocol = '2026-07-28';
const info = { name: 'weft-tests', version: '1' };

// A scratch directory with a home in it; nothing of the machine's own conversations is seen.
export class Home {
  constructor() {
    this.scratch = mkdtempSync(join(tmpdir(), 'weft-mcp-'));
    this.env = { HOME: this.scratch, PATH: process.env.PATH, WEFT_HOME: join(this.scratch, 'weft') };
  }
  run(...args) {
    return execFileSync(weft, args, { env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
  json(...args) {
    return JSON.parse(this.run(...args, '--json'));
  }
  path(name) {
    return join(this.scratch, name);
  }
  remove() {
    rmSync(this.scratch, { recursive: true, force: true });
  }
}

// weft serve, or the server with the suite's fixtures, on a port of its own.
export async function listen(command, args, env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const look = (bytes) => {
      said += bytes;
      const found = said.match(/http:\/\/[^\s"]+\/mcp/);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
  });
  const gone = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  return {
    url,
    child,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return gone;
    },
  };
}

export const serve = (home, ...args) => listen(weft, ['serve', '--listen', '127.0.0.1:0', ...args], home.env);

function modern() {
  return new ModernClient(info, { capabilities: {}, versionNegotiation: { mode: { pin: protocol } } });
}

// The four ways in. Each opens a client that is connected.
export const ways = {
  'stdio, legacy': async (home, args = []) => {
    const client = new LegacyClient(info, { capabilities: {} });
    await client.connect(new LegacyStdio({ command: weft, args: ['mcp', ...args], env: home.env, stderr: 'ignore' }));
    return client;
  },
  'stdio, modern': async (home, args = []) => {
    const client = modern();
    await client.connect(new ModernStdio({ command: weft, args: ['mcp', ...args], env: home.env, stderr: 'ignore' }));
    return client;
  },
  'HTTP, legacy': async (home, args = []) => {
    const server = await serve(home, ...args);
    const client = new LegacyClient(info, { capabilities: {} });
    await client.connect(new LegacyHttp(new URL(server.url)));
    return closing(client, server);
  },
  'HTTP, modern': async (home, args = []) => {
    const server = await serve(home, ...args);
    const client = modern();
    await client.connect(new ModernHttp(new URL(server.url)));
    return closing(client, server);
  },
};

function closing(client, server) {
  const close = client.close.bind(client);
  client.close = async () => {
    await close();
    await server.stop();
  };
  return client;
}

export const text = (result) => result.content.map((part) => part.text ?? '').join('\n');

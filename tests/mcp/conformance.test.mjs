// The protocol's own conformance suite: the scenarios that need no fixtures against weft itself,
// and all of them against the same library with the suite's fixtures.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Home, conformanceServer, listen, root, serve } from './harness.mjs';

const suite = join(root, 'tests/mcp/node_modules/@modelcontextprotocol/conformance/dist/index.js');
const out = mkdtempSync(join(tmpdir(), 'weft-conformance-'));
after(() => rmSync(out, { recursive: true, force: true }));

function run(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [suite, 'server', ...args], { maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

const legacy = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'server-sse-multiple-streams', 'dns-rebinding-protection', 'server-session-lifecycle'];
const modern = ['tools-list', 'resources-list', 'prompts-list', 'server-sse-multiple-streams', 'dns-rebinding-protection', 'caching', 'sep-2164-resource-not-found', 'http-header-validation', 'input-required-result-unsupported-methods'];

describe('weft serve', () => {
  const home = new Home();
  let server;
  before(async () => {
    server = await serve(home);
  });
  after(async () => {
    await server.stop();
    home.remove();
  });
  for (const [version, scenarios] of [['2025-11-25', legacy], ['2026-07-28', modern]]) {
    for (const scenario of scenarios) {
      test(`${scenario}, ${version}`, async () => {
        const { code, said } = await run('--url', server.url, '--scenario', scenario, '--spec-version', version, '-o', join(out, version));
        assert.equal(code, 0, said);
      });
    }
  }
  test('server-stateless, 2026-07-28, but for what needs fixtures', async () => {
    const folder = join(out, 'stateless');
    await run('--url', server.url, '--scenario', 'server-stateless', '--spec-version', '2026-07-28', '-o', folder);
    const checks = readdirSync(folder)
      .map((name) => join(folder, name, 'checks.json'))
      .filter(existsSync)
      .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
    assert.ok(checks.filter((check) => check.status === 'SUCCESS').length >= 20);
    const failed = checks.filter((check) => check.status === 'FAILURE' && !/Not testable/.test(check.errorMessage ?? ''));
    assert.deepEqual(failed.map((check) => `${check.id}: ${check.errorMessage}`), []);
  });
});

describe('the library with the suite\'s fixtures', () => {
  let server;
  before(async () => {
    server = await listen(conformanceServer, [], { PATH: process.env.PATH });
  });
  after(async () => {
    await server.stop();
  });
  for (const version of ['2025-11-25', '2026-07-28']) {
    test(`all of ${version}`, async () => {
      const expected = version === '2025-11-25' ? ['--expected-failures', join(root, 'tests/conformance/expected-failures.yaml')] : [];
      const { code, said } = await run('--url', server.url, '--requirements', version, ...expected, '-o', join(out, `full-${version}`));
      assert.equal(code, 0, said.slice(said.indexOf('=== SUMMARY')));
    });
  }
});

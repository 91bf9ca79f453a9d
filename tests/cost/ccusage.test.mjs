// `weft cost --like ccusage` against ccusage itself, on all transcripts of Claude Code and Codex in
// the fixtures: the tokens of each day and model, and the dollars to the cent. ccusage gets weft's
// prices by its configuration, and reads nothing from the network.
//
// Where ccusage is wrong, a test says so and why; `weft cost` without --like does better there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

const here = import.meta.dirname;
const weftBinary = process.env.WEFT_BINARY ?? path.join(here, '../../build/release/weft');
const ccusageBinary = path.join(here, 'node_modules/@ccusage/ccusage-linux-x64/bin/ccusage');
const fixtures = path.join(here, '../../../shared/fixtures');
const canRun = fs.existsSync(ccusageBinary) && fs.existsSync(fixtures);
// npm installs it without the right to run it.
if (canRun) fs.chmodSync(ccusageBinary, 0o755);
const skip = canRun ? false : 'needs tools/setup test and ../shared/fixtures';

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-cost-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

const filesBelow = (folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
  .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort();

// ccusage dates a request without a time by its file.
const kNoTime = new Date('2000-01-01T12:00:00Z');

// ccusage looks for the bytes "usage":{ and overlooks a line that is written with a blank there.
const withoutBlanks = (bytes) =>
  Buffer.from(bytes.toString('latin1').replaceAll('"usage": {', '"usage":{'), 'latin1');

// A home of both tools with these transcripts. ccusage finds files by where they lie.
class Home {
  constructor(kind, files) {
    this.kind = kind;
    this.folder = fs.mkdtempSync(path.join(scratch, `${kind}-`));
    this.sources = path.join(this.folder, kind === 'claude' ? 'claude/projects' : 'codex/sessions');
    fs.mkdirSync(this.sources, { recursive: true });
    files.forEach((file, i) => {
      const folder = path.join(this.sources, `p${i}`);
      fs.mkdirSync(folder, { recursive: true });
      const copy = path.join(folder, path.basename(file));
      fs.writeFileSync(copy, withoutBlanks(fs.readFileSync(file)));
      fs.utimesSync(copy, kNoTime, kNoTime);
    });
    this.env = { PATH: process.env.PATH, HOME: this.folder, TZ: 'UTC', NO_COLOR: '1',
      CLAUDE_CONFIG_DIR: path.join(this.folder, 'claude'), CODEX_HOME: path.join(this.folder, 'codex') };
  }

  weft(...args) {
    return JSON.parse(execFileSync(weftBinary, [...args, '--json', '--home', path.join(this.folder, 'weft')],
      { env: this.env, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }));
  }

  ingest() {
    try {
      this.weft('ingest', this.sources);
    } catch (error) {
      if (error.status !== 1) throw error;  // some fixtures are broken on purpose
    }
  }

  ccusage(overrides) {
    const config = path.join(this.folder, 'ccusage.json');
    fs.writeFileSync(config, JSON.stringify({ defaults: { pricingOverrides: overrides } }));
    return JSON.parse(execFileSync(ccusageBinary, [this.kind, 'daily', '--json', '--offline',
      '--timezone', 'UTC', '--config', config], { env: this.env, maxBuffer: 1 << 28 }));
  }
}

// The newest rates of a model, as ccusage takes them; none if weft has no price.
function overrideOf(model, prices) {
  const plain = model.replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest)$/, '');
  let rows = prices.filter((row) => row.model === model);
  if (rows.length === 0) rows = prices.filter((row) => row.model === plain);
  if (rows.length === 0) return undefined;
  const newest = rows.map((row) => row.from ?? '').sort().at(-1);
  const override = {};
  const put = (row, suffix) => {
    override[`inputCostPerToken${suffix}`] = row.input / 1e6;
    override[`outputCostPerToken${suffix}`] = row.output / 1e6;
    override[`cacheReadInputTokenCost${suffix}`] = row.cache_read / 1e6;
    override[`cacheCreationInputTokenCost${suffix}`] = row.cache_write_5m / 1e6;
  };
  // A rate that is left out stays ccusage's own.
  for (const row of rows.filter((each) => (each.from ?? '') === newest)) {
    if (row.above === 0) put(row, '');
    put(row, 'Above200kTokens');
  }
  return override;
}

const modelsIn = (report) => {
  const names = new Set();
  for (const day of report.daily) {
    for (const one of day.modelBreakdowns ?? []) names.add(one.modelName.replace(/-fast$/, ''));
    for (const name of Object.keys(day.models ?? {})) names.add(name);
  }
  return [...names];
};

// {day: {input, output, cacheRead, cacheWrite, cents}} of either tool. Days on which a tool counted
// nothing are left out.
const withoutEmpty = (days) => Object.fromEntries(days.filter(([, day]) =>
  day.input + day.output + day.cacheRead + day.cacheWrite > 0));
const cents = (dollars) => Math.round((dollars ?? 0) * 100);
const daysOfWeft = (answer) => withoutEmpty(answer.rows.map((row) => [
  row.key === 'unknown' ? '2000-01-01' : row.key, {
  input: row.input, output: row.output, cacheRead: row.cache_read,
  cacheWrite: row.cache_write_5m + row.cache_write_1h, cents: cents(row.cost) }]));
const daysOfCcusage = (report) => withoutEmpty(report.daily.map((row) => [row.date, {
  input: row.inputTokens, output: row.outputTokens, cacheRead: row.cacheReadTokens ?? row.cachedInputTokens ?? 0,
  cacheWrite: row.cacheCreationTokens ?? 0, cents: cents(row.totalCost ?? row.costUSD) }]));

// Days that the two count otherwise: "2026-01-09: weft {…} ccusage {…}".
function differences(weft, ccusage) {
  const days = [...new Set([...Object.keys(weft), ...Object.keys(ccusage)])].sort();
  return days.map((day) => [day, JSON.stringify(weft[day]), JSON.stringify(ccusage[day])])
    .filter(([, ours, theirs]) => ours !== theirs)
    .map(([day, ours, theirs]) => `${day}: weft ${ours} ccusage ${theirs}`);
}

function compare(kind, files) {
  const home = new Home(kind, files);
  home.ingest();
  const prices = home.weft('prices').prices;
  const models = modelsIn(home.ccusage({}));
  const overrides = Object.fromEntries(models.map((model) => [model, overrideOf(model, prices)])
    .filter(([, override]) => override));
  return { weft: home.weft('cost', '--like', 'ccusage'), ccusage: home.ccusage(overrides), models, home };
}

// Messages without a request id: the test about them is below.
const kRecorded = 'claude-code/recorded';

test('sessions of Claude Code cost what ccusage says', { skip }, () => {
  const files = filesBelow(path.join(fixtures, 'claude-code'))
    .filter((file) => !file.includes(kRecorded));
  const { weft, ccusage, models } = compare('claude', files);
  assert.ok(models.length > 5);
  assert.deepEqual(differences(daysOfWeft(weft), daysOfCcusage(ccusage)), []);
});

test('sessions of Codex cost what ccusage says', { skip }, () => {
  const { weft, ccusage, models } = compare('codex', filesBelow(path.join(fixtures, 'codex-cli')));
  assert.ok(models.length > 3);
  assert.deepEqual(differences(daysOfWeft(weft), daysOfCcusage(ccusage)), []);
});

// A line of a streamed message repeats the counts of the whole. ccusage is wrong where lines name no
// request: it tells messages apart by their time then, and each line has its own.
test('ccusage counts a message without a request id once for each of its lines', { skip }, () => {
  const { weft, ccusage, home } = compare('claude', filesBelow(path.join(fixtures, kRecorded)));
  assert.equal(ccusage.totals.inputTokens, 3200);
  assert.equal(weft.total.input, 1500);  // 6 messages, 7 in the fork, 2 of the subagent
  assert.equal(home.weft('cost').total.input, 900);  // what the fork copied counts once
});

// A line with a blank behind "usage": is as good as one without.
test('ccusage overlooks lines that are written with blanks', { skip }, () => {
  const line = (blank) => JSON.stringify({ type: 'assistant', uuid: `u${blank.length}`, sessionId: 's1',
    requestId: `r${blank.length}`, timestamp: '2026-01-09T10:00:00Z', message: { id: `m${blank.length}`, role: 'assistant',
      model: 'claude-opus-4-5', content: [{ type: 'text', text: 'x' }], usage: { input_tokens: 7, output_tokens: 1 } } })
    .replace('"usage":{', `"usage":${blank}{`);
  const home = new Home('claude', []);
  fs.mkdirSync(path.join(home.sources, 'p'));
  fs.writeFileSync(path.join(home.sources, 'p', 's1.jsonl'), `${line('')}\n${line(' ')}\n`);
  home.ingest();
  assert.equal(home.ccusage({}).totals.inputTokens, 7);
  assert.equal(home.weft('cost', '--like', 'ccusage').total.input, 14);
});

// weft blame on a repository that real agents edited: Claude Code and Codex run offline against a
// scripted model, over several commits, with lines by people between them, and a rebase at the end.
// Every line is unique, so the test knows who wrote it.
//
// Runs with WEFT_LONG, where the agents are installed: WEFT_AGENTS names the folder, with
// claude-code/ and codex/ as npm installs @anthropic-ai/claude-code and @openai/codex there.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import { startModel } from "./mock_model.mjs";

const weft = process.env.WEFT_BINARY;
const agents = process.env.WEFT_AGENTS ?? path.join(tmpdir(), "mcp-clients");
const kTasks = 6;
const kSlackMs = 6_000; // blame takes what is nearer for the same moment

// How an agent is started, and how it names an edit.
const kinds = {
  claude: {
    program: path.join(agents, "claude-code/node_modules/.bin/claude"),
    words: (say) => ["-p", say, "--allowedTools", "Bash,Read,Edit,Write"],
    variables: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", ENABLE_TOOL_SEARCH: "false",
    }),
    prepare() {},
    // Claude Code edits no file that it has not read.
    first: (file) => [{ name: "Read", input: { file_path: file } }],
    change: (file, before, after) => ({
      name: "Edit", input: { file_path: file, old_string: before, new_string: after },
    }),
    make: (file, text) => ({ name: "Write", input: { file_path: file, content: text } }),
  },
  codex: {
    program: path.join(agents, "codex/node_modules/.bin/codex"),
    words: (say) => ["exec", "--skip-git-repo-check", say],
    variables: () => ({ DUMMY_KEY: "x" }),
    prepare(home, port) {
      mkdirSync(path.join(home, ".codex"));
      writeFileSync(
        path.join(home, ".codex/config.toml"),
        'model = "mock"\nmodel_provider = "mock"\napproval_policy = "never"\n' +
          'sandbox_mode = "danger-full-access"\n[model_providers.mock]\nname = "mock"\n' +
          `base_url = "http://127.0.0.1:${port}/v1"\nwire_api = "responses"\nenv_key = "DUMMY_KEY"\n`,
      );
    },
    isRelative: true,
    first: () => [],
    change: (file, before, after) => patch(`*** Update File: ${file}\n@@\n${signed("-", before)}${signed("+", after)}`),
    make: (file, text) => patch(`*** Add File: ${file}\n${signed("+", text)}`),
  },
};
const signed = (sign, text) => text.replace(/^(?=.)/gm, sign);
const patch = (body) => ({
  name: "exec_command", input: { cmd: `apply_patch <<'EOF'\n*** Begin Patch\n${body}*** End Patch\nEOF\n` },
});

// The same choices each time.
function chooser(seed) {
  let state = seed;
  return (count) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
}

class Work {
  constructor(kind, folder, seed) {
    this.kind = kind;
    this.root = path.join(folder, "proj");
    this.below = chooser(seed);
    this.truth = new Map(); // by line: the task that wrote it, or null for a person
    this.files = new Map();
    this.made = 0;
    mkdirSync(this.root);
  }
  git(...words) {
    return execFileSync("git", ["-C", this.root, "-c", "user.name=Ada", "-c", "user.email=ada@loom", ...words],
      { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }
  commit(subject) {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", subject);
  }
  line(task) {
    const text = `value_${++this.made} = compute(${this.below(1000)}, "thread")`;
    this.truth.set(text, task);
    return text;
  }
  lines(count, task) {
    return Array.from({ length: count }, () => this.line(task));
  }
  save(file) {
    mkdirSync(path.dirname(path.join(this.root, file)), { recursive: true });
    writeFileSync(path.join(this.root, file), this.text(file));
  }
  text(file) {
    return this.files.get(file).map((line) => `${line}\n`).join("");
  }
  anyFile() {
    return [...this.files.keys()][this.below(this.files.size)];
  }
  // As calls of the agent name it.
  named(file) {
    return this.kind.isRelative ? file : path.join(this.root, file);
  }
  // What the model asks for in a task; the files are now what they will be.
  steps(task) {
    const steps = [...this.files.keys()].flatMap((file) => this.kind.first(this.named(file)));
    for (let edits = 0; edits < 4; ++edits) {
      const file = this.anyFile(), lines = this.files.get(file);
      const at = this.below(lines.length - 2), fresh = this.lines(1 + this.below(5), task);
      const gone = lines.splice(at, 1 + this.below(2), ...fresh);
      steps.push(this.kind.change(this.named(file),
        gone.map((line) => `${line}\n`).join(""), fresh.map((line) => `${line}\n`).join("")));
    }
    if (task % 2 === 1) {
      const file = `made_${task}.py`;
      this.files.set(file, this.lines(8, task));
      steps.push(this.kind.make(this.named(file), this.text(file)));
    }
    return steps;
  }
  personAddsALine() {
    const file = this.anyFile(), lines = this.files.get(file);
    lines.splice(this.below(lines.length), 0, this.line(null));
    this.save(file);
  }
}

async function run(kind, work, home, port, task) {
  const node = path.join(agents, "node24/node_modules/node/bin");
  const child = spawn(kind.program, kind.words(`TASK ${task}: change the looms`), {
    cwd: work.root,
    stdio: "ignore",
    env: { HOME: home, PATH: `${node}:/usr/local/bin:/usr/bin:/bin`, TERM: "dumb", ...kind.variables(port) },
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(code, 0, `task ${task}`);
  for (const file of work.files.keys()) {
    assert.equal(readFileSync(path.join(work.root, file), "utf8"), work.text(file), `${file} is as the model said`);
  }
}

function score(work, ask) {
  const sum = { session: 0, answered: 0, wrong: 0, people: 0, claimed: 0 };
  for (const file of work.files.keys()) {
    const lines = work.text(file).split("\n");
    for (const found of ask("blame", path.join(work.root, file)).runs) {
      for (let at = found.first; at <= found.last; ++at) {
        const task = work.truth.get(lines[at - 1]);
        const isAnswered = found.sure === "certain" || found.sure === "likely";
        if (task === null) {
          ++sum.people;
          sum.claimed += isAnswered;
        } else {
          ++sum.session;
          sum.answered += isAnswered;
          sum.wrong += isAnswered && !found.reason?.includes(`TASK ${task}:`);
        }
      }
    }
  }
  return sum;
}

for (const [name, kind] of Object.entries(kinds)) {
  const skip = !process.env.WEFT_LONG ? "only with WEFT_LONG"
    : !existsSync(kind.program) ? `${kind.program} is not installed` : false;
  test(`${name}: its lines are answered, and no others`, { skip, timeout: 1_500_000 }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "weft-agents-"));
    const home = path.join(folder, "home");
    mkdirSync(home);
    const work = new Work(kind, folder, 7);
    const steps = [];
    const model = await startModel((task, done) => steps[task]?.[done]);
    try {
      kind.prepare(home, model.port);
      work.git("init", "-q", "-b", "main", ".");
      for (const file of ["src/loom.py", "frame.py"]) {
        work.files.set(file, work.lines(30, null));
        work.save(file);
      }
      work.commit("before every session");
      for (let task = 0; task < kTasks; ++task) {
        steps[task] = work.steps(task);
        await run(kind, work, home, model.port, task);
        await sleep(kSlackMs);
        if (task % 3 !== 2) work.commit(`task ${task}`);
        await sleep(kSlackMs);
        work.personAddsALine();
        if (task % 2 === 0) work.commit(`by hand after ${task}`);
        await sleep(kSlackMs);
      }
      work.commit("the rest");
      work.git("checkout", "-q", "-b", "side", "HEAD~4");
      writeFileSync(path.join(work.root, "note.txt"), "on another branch\n");
      work.commit("a note");
      work.git("checkout", "-q", "main");
      work.git("rebase", "-q", "side");
      const environment = { HOME: home, WEFT_HOME: path.join(folder, "weft"), PATH: "/usr/bin:/bin" };
      const ask = (...words) => JSON.parse(
        execFileSync(weft, [...words, "--json"], { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
      ask("ingest");
      const sum = score(work, ask);
      console.log(`${name}: ${JSON.stringify(sum)}`);
      assert.equal(sum.wrong, 0);
      assert.ok(sum.answered >= 0.85 * sum.session, "lines of sessions are answered");
      assert.ok(sum.claimed <= 0.005 * sum.people, "lines of people are not");
    } finally {
      model.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

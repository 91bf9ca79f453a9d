// Collects answers and prints one line for each group of fixtures and kind of answer:
//
//   GROUP KIND COUNT SHA256
//
// With a directory to dump into, each answer also becomes the file DIR/GROUP/KIND/NAME.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

export class Digest {
  constructor(dump) {
    this.dump = dump;
    this.kinds = new Map();  // "GROUP KIND" → list of "NAME HASH"
  }

  // `name` is unique within its group and kind. The order of calls does not matter.
  add(group, kind, name, answer) {
    const key = `${group} ${kind}`;
    if (!this.kinds.has(key)) this.kinds.set(key, []);
    this.kinds.get(key).push(`${name} ${sha256(answer)}`);
    if (this.dump) this.write(join(this.dump, group, kind, name.replaceAll('/', '%')), answer);
  }

  // What a command printed on both streams, and its exit code.
  addRun(group, kind, name, { exit, out, err }) {
    const rest = `\nexit ${exit}\n${err}`;
    this.add(group, kind, name, Buffer.concat([Buffer.from(out), Buffer.from(rest)]));
  }

  // Long lines of JSON are broken at every member, so that diff shows the member that differs.
  write(path, answer) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(answer).toString('latin1').replaceAll(',"', ',\n"'), 'latin1');
  }

  lines() {
    return [...this.kinds.entries()]
      .map(([key, answers]) => `${key} ${answers.length} ${sha256(answers.sort().join('\n'))}`)
      .sort();
  }
}

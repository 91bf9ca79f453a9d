// Keys and settings, in one dialog (?).
import { choose, hello, isHelpOpen, settings } from '../data/state.ts';
import type { Settings } from '../data/settings.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';

const kKeys: [string, [string, string][]][] = [
  ['Everywhere', [['/', 'search'], ['Ctrl K', 'palette'], ['g h', 'home'], ['g l', 'sessions'], ['g t', 'figures'], ['g c', 'cost'], ['g o', 'sources'], ['?', 'this']]],
  ['In a conversation', [['j k', 'next, previous row'], ['J K', 'next, previous prompt'], ['h l', 'fold, unfold'], ['1 2 3', 'answers, steps, all'], ['Ctrl F', 'find here'], ['Ctrl P', 'print all of it'],
    ['w', 'why'], ['e', 'what came of it'], ['v', 'check the thought'], ['u', 'up to the cause'], ['r', 'as it is stored'], ['y', 'copy the link'], ['c', 'copy the text'], ['d D', 'next, previous change of a file'], ['f F', 'files of the session, of the prompt'], ['b', 'who wrote the lines of this file'], ['[ ]', 'newer, older session'], ['.', 'to the end, and follow'], ['\\', 'close the inspector'], ['Enter', 'open the thought']]],
  ['In a file', [['j k', 'next, previous run of lines'], ['J K', 'of lines that a session wrote'], ['Enter', 'open the edit'], ['w', 'why'], ['y', 'copy the link']]],
];

function Choice<Name extends keyof Settings>({ name, label, values }: { name: Name; label: string; values: [Settings[Name], string][] }) {
  return (
    <div class="setting">
      <span id={`setting-${name}`}>{label}</span>
      <div class="choice" role="group" aria-labelledby={`setting-${name}`}>
        {values.map(([value, text]) => <button key={text} type="button" aria-pressed={settings.value[name] === value} onClick={() => choose({ [name]: value })}>{text}</button>)}
      </div>
    </div>
  );
}

export function Help() {
  const close = () => { isHelpOpen.value = false; };
  return (
    <Dialog label="keys and settings" class="help" close={close}>
      <div class="dialog-head"><h2>Keys and settings</h2><button type="button" class="tool-button" onClick={close}><Icon name="cross" label="close" /></button></div>
      <section>
        <Choice name="theme" label="Theme" values={[['system', 'system'], ['light', 'light'], ['dark', 'dark'], ['contrast', 'high contrast']]} />
        <Choice name="density" label="Rows" values={[['cosy', 'cosy'], ['compact', 'compact']]} />
        <Choice name="size" label="Text" values={[[90, '90 %'], [100, '100 %'], [115, '115 %'], [130, '130 %'], [150, '150 %']]} />
        <Choice name="keys" label="Keys of one letter" values={[['on', 'on'], ['off', 'off']]} />
      </section>
      <div class="key-columns">
        {kKeys.map(([title, keys]) => (
          <section key={title}><h3>{title}</h3><dl class="keys">{keys.map(([key, what]) => <div key={key}><dt>{key.split(' ').map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>)}</dl></section>
        ))}
      </div>
      <p class="quiet">weft {hello.value?.version ?? ''} · the page reads and never writes{WEFT_LICENCES && <> · <a href="/licences" onClick={close}>works of others inside</a></>}</p>
    </Dialog>
  );
}

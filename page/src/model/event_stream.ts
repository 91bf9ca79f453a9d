// Server-sent events from pieces of text, wherever the pieces are cut.

export interface StreamEvent { name: string; data: string; id: string }

export class EventReader {
  #rest = '';
  #name = '';
  #data: string[] = [];
  #id = '';

  push(piece: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length) events.push({ name: this.#name || 'message', data: this.#data.join('\n'), id: this.#id });
        this.#name = '';
        this.#data = [];
        continue;
      }
      const colon = line.indexOf(':');
      if (colon === 0) continue;  // a comment keeps the connection open
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') this.#name = value;
      else if (field === 'data') this.#data.push(value);
      else if (field === 'id' && !value.includes('\0')) this.#id = value;
    }
    return events;
  }
}

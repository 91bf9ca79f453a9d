// A member of a table by a name that comes from a transcript. Plain indexing would find `constructor`.
export function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

// Numbers, times and names as people read them. Times are of the browser's zone; the locale is the page's: English,
// with the 24-hour clock and days in order of size, so that a screenshot means the same to everybody.
import { own } from './own.ts';

export function count(value: number): string {
  return value.toLocaleString('en-GB');
}

// At most four signs: 812, 1.2k, 34k, 5.6M.
export function short(value: number): string {
  for (const [size, sign] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (Math.abs(value) >= size * 0.9995) {
      const scaled = value / size;
      return `${Math.abs(scaled) < 9.95 ? scaled.toFixed(1).replace(/\.0$/, '') : Math.round(scaled)}${sign}`;
    }
  }
  return String(Math.round(value));
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) { size /= 1000; unit++; }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(minutes / 1440)} days`;
}

export function dollars(value: number | null): string {
  if (value === null) return 'no price';
  if (value === 0) return '$0';
  if (value < 0.01) return '< $0.01';
  return value < 100 ? `$${value.toFixed(2)}` : `$${Math.round(value).toLocaleString('en-GB')}`;
}

const two = (value: number) => String(value).padStart(2, '0');
const dayKey = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

export function clock(ms: number): string {
  const date = new Date(ms);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}
export function fullTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : `${dayKey(date)} ${clock(ms)}:${two(date.getSeconds())}`;
}

// For machines; empty if it is no time.
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const kDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const kMonths = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

// The heading of a day in a list: Today, Yesterday, Monday 16 November, 3 May 2025.
export function dayName(ms: number, now: number): string {
  const date = new Date(ms);
  const today = new Date(now);
  if (Number.isNaN(date.getTime())) return 'Unknown day';
  if (dayKey(date) === dayKey(today)) return 'Today';
  if (dayKey(date) === dayKey(new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1))) return 'Yesterday';
  const name = `${date.getDate()} ${kMonths[date.getMonth()]}`;
  const isThisYear = date.getFullYear() === today.getFullYear();
  return isThisYear && now - ms < 300 * 86_400_000 ? `${kDays[date.getDay()]} ${name}` : `${name} ${date.getFullYear()}`;
}
// A day in little room: 16 Nov, or, of another year, Nov 2025.
export function shortDay(ms: number, now: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return '';
  const month = kMonths[date.getMonth()]!.slice(0, 3);
  return date.getFullYear() === new Date(now).getFullYear() ? `${date.getDate()} ${month}` : `${month} ${date.getFullYear()}`;
}
export function dayOf(ms: number): string { return dayKey(new Date(ms)); }

// How long ago, in the largest unit that fits.
export function ago(ms: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - ms) / 1000));
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  return days < 60 ? `${days} day${days === 1 ? '' : 's'} ago` : fullTime(ms).slice(0, 10);
}

export function digits(cid: string): string { return cid.replace(/^cid:blake3:/, ''); }
export function shortCid(cid: string): string { return digits(cid).slice(0, 10); }
export function kindOf(type: string): string { return type.slice(type.lastIndexOf('/') + 1); }

const kKindNames: Record<string, string> = {
  human_input: 'Prompt', response: 'Answer', thinking: 'Thinking', redacted_thinking: 'Thinking', thinking_summary: 'Summary of thinking',
  tool_request: 'Call', tool_result: 'Result', system_input: 'Program input', attachment: 'Attachment', compaction: 'Compaction',
  summary: 'Summary', failure: 'Failure', unknown: 'Unknown block',
};
export function kindName(kind: string): string {
  return own(kKindNames, kind) ?? (kind ? kind[0]!.toUpperCase() + kind.slice(1).replaceAll('_', ' ') : 'Thought');
}

// Whether a name is this machine: an address of loopback, or a name that browsers take for it.
export function isLoopback(host: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)$/.test(host);
}
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

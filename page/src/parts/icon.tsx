// The page's signs, drawn on a grid of 16 by 16 with one stroke. A sign never stands alone for a meaning: a word or a
// label is beside it.

const kPaths = {
  sign: 'M3 2v12M8 2v12M13 2v12M1 5h6M9 5h6M1 11h1M4 11h11M1 8h2M5 8h6',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM11 11l3 3',
  right: 'M6 3l5 5-5 5',
  down: 'M3 6l5 5 5-5',
  left: 'M10 3L5 8l5 5',
  lock: 'M4 7h8v7H4ZM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  closed: 'M2 6c1.5 2 3.5 3 6 3s4.500-1 6-3M4 8.500L3 11M8 9v3M12 8.500l1 2.500',
  thinking: 'M8 2.500a4 4 0 0 0-2.500 7.100c.6.5 1 1.100 1 1.900h3c0-.8.4-1.400 1-1.900A4 4 0 0 0 8 2.500ZM6.500 13.500h3',
  human: 'M8 7.500a2.750 2.750 0 1 0 0-5.500 2.750 2.750 0 0 0 0 5.500ZM2.500 14c.5-3 2.500-4.500 5.500-4.500s5 1.500 5.500 4.500',
  answer: 'M2.500 3.500h11M2.500 8h11M2.500 12.500h7',
  command: 'M2.500 4l4 4-4 4M8 12.500h5.500',
  file: 'M4 1.500h5.500L13 5v9.500H4ZM9.500 1.500V5H13',
  edit: 'M2.500 13.500l.8-3L11 2.800l2.200 2.200-7.700 7.700ZM9.500 4.300l2.200 2.200',
  globe: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c2 2 2.500 4 2.500 6S10 12 8 14M8 2C6 4 5.500 6 5.500 8S6 12 8 14',
  list: 'M2 4l1 1 2-2M2 9l1 1 2-2M7.500 4.500H14M7.500 9.500H14M7.500 13.500H14',
  agent: 'M4 6h8v6H4ZM8 6V3M6.500 8.500v1M9.500 8.500v1M2 8.500v2M14 8.500v2',
  tool: 'M9.500 6.500l-6.500 6.500M13.500 5a3.500 3.500 0 0 1-4.700 3.300M8 5a3.500 3.500 0 0 1 3-3.400L10 4l2 2 2.300-1',
  alert: 'M8 2l6.500 11.500h-13ZM8 6.500v3.200M8 11.400v.6',
  check: 'M2.500 8.500l3.500 3.500 7.500-8',
  cross: 'M3.500 3.500l9 9M12.500 3.500l-9 9',
  link: 'M6.500 9.500l3-3M7 4.500l1.500-1.500a3 3 0 0 1 4.300 4.300L11.300 8.800M9 11.500L7.500 13a3 3 0 0 1-4.300-4.300l1.500-1.500',
  copy: 'M5.500 5.500h8v8h-8ZM10.500 5.500v-3h-8v8h3',
  branch: 'M4 2.500v11M4 10c5 0 8-1 8-5M12 5V2.500',
  why: 'M8 13.500V3M4 6.500L8 2.500l4 4',
  effect: 'M8 2.500V13M4 9.500l4 4 4-4',
  sealed: 'M3 3h10v10H3ZM3 9l6-6M3 13L13 3M7 13l6-6',
  image: 'M2 3h12v10H2ZM2 11l4-4 3 3 2-2 3 3M10.500 6.500h.1',
  input: 'M2 8h8M7 5l3 3-3 3M10 2.500h3.500v11H10',
  settings: 'M2 4.500h6M12 4.500h2M10 4.500m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M2 11.500h2M8 11.500h6M6 11.500m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0',
  compaction: 'M2 8h12M5 2.500l3 3 3-3M5 13.500l3-3 3 3',
  home: 'M2.500 7.500L8 2.500l5.500 5v6h-4v-4h-3v4h-4Z',
  chart: 'M2.500 13.500h11M4.500 11V8M8 11V3.500M11.500 11V6',
  sources: 'M2 4.500h4.500l1.500 2h6v7H2Z',
} as const;

export type IconName = keyof typeof kPaths;

export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" role={label ? 'img' : undefined} aria-label={label} aria-hidden={label ? undefined : 'true'}>
      <path d={kPaths[name]} fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

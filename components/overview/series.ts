/** The lines of the chart. The dash tells them apart without colour. */
export const SERIES = [
  { key: 'enqueued', label: 'Enqueued', color: 'var(--state-ready)', dash: '5 3' },
  { key: 'completed', label: 'Completed', color: 'var(--state-completed)', dash: undefined },
  { key: 'failed', label: 'Failed runs', color: 'var(--state-dead)', dash: '2 2' },
] as const;

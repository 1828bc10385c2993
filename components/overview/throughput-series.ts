/** The lines of the chart. Dashes distinguish them without color. */
export const THROUGHPUT_SERIES = [
  { key: 'enqueued', label: 'Enqueued', color: 'var(--state-ready)', dash: '5 3' },
  { key: 'completed', label: 'Completed', color: 'var(--state-completed)', dash: undefined },
  { key: 'failed', label: 'Failed runs', color: 'var(--state-dead)', dash: '2 2' },
] as const;

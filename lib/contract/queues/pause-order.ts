/** The one order of pauses in lists: what stands in another place on each page is resumed by mistake. Pure. */
import type { Pause, QueuePause } from './pause-schemas';

const before = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const latestPauseFirst = (a: QueuePause, b: QueuePause): number =>
  b.since - a.since || before(a.queue, b.queue) || before(a.scope, b.scope);

/** On the page of a queue its own come first; all others keep the order that they have on other pages. */
export const ownPausesFirst = (
  own: { readonly queue: string; readonly pauses: readonly Pause[] } | null,
  all: readonly QueuePause[],
): QueuePause[] => [
  ...(own?.pauses.map((pause) => ({ ...pause, queue: own.queue })) ?? []).sort(latestPauseFirst),
  ...all.filter(({ queue }) => queue !== own?.queue).sort(latestPauseFirst),
];

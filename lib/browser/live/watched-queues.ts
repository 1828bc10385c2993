/** Queues that the page on show wants every number of: the event stream carries these. Pure. */
import { WATCHED_QUEUES_MAX } from '@/lib/contract/queues/queue-limits';

export interface WatchedQueues {
  /** Sorted, bounded; the same array until it changes. */
  names(): readonly string[];
  /** Call the returned function to end it. */
  watch(names: readonly string[]): () => void;
  subscribe(listener: () => void): () => void;
}

export function createWatchedQueues(): WatchedQueues {
  const watches = new Set<readonly string[]>();
  const listeners = new Set<() => void>();
  let current: readonly string[] = [];
  let isDue = false;
  const update = () => {
    isDue = false;
    const next = [...new Set([...watches].flat())].sort().slice(0, WATCHED_QUEUES_MAX);
    if (next.join() === current.join()) return;
    current = next;
    for (const listener of listeners) listener();
  };
  // The next page begins to watch just after this one ends: one change for both.
  const schedule = () => {
    if (!isDue) queueMicrotask(update);
    isDue = true;
  };
  return {
    names: () => current,
    watch(names) {
      watches.add(names);
      schedule();
      return () => {
        watches.delete(names);
        schedule();
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

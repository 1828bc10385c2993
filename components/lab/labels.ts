/** Labels of job events, and the state each leads to. */
import type { JobState } from '@/lib/contract/jobs/job-states';

export interface EventLook {
  word: string;
  /** Gives icon and color; null: the event moves no job. */
  state: JobState | null;
}

const LOOKS: Readonly<Record<string, EventLook>> = {
  ready: { word: 'enqueued', state: 'ready' },
  scheduled: { word: 'scheduled', state: 'scheduled' },
  promoted: { word: 'due now', state: 'ready' },
  claimed: { word: 'claimed', state: 'in-flight' },
  completed: { word: 'completed', state: 'completed' },
  retry: { word: 'failed, will retry', state: 'retry' },
  dead: { word: 'died', state: 'dead' },
  reclaimed: { word: 'reclaimed', state: 'ready' },
  released: { word: 'released', state: 'ready' },
  postponed: { word: 'postponed', state: 'retry' },
  retried: { word: 'retried', state: 'ready' },
  held: { word: 'held', state: 'held' },
  returned: { word: 'no longer held', state: 'ready' },
  redriven: { word: 're-driven', state: 'ready' },
  restored: { word: 'restored', state: 'dead' },
  suppressed: { word: 'suppressed', state: 'suppressed' },
  purged: { word: 'purged', state: 'trashed' },
  deleted: { word: 'deleted', state: null },
  paused: { word: 'paused', state: 'held' },
  resumed: { word: 'resumed', state: 'ready' },
  trimmed: { word: 'expired from history', state: null },
  emptied: { word: 'expired from trash', state: null },
  mended: { word: 'repaired', state: null },
  expired: { word: 'deleted by retention', state: null },
  configured: { word: 'settings changed', state: null },
  draining: { word: 'draining', state: null },
  accepting: { word: 'stopped draining', state: null },
};

/** An unknown event is shown by its name. */
export const eventLook = (event: string): EventLook => LOOKS[event] ?? { word: event, state: null };

/** What each event of the stream is called and which state it leads to. */
import type { JobState } from '@/lib/contract/states';

export interface EventLook {
  word: string;
  /** The state whose icon and colour it wears; null for what moves no job. */
  state: JobState | null;
}

const LOOKS: Readonly<Record<string, EventLook>> = {
  ready: { word: 'enqueued', state: 'ready' },
  scheduled: { word: 'scheduled', state: 'scheduled' },
  promoted: { word: 'became due', state: 'ready' },
  claimed: { word: 'claimed', state: 'in-flight' },
  completed: { word: 'completed', state: 'completed' },
  retry: { word: 'failed, will retry', state: 'retry' },
  dead: { word: 'died', state: 'dead' },
  reclaimed: { word: 'reclaimed', state: 'ready' },
  released: { word: 'given back', state: 'ready' },
  postponed: { word: 'given back, for later', state: 'retry' },
  retried: { word: 'is tried again', state: 'ready' },
  held: { word: 'stepped aside', state: 'held' },
  returned: { word: 'back in line', state: 'ready' },
  redriven: { word: 're-driven', state: 'ready' },
  restored: { word: 'restored', state: 'dead' },
  suppressed: { word: 'suppressed', state: 'suppressed' },
  purged: { word: 'purged', state: 'trashed' },
  deleted: { word: 'deleted', state: null },
  paused: { word: 'paused', state: 'held' },
  resumed: { word: 'resumed', state: 'ready' },
  trimmed: { word: 'left the history', state: null },
  emptied: { word: 'left the trash for good', state: null },
  mended: { word: 'put right', state: null },
  expired: { word: 'deleted by retention', state: null },
  configured: { word: 'settings changed', state: null },
  draining: { word: 'drains', state: null },
  accepting: { word: 'takes jobs again', state: null },
};

/** An event this page does not know yet is shown by its own name. */
export const eventLook = (event: string): EventLook => LOOKS[event] ?? { word: event, state: null };

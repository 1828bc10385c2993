import { expect, it } from 'vitest';
import { permitsOf } from '@/lib/browser/access/use-permissions';
import type { ReferenceSearch } from '@/lib/browser/search/use-find-jobs';
import { reduceFind } from '@/lib/browser/search/use-find-jobs';
import type { FindEvent } from '@/lib/contract/search/find-schemas';
import { isOpenTo, NAV } from '../nav-items';
import { lookupStatus, searchStatus } from './search-status';

const START: ReferenceSearch = { reference: 'x', jobs: [], progress: null, end: null, error: null };
const after = (...events: FindEvent[]) => searchStatus(events.reduce(reduceFind, START));
const END = { found: 0, scanned: 250_000, of: 1_240_000, stopped: 'budget', states: ['dead'] } as const;

it('says how far a search has come, and where it stopped', () => {
  expect(after()).toBe('Searching all states: 0 jobs found.');
  const progress = { found: 0, scanned: 10_000, of: 1_240_000 };
  expect(after({ progress })).toBe('Searching all states: 0 jobs found. 10,000 of 1,240,000 looked at.');
  expect(after({ end: { ...END, states: [...END.states] } })).toBe(
    '0 jobs found. Stopped at its budget: 250,000 of 1,240,000 jobs looked at.',
  );
  expect(after({ end: { ...END, stopped: null, states: [], unavailable: [{ queue: 'q', shard: 0 }] } })).toBe(
    '0 jobs found by id, key, correlation id or trace id; payloads were not searched. A queue keeps its newest 1,000 completed jobs, unless its settings say otherwise. Some shards could not be searched.',
  );
  expect(after({ error: { code: 'X', detail: 'No.' } })).toBe('0 jobs found, then the search failed: No.');
});

it('says that a lookup is incomplete', () => {
  const reply = { at: 0, jobs: [], more: false };
  const lookup = { error: null, isWaiting: false };
  expect(lookupStatus({ ...lookup, reply }, 2, true)).toBe('2 results.');
  expect(lookupStatus({ ...lookup, reply: { ...reply, unasked: 3 } }, 0, true)).toContain(
    'jobs may be missing',
  );
  expect(lookupStatus({ ...lookup, reply: undefined, isWaiting: true }, 0, false)).toBe(
    'Looking for a job …',
  );
});

it('does not count results before the search that it offers', () => {
  const lookup = { error: null, isWaiting: false, reply: { at: 0, jobs: [], more: false } };
  expect(lookupStatus(lookup, 0, true)).toBe(
    'No job found by this id or key. A queue keeps its newest 1,000 completed jobs, unless its settings say otherwise. Press Enter to search by correlation and trace id.',
  );
  expect(lookupStatus(lookup, 0, false)).toBe('0 results.');
});

it('has one key for each page, none of them a key of a list', () => {
  const keys = NAV.map(({ shortcut }) => shortcut);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[a-z]$/.test(key) || 'gjkxrv'.includes(key))).toEqual([]);
});

it('offers Redis only to users who see all queues and tenants', () => {
  const pages = (queues: string[], tenants: string[] | null = null) => {
    const may = permitsOf([{ role: 'viewer', queues, tenants }]);
    return NAV.filter((item) => isOpenTo(item, may)).map(({ key }) => key);
  };
  expect(pages(['*'])).toContain('redis');
  expect(pages(['mail*'])).not.toContain('redis');
  expect(pages(['*'], ['acme'])).not.toContain('redis');
  expect(pages(['*'])).not.toContain('access');
});

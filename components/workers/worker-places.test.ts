import { expect, it } from 'vitest';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { groupWorkers } from './worker-groups';
import { EMPTY_PLACES_MAX, holdPlaces, type WorkerPlace } from './worker-places';

/** `mail-7` is the process 7 of the worker mail. */
const worker = (workerId: string, over: Partial<Worker> = {}): Worker => ({
  ...IDLE_WORKER,
  workerId,
  pid: Number(workerId.split('-').at(-1)),
  ...over,
});
const crashed = (workerId: string, at = 5): Worker =>
  worker(workerId, { status: 'crashed', end: { at, cause: 'SIGKILL', reclaimed: 2 } });

const after = (before: readonly WorkerPlace[], ...workers: Worker[]) =>
  holdPlaces(before, groupWorkers(workers, 10));
/** Empty places in parentheses. */
const shown = (places: readonly WorkerPlace[]): string =>
  places.map((place) => (place.ended ? `(${place.worker.workerId})` : place.worker.workerId)).join(' ');

const first = after([], worker('mail-1'), worker('sms-2'), worker('web-3'));

it('a worker that ends leaves its place empty, with the card it had, until its replacement comes', () => {
  const busy = after(first, worker('mail-1', { completed: 9 }), worker('sms-2'), worker('web-3'));
  const ended = after(busy, crashed('mail-1'), worker('sms-2'), worker('web-3'));
  expect(shown(ended)).toBe('(mail-1) sms-2 web-3');
  expect(ended[0]).toMatchObject({ worker: { completed: 9, end: null }, ended: { status: 'crashed' } });
  expect(shown(after(ended, worker('sms-2'), worker('web-3')))).toBe('(mail-1) sms-2 web-3');
  expect(shown(after(ended, crashed('mail-1'), worker('mail-9'), worker('sms-2'), worker('web-3')))).toBe(
    'mail-9 sms-2 web-3',
  );
});

it('a replacement takes the place of its own predecessor, any other worker the first empty one', () => {
  const ended = after(first, crashed('mail-1'), crashed('sms-2'), worker('web-3'));
  expect(shown(after(ended, worker('sms-8'), worker('web-3')))).toBe('(mail-1) sms-8 web-3');
  expect(shown(after(ended, worker('new-8'), worker('web-3')))).toBe('new-8 (sms-2) web-3');
  expect(shown(after(first, worker('a-9'), worker('mail-1'), worker('sms-2'), worker('web-3')))).toBe(
    'mail-1 sms-2 web-3 a-9',
  );
});

it('a worker whose heartbeat is lost keeps its place, and lost ones begin the page', () => {
  const lost = worker('web-3', {
    status: 'lost',
    jobs: [{ queue: 'q', jobId: 'j', jobType: 't', startedAt: 0, leaseUntil: 20 }],
  });
  expect(shown(after(first, worker('mail-1'), worker('sms-2'), lost))).toBe('mail-1 sms-2 web-3');
  expect(shown(after([], worker('mail-1'), worker('sms-2'), lost))).toBe('web-3 mail-1 sms-2');
});

it('a worker that the user may no longer see leaves no place, and empty places are bounded', () => {
  expect(shown(after(first, worker('mail-1'), worker('web-3')))).toBe('mail-1 web-3');
  const many = Array.from({ length: EMPTY_PLACES_MAX + 2 }, (_, i) => `w-${i}`);
  const ended = after(after([], ...many.map((id) => worker(id))), ...many.map((id, i) => crashed(id, i)));
  expect(ended).toHaveLength(EMPTY_PLACES_MAX);
  expect(shown(ended)).not.toMatch(/w-[01]\)/);
});

import { describe, expect, it } from 'vitest';
import { permitsOf } from '@/lib/browser/access/use-permissions';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { askRefusal, offeredActions, requestResult, workerChoices } from './worker-choices';

const worker = (over: Partial<Worker>): Worker => ({ ...IDLE_WORKER, ...over });
const asked = (action: 'quiet' | 'resume' | 'stop') => ({ action, at: 1, actor: 'ann', reason: 'x' });

describe('what is left to ask of a worker', () => {
  it.each([
    [{}, ['quiet', 'stop']],
    [{ request: asked('quiet') }, ['resume', 'stop']],
    [{ status: 'quiet', request: asked('quiet') }, ['resume', 'stop']],
    [{ status: 'quiet', request: asked('resume') }, ['quiet', 'stop']],
    [{ request: asked('resume') }, ['quiet', 'stop']],
    [{ request: asked('stop') }, []],
    [{ status: 'draining' }, []],
  ] as const)('%o: %o', (over, actions) => {
    expect(offeredActions(worker(over))).toEqual(actions);
  });
});

describe('why a user cannot ask a worker', () => {
  const permits = permitsOf([{ role: 'operator', queues: ['mail'], tenants: null }]);
  it.each([
    [{ queues: { mail: 1 } }, null],
    [{ queues: { mail: 1, sms: 1 } }, /whole queue sms/],
    [{ queues: { mail: 1 }, partial: true as const }, /also serves queues/],
    [{ queues: { mail: 1 }, actions: [] }, /takes no requests from the console/],
  ] as const)('%o: %s', (over, words) => {
    const refusal = askRefusal(worker(over as Partial<Worker>), permits);
    if (words === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(words);
  });
});

describe('the groups to choose from', () => {
  it('are all, and those of a queue, host or version that are not all', () => {
    const workers = [
      worker({ workerId: 'a', queues: { mail: 1 }, host: 'one', version: '1' }),
      worker({ workerId: 'b', queues: { mail: 1, sms: 1 }, host: 'two', version: '2' }),
      worker({ workerId: 'c', queues: { mail: 1 }, host: 'two', version: '' }),
    ];
    expect(workerChoices(workers).map(({ label }) => label)).toEqual([
      'All 3 workers',
      '1 worker on host one',
      '2 workers on host two',
      '1 worker for sms',
      '1 worker of version 1',
      '1 worker of version 2',
    ]);
    expect(workerChoices([]).map(({ workers: none }) => none)).toEqual([[]]);
  });
});

it('says how a request ended', () => {
  const results = (['requested', 'unchanged', 'not-alive', 'stopping', 'unsupported'] as const).map(
    (outcome, i) => ({ workerId: `w-${i}`, outcome }),
  );
  expect(requestResult('quiet', { results })).toBe(
    'Asked 2 workers to take no new jobs. 1 ended before. 1 stopped already. 1 of a version that takes no requests.',
  );
});

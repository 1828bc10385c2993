import { expect, it } from 'vitest';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { missingText } from './use-missing-handler';

const worker = (types: string[], over: Partial<Worker> = {}): Worker => ({
  ...IDLE_WORKER,
  status: 'running',
  queues: { mail: 1 },
  handlers: types.map((type) => ({ type, versions: [1] })),
  ...over,
});
const asked = (workers: Worker[], jobType = 'email.sned', queue = 'mail') =>
  missingText({ at: 1_000_000, workers }, queue, { jobType, jobVersion: 1 });

it('says of a typed job type that no live worker of the queue knows it', () => {
  expect(asked([worker(['email.send'])])).toBe('No worker of mail knows the job type email.sned.');
});

it.each([
  ['one knows it', [worker(['email.send']), worker(['email.sned'])]],
  ['one does not report its handlers', [worker(['email.send']), worker([])]],
  ['there are no live workers', [worker(['email.send'], { status: 'crashed' })]],
  ['workers serve another queue', [worker(['email.send'], { queues: { hooks: 1 } })]],
])('says nothing where %s', (_, workers) => {
  expect(asked(workers)).toBeUndefined();
});

it('says nothing while a name is missing', () => {
  expect([asked([worker(['a'])], ''), asked([worker(['a'])], 'b', '')]).toEqual([undefined, undefined]);
});

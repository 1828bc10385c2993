/** Requests of an operator: a worker learns of them with its heartbeat, and its state is in the list of workers. */
import { afterEach, describe, expect, it } from 'vitest';
import type { WorkerAction } from '@/lib/contract/workers/worker-requests';
import { until } from '@/testing/poll';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpWorkshop } from '@/testing/worlds/workers';

const shop = await setUpWorkshop();
const BY = { actor: 'ann' };
const REQUESTS = 'rd:{.workers}:requests';
afterEach(async () => {
  const { difference, strayRows } = await shop.broker.inspect.ledger(shop.queue);
  await shop.next();
  expect({ difference, strayRows }).toEqual({ difference: 0, strayRows: 0 });
});

async function ask(action: WorkerAction, ...workers: string[]) {
  const request = { action, workers, reason: 'a deploy' };
  const { results } = await shop.broker.workers.request(request, BY);
  return results.map(({ outcome }) => outcome);
}
const listed = async (id: string) =>
  (await shop.broker.workers.list()).workers.find(({ workerId }) => workerId === id);
const isListed = (id: string, status: string) =>
  until(
    async () => {
      const found = await listed(id);
      return found?.status === status ? found : null;
    },
    { what: `${id} to be ${status}` },
  );
/** A handler that the test lets go on. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { run: () => opened, open: () => open() };
}

describe('quiet', () => {
  it('takes no new jobs, finishes what it has, and takes jobs again when it is resumed', async () => {
    const { run, open } = gate();
    const { worker, saw, events } = shop.work(run);
    const first = await shop.enqueue();
    await saw('claimed');
    await isListed(worker.workerId, 'running');
    expect(await ask('quiet', worker.workerId)).toEqual(['requested']);
    const quiet = await isListed(worker.workerId, 'quiet');
    expect(quiet.jobs).toHaveLength(1);
    expect(quiet.request).toMatchObject({ action: 'quiet', actor: 'ann', reason: 'a deploy' });
    const second = await shop.enqueue();
    open();
    await shop.becomes(first, 'completed');
    // Another worker gets what is new, at once: the wake-up is not lost to the quiet one.
    const other = shop.work(() => 'by the other');
    expect((await shop.becomes(second, 'completed')).result?.worker).toBe(other.worker.workerId);
    const third = await shop.enqueue();
    expect((await shop.becomes(third, 'completed')).result?.worker).toBe(other.worker.workerId);
    await other.worker.stop();

    const fourth = await shop.enqueue();
    expect(await ask('resume', worker.workerId)).toEqual(['requested']);
    expect((await shop.becomes(fourth, 'completed')).result?.worker).toBe(worker.workerId);
    await isListed(worker.workerId, 'running');
    expect(events.flatMap((event) => (event.type === 'requested' ? [event.action] : []))).toEqual([
      'quiet',
      'resume',
    ]);
  });

  it('still brings its scheduled jobs to others, and its own when it is resumed', async () => {
    const { worker } = shop.work(() => 'done');
    await isListed(worker.workerId, 'running');
    await ask('quiet', worker.workerId);
    await isListed(worker.workerId, 'quiet');
    const jobId = await shop.enqueue({ delayMs: 300 });
    await shop.becomes(jobId, 'ready');
    worker.resume();
    await shop.becomes(jobId, 'completed');
  });

  it('leaves the queue without workers for those who look at it', async () => {
    const { worker } = shop.work(() => 'done');
    await isListed(worker.workerId, 'running');
    worker.quiet();
    expect(worker.state().status).toBe('quiet');
    await isListed(worker.workerId, 'quiet');
    expect(worker.state()).toMatchObject({ status: 'quiet', stopRequested: false });
  });
});

describe('stop', () => {
  it('drains: jobs end within drainMs, the others go back, and the list says that it was asked', async () => {
    const never = () => new Promise<never>(() => undefined);
    const { worker, saw } = shop.work(never, { drainMs: 100, abortGraceMs: 50 });
    const jobId = await shop.enqueue();
    await saw('claimed');
    await isListed(worker.workerId, 'running');
    expect(await ask('stop', worker.workerId)).toEqual(['requested']);
    await worker.drained;
    expect(worker.state()).toMatchObject({ status: 'stopped', stopRequested: true });
    expect(await shop.detail(jobId)).toMatchObject({ attempt: 0, leaseLosses: 0 });
    const ended = await isListed(worker.workerId, 'stopped');
    expect(ended).toMatchObject({ request: null, end: { cause: 'stopped on request', reclaimed: 1 } });
    expect(await shop.redis.connect().hexists(REQUESTS, worker.workerId)).toBe(0);
  });

  it('stops a quiet worker, too', async () => {
    const { worker } = shop.work(() => 'done');
    await isListed(worker.workerId, 'running');
    worker.quiet();
    await isListed(worker.workerId, 'quiet');
    await ask('stop', worker.workerId);
    await worker.drained;
    await isListed(worker.workerId, 'stopped');
  });

  it('is not for a later process with the same id', async () => {
    const { worker } = shop.work(() => 'done', { workerId: 'fixed' });
    const { startedAt } = await isListed('fixed', 'running');
    await worker.stop({ hurry: true });
    const plain = shop.redis.connect();
    await plain.hset(REQUESTS, 'fixed', `stop ${startedAt} 1 {"actor":"ann"}`);
    const next = shop.work(() => 'done', { workerId: 'fixed' });
    await until(async () => ((await listed('fixed'))?.startedAt ?? 0) > startedAt, { what: 'the next one' });
    const { lastSeenAt } = await isListed('fixed', 'running');
    await until(async () => ((await listed('fixed'))?.lastSeenAt ?? 0) > lastSeenAt, {
      what: 'another heartbeat',
    });
    expect(next.worker.state().status).toBe('running');
    expect((await listed('fixed'))?.request).toBeNull();
  });
});

describe('the answer to a request', () => {
  const report = (workerId: string, more: object = {}) =>
    shop.broker.workers.report({ ...IDLE_REPORT, workerId, startedAt: 7, ...more });
  const audited = async () =>
    (await shop.redis.connect().xrange('rd:{.workers}:audit', '-', '+')).map(([, fields]) =>
      fields.join(' '),
    );

  it('tells what was asked, what was asked before, and who cannot be asked', async () => {
    await report('a-1');
    await report('a-old', { actions: [] });
    await report('a-draining', { status: 'draining' });
    await report('a-gone');
    await shop.broker.workers.ended('a-gone', 'crashed', { at: 1, cause: 'SIGKILL', reclaimed: 0 });
    expect(await ask('quiet', 'a-1', 'a-old', 'a-draining', 'a-gone', 'a-none', 'a-1')).toEqual([
      'requested',
      'unsupported',
      'stopping',
      'not-alive',
      'not-alive',
    ]);
    expect(await ask('quiet', 'a-1')).toEqual(['unchanged']);
    expect(await ask('resume', 'a-1')).toEqual(['requested']);
    expect(await ask('stop', 'a-1')).toEqual(['requested']);
    expect(await ask('quiet', 'a-1')).toEqual(['stopping']);
    expect(await ask('stop', 'a-1', 'a-draining')).toEqual(['unchanged', 'unchanged']);
    const entries = (await audited()).filter((text) => / id a-/.test(text));
    expect(entries.map((text) => text.match(/action (\S+)/)?.[1])).toEqual([
      'worker.quiet',
      'worker.resume',
      'worker.stop',
    ]);
    for (const text of entries)
      expect(text).toMatch(/"actor":"ann","reason":"a deploy".* kind worker id a-1/);
  });

  it('a running worker needs no resume', async () => {
    await report('b-1');
    expect(await ask('resume', 'b-1')).toEqual(['unchanged']);
  });

  it('a request that this version does not know, and a damaged one, are passed over', async () => {
    const plain = shop.redis.connect();
    for (const row of ['dance 7 1 {}', 'stop', 'stop 7 x {}', 'stop 7 1 {', 'stop 8 1 {"actor":"ann"}']) {
      await plain.hset(REQUESTS, 'c-1', row);
      expect(await report('c-1'), row).toBeNull();
    }
    await plain.hset(REQUESTS, 'c-1', 'stop 7 1 {"actor":"ann","reason":"x"}');
    expect(await report('c-1')).toMatchObject({ action: 'stop', actor: 'ann', reason: 'x' });
  });
});

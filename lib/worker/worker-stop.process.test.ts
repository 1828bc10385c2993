/** A worker process stops on request or by a signal: it exits with 0, and what it holds is finished or goes on elsewhere. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { until } from '@/testing/poll';
import { Processes } from '@/testing/worlds/processes';
import { setUpProgram } from '@/testing/worlds/set-up-program';
import { setUpWorkshop } from '@/testing/worlds/workers';

const PROGRAM = await setUpProgram(new URL('./fixture-worker.ts', import.meta.url));
const processes = new Processes();
const shop = await setUpWorkshop();
afterEach(() => shop.next());
afterAll(() => processes.stopAll());

const start = async (what = 'finish') => {
  const child = processes.node([PROGRAM, shop.redis.url, shop.queue, what, '5000'], { name: `to ${what}` });
  const id = (await child.prints(/up (\S+)/))[1] ?? '';
  await until(async () => (await statusOf(id)) === 'running', { what: `${id} to be listed` });
  return { child, id };
};
const statusOf = async (id: string) =>
  (await shop.broker.workers.list()).workers.find(({ workerId }) => workerId === id)?.status;

test('stopped while it holds a job: the job goes back unharmed, the process ends with 0', async () => {
  const { child, id } = await start('stubborn');
  const jobId = await shop.enqueue();
  await child.prints(/started/);
  const request = { action: 'stop' as const, workers: [id], reason: 'a deploy' };
  await shop.broker.workers.request(request, { actor: 'ann' });
  expect(await child.exited).toMatchObject({ code: 0 });
  expect(await statusOf(id)).toBe('stopped');
  const other = await start();
  await shop.becomes(jobId, 'completed');
  expect(await shop.detail(jobId)).toMatchObject({ attempt: 1, leaseLosses: 0 });
  expect(await statusOf(other.id)).toBe('running');
  expect(await shop.broker.inspect.ledger(shop.queue)).toMatchObject({ difference: 0 });
});

test('interrupted twice at once, as by npm: the job is finished', async () => {
  const { child } = await start('patient');
  const jobId = await shop.enqueue();
  await child.prints(/started/);
  child.kill('SIGINT');
  await child.prints(/interrupted/);
  child.kill('SIGINT');
  await child.prints(/interrupted\s+interrupted/);
  child.kill('SIGUSR2');
  expect(await child.exited).toMatchObject({ code: 0 });
  const job = await shop.detail(jobId);
  expect(job).toMatchObject({ state: 'completed', attempt: 1 });
  expect(job.history.map(({ kind }) => kind)).not.toContain('released');
});

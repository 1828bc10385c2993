/** The consoles that work operations off: in turn, and for each other. */
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { startOperation } from '@/testing/worlds/operation-runs';
import { BY, jobs, killAll } from '@/testing/worlds/world';

const console_ = await setUpConsole();
let OperationRunner: typeof import('./operation-runner').OperationRunner;
beforeAll(async () => {
  ({ OperationRunner } = await import('./operation-runner'));
});

const get = (id: string) => console_.broker.operations.get(id);
const redrive = async (queue: string, count: number, control: Parameters<typeof startOperation>[2] = {}) => {
  await killAll(console_.broker, queue, jobs(count));
  return (await startOperation(console_.broker, { kind: 'redrive', q: `queue:${queue}` }, control)).id;
};

describe('a runner', () => {
  it('finds what is open by itself, and gives every operation its turns', async () => {
    const [large, small] = [await redrive('large', 4_000), await redrive('small', 300)];
    const runner = new OperationRunner();
    runner.start();
    try {
      await until(async () => (await get(small)).status === 'completed', {
        what: 'the small one',
        timeoutMs: 20_000,
      });
      await until(async () => (await get(large)).status === 'completed', {
        what: 'the large one',
        timeoutMs: 20_000,
      });
    } finally {
      runner.stop();
    }
    // The small one did not have to wait for the large one, though that was started first.
    const [a, b] = [await get(large), await get(small)];
    expect(b.endedAt).toBeLessThanOrEqual(a.endedAt ?? 0);
    expect([a.moved, b.moved]).toEqual([4_000, 300]);
  });

  it('hears of a change at once, also while it waits', async () => {
    const rate = { perSecond: 1, keepReadyBelow: null };
    const id = await redrive('slow', 200, { control: { rate } });
    const runner = new OperationRunner();
    runner.run(id);
    try {
      await until(async () => (await get(id)).moved > 0, { what: 'the first job' });
      await console_.broker.operations.change(id, { rate: { perSecond: null, keepReadyBelow: null } }, BY);
      runner.run(id);
      await until(async () => (await get(id)).status === 'completed', { what: 'the rest', timeoutMs: 5_000 });
    } finally {
      runner.stop();
    }
  });

  it('that is gone is replaced within ten seconds, and the next starts where it was', async () => {
    const rate = { perSecond: 40, keepReadyBelow: null };
    const id = await redrive('orphaned', 2_000, { control: { rate } });
    const [first, second] = [new OperationRunner(), new OperationRunner()];
    first.run(id);
    await until(async () => (await get(id)).moved > 5, { what: 'the first runner to begin' });
    second.start();
    // From one moment to the next, with its lease in its hands.
    first.stop();
    const { moved } = await get(id);
    try {
      await until(async () => (await get(id)).moved > moved + 20, {
        what: 'the second runner',
        timeoutMs: 10_000,
      });
      const { events } = await get(id);
      expect(events.map(({ type: what }) => what)).toContain('taken-over');
      await console_.broker.operations.act(id, 'cancel', BY);
    } finally {
      second.stop();
    }
  });

  it('ends an operation that cannot go on with a sentence, and leaves it at that', async () => {
    await killAll(console_.broker, 'listless', jobs(3));
    const { id } = await startOperation(console_.broker, {
      kind: 'purge',
      jobs: [{ queue: 'listless', jobId: 'j000000' }],
    });
    await console_.redis.connect().hdel('rd:{.operations}:records', `${id} jobs`);
    const runner = new OperationRunner();
    runner.run(id);
    await until(async () => (await get(id)).status === 'failed', { what: 'the end' });
    runner.stop();
    expect((await get(id)).error).toMatch(/list of the jobs .* is gone/);
    expect(await console_.broker.operations.running()).not.toContain(id);
  });
});

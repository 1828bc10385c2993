/** One job of a small tenant behind a crowd of a large one: in the order of arrival, and with the queue fair to tenants. */
import { until } from '@/testing/poll';
import { onStage, QUEUE, type Stage } from '../harness/bench-stage';
import { runJobs } from '../harness/work-backlog';
import { type Cell, type Found, rateOf } from './bench-cell';

async function measure(stage: Stage, crowd: number, fair: boolean): Promise<Found[]> {
  const [producer, worker] = await Promise.all([stage.process('producer'), stage.process('worker')]);
  await producer.ask('setFair', {
    path: stage.server.path,
    queue: QUEUE,
    fair: fair ? 'tenant' : 'none',
  });
  await producer.ask('addInBulk', { count: crowd, perCall: 1_000, tenant: 'crowd' }, 120_000);
  const meanwhile = async () => {
    await until(() => worker.progress().started > 0, { what: 'the crowd to start', everyMs: 5 });
    await producer.ask('addOne', { n: crowd, tenant: 'single' });
  };
  const total = crowd + 1;
  const name = fair ? '-fair' : '';
  const { value, redisUs } = await stage.phase(`run-crowd${name}`, () =>
    runJobs(stage, [worker], { total, concurrency: 100, meanwhile }),
  );
  const { tookMs, ran, clientCpuUs } = value;
  await stage.checkEmpty(worker);
  const [waitedUs = Number.NaN] = ran[0]?.pickupsUs ?? [];
  return [
    { measure: `single-behind-crowd${name}`, value: waitedUs / 1_000 },
    rateOf(`run-crowd${name}`, total, tookMs, redisUs, clientCpuUs),
  ];
}

export const crowd: Cell = {
  name: 'crowd',
  sides: ['ours'],
  async run(stage, sizes) {
    const inOrder = await measure(stage, sizes.crowd, false);
    const fair = await onStage(stage.options, (fresh) => measure(fresh, sizes.crowd, true));
    return [...inOrder, ...fair];
  },
};

/** What a vanished worker held, and where those jobs are now. */
import { expect, test } from 'vitest';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';

const world = await setUpConsole();
const QUEUE = 'held';
const viewer = (tenants: string[] | null): Grant => ({ role: 'viewer', queues: ['*'], tenants });
const report = (workerId: string, jobIds: readonly string[]) => ({
  ...IDLE_REPORT,
  workerId,
  queues: { [QUEUE]: 1 },
  jobs: jobIds.map((jobId) => ({ queue: QUEUE, jobId, jobType: 'a', startedAt: 1, leaseUntil: 2 })),
});

test('are listed with their states, each for those who may see it, and never in the list of workers', async () => {
  for (const [jobId, tenantId] of [
    ['one', 'acme'],
    ['two', 'globex'],
  ] as const)
    await world.broker.enqueue(QUEUE, { jobId, jobType: 'a', tenantId });
  await world.broker.workers.report(report('w-1', ['stale']));
  const held = [
    { queue: QUEUE, jobId: 'one' },
    { queue: QUEUE, jobId: 'two' },
    { queue: QUEUE, jobId: 'deleted' },
  ];
  const end = { at: 5, cause: 'SIGKILL', reclaimed: 2 };
  await world.broker.workers.ended('w-1', 'crashed', end, held);
  // Without a supervisor nobody says what it held: its last report does.
  await world.broker.workers.report(report('w-2', ['two']));
  await world.broker.workers.ended('w-2', 'crashed', end);

  const jobsOf = async (name: string, tenants: string[] | null, workerId: string) => {
    const { headers } = await signInAs(world, { name, grants: [viewer(tenants)] });
    const answer = await callApi('GET', `/api/v1/workers/${workerId}/jobs`, { headers });
    expect(answer.status).toBe(200);
    return (answer.body.jobs as { jobId: string; state: string | null }[]).map(
      ({ jobId, state }) => `${jobId} ${state}`,
    );
  };
  expect(await jobsOf('ann', null, 'w-1')).toEqual(['one ready', 'two ready', 'deleted null']);
  expect(await jobsOf('ann', null, 'w-2')).toEqual(['two ready']);
  expect(await jobsOf('ann', null, 'unknown')).toEqual([]);
  expect(await jobsOf('bob', ['acme'], 'w-1')).toEqual(['one ready']);

  const { workers } = await world.broker.workers.list();
  expect(workers.map(({ workerId, jobs, end: at }) => [workerId, jobs, at])).toEqual([
    ['w-2', [], end],
    ['w-1', [], end],
  ]);
  expect(workers.every((worker) => !('held' in worker))).toBe(true);
});

/** Who may see one queue of two hundred costs Redis what one queue does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { until } from '@/testing/poll';
import { startMonitor } from '@/testing/worlds/monitor';
import { BY, jobs, killAll, openWorld, type World } from '@/testing/worlds/world';

const QUEUES = 200;
const INSIDE = 'q-100';
let many: World;
let one: World;
beforeAll(async () => {
  [many, one] = await Promise.all([openWorld(), openWorld()]);
  for (let i = 0; i < QUEUES; i += 1)
    await killAll(many.broker, `q-${i}`, jobs(3, 0, { tenantId: i % 2 === 0 ? 'even' : 'odd' }));
  await killAll(one.broker, INSIDE, jobs(3, 0, { tenantId: 'even' }));
}, 60_000);
afterAll(async () => {
  await many?.close();
  await one?.close();
});

/** What a call asks of Redis, by its own account. */
async function commandsOf({ server, redis }: World, call: () => Promise<unknown>): Promise<number> {
  const monitor = await startMonitor(server);
  let [count, ended] = [0, false];
  monitor.on('monitor', (_: string, args: string[]) => {
    if (args[0]?.toLowerCase() === 'echo') ended = true;
    else count += 1;
  });
  await call();
  await redis.echo('the end');
  await until(() => ended, { what: 'MONITOR to have told everything', timeoutMs: 20_000 });
  monitor.disconnect();
  return count;
}

/** Without what is read again in the background now and then. */
async function leastOf(world: World, call: (world: World) => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let i = 0; i < 3; i += 1) counts.push(await commandsOf(world, () => call(world)));
  return Math.min(...counts);
}

const AREAS = {
  'a queue': [{ queue: INSIDE, tenants: null }],
  'a tenant of a queue': [{ queue: INSIDE, tenants: ['even', 'nobody'] }],
} satisfies Record<string, AccessScope>;

describe.each(Object.entries(AREAS))('for who may see %s', (_, within) => {
  const calls: Record<string, (world: World) => Promise<unknown>> = {
    'a search': ({ broker }) => broker.inspect.search({ state: 'dead', q: '', within }),
    'a search of waiting jobs': ({ broker }) =>
      broker.inspect.search({ state: 'ready', q: 'type:demo', within }),
    facets: ({ broker }) => broker.inspect.facets({ q: 'type:demo', within }),
    groups: ({ broker }) => broker.inspect.groups({ q: '', within }),
    suggestions: ({ broker }) => broker.inspect.suggest({ q: 'tenant:', caret: 7, within }),
    'a preview': ({ broker }) => broker.operations.preview({ kind: 'redrive', scope: { q: '', within } }, BY),
  };
  it.each(Object.entries(calls))(
    '%s costs what it does where that queue is all there is',
    async (_, call) => {
      // What is read once a process is read.
      for (const world of [many, one]) await call(world);
      expect(await leastOf(many, call)).toBe(await leastOf(one, call));
    },
  );
});

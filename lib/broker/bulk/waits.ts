/** What would be put back, but not run for now: its queue, tenant or type is paused, or no live worker takes it. */
import type { Preview } from '@/lib/contract/operations';
import type { Worker } from '@/lib/contract/workers';
import { snapshot } from '../inspect/snapshot';
import type { ShardedContext } from '../shards';
import { listWorkers } from '../workers';
import type { Looked } from './look';

type Waits = Preview['waits'];
const WAITS_MAX = 50;

/** @param target where they go, when that is not where they are */
export async function waitsOf(
  ctx: ShardedContext,
  looked: readonly Looked[],
  target: string | null,
): Promise<Waits> {
  const going = looked.filter(({ skip }) => skip === null);
  const queues = target === null ? [...new Set(going.map(({ place }) => place.queue))] : [target];
  if (going.length === 0) return [];
  const [readings, { workers }] = await Promise.all([snapshot(ctx, queues), listWorkers(ctx)]);
  const waits = new Map<string, Waits[number]>();
  const wait = (reason: Waits[number]['reason'], what: string) => {
    const known = waits.get(`${reason} ${what}`) ?? { reason, what, count: 0 };
    waits.set(`${reason} ${what}`, { ...known, count: known.count + 1 });
  };
  const paused = new Map(
    readings.map(({ queue, pauses }) => [queue, new Set<string>(pauses.map(({ scope }) => scope))]),
  );
  const takers = new Map(queues.map((queue) => [queue, takersOf(workers, queue)]));
  for (const { place, facts } of going) {
    const queue = target ?? place.queue;
    const scopes = paused.get(queue);
    if (scopes?.has('queue')) wait('paused', queue);
    else if (scopes?.has(`tenant:${facts.tenant}`)) wait('paused', `tenant ${facts.tenant} of ${queue}`);
    else if (scopes?.has(`type:${facts.type}`)) wait('paused', `type ${facts.type} of ${queue}`);
    const taker = takers.get(queue);
    if (!taker || taker.workers === 0) wait('no-worker', queue);
    else if (taker.draining) wait('draining', queue);
    else if (taker.types && !taker.types.has(`${facts.type} ${facts.version}`))
      wait('no-worker', `${facts.type} v${facts.version} in ${queue}`);
  }
  return [...waits.values()].sort((a, b) => b.count - a.count).slice(0, WAITS_MAX);
}

interface Takers {
  readonly workers: number;
  /** None of them takes new jobs. */
  readonly draining: boolean;
  /** `<type> <version>`; null when one of them does not say. */
  readonly types: ReadonlySet<string> | null;
}

function takersOf(workers: readonly Worker[], queue: string): Takers {
  const live = workers.filter(
    ({ status, queues }) => (status === 'running' || status === 'draining') && Object.hasOwn(queues, queue),
  );
  const running = live.filter(({ status }) => status === 'running');
  const silent = running.some(({ handlers }) => handlers.length === 0);
  const types = running.flatMap(({ handlers }) =>
    handlers.flatMap(({ type, versions }) => versions.map((version) => `${type} ${version}`)),
  );
  return { workers: live.length, draining: running.length === 0, types: silent ? null : new Set(types) };
}

/** The measurements themselves. Each says what it found as readings: a measure's name and a value. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import type { PreviewRequest } from '@/lib/contract/operations/operation-request';
import type { Broker } from '@/testing/create-broker';
import { median } from '../harness/statistics';
import { NEEDLE, NEEDLES, tenantOf, typeOf } from './dead-plan';
import { startProbe } from './latency-probe';

export interface Found {
  measure: string;
  value: number;
}
export interface Stage {
  broker: Broker;
  /** The socket of Redis, for the other client. */
  path: string;
  jobs: number;
  /** How often what is quick is repeated; the median counts. */
  repeats: number;
  say(line: string): void;
}

const BY = { actor: 'bench', reason: 'a measurement' };
const DAYS = '3d';

/** One of each road through the indexes: none, one, several, either, not, by beginning, by time. */
export const INDEXED = [
  '',
  `type:${typeOf(3)}`,
  `tenant:${tenantOf(20)}`,
  'class:permanent',
  `type:${typeOf(3)} tenant:${tenantOf(20)}`,
  `type:${typeOf(3)} code:HTTP_503 class:retryable`,
  `type:${typeOf(3)} OR type:${typeOf(4)}`,
  `-class:retryable tenant:${tenantOf(40)}`,
  'type:incident.step-1*',
  `age:>${DAYS} type:${typeOf(5)}`,
  `age:<=1h`,
  `(type:${typeOf(6)} OR tenant:${tenantOf(60)}) NOT code:HTTP_503 attempts:>=1`,
  // Nothing matches: that, too, must be found out without looking at all of them.
  `attempts:>=2`,
] as const;
/** With one failure group besides: its id is not known beforehand. */
async function indexed({ broker }: Stage): Promise<string[]> {
  const [group] = (await broker.inspect.groups({ q: '' })).groups;
  if (!group) throw new Error('There is no failure group.');
  return [...INDEXED, `group:${group.group}`, `group:${group.group} tenant:${tenantOf(20)}`];
}

async function medianMs(repeats: number, work: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const startMs = performance.now();
    await work();
    tookMs.push(performance.now() - startMs);
  }
  return median(tookMs);
}

/** The slowest query is what the bar holds for: "any filter". */
async function slowest(
  { repeats, say }: Stage,
  queries: readonly string[],
  what: string,
  work: (q: string) => Promise<unknown>,
): Promise<number> {
  let worst = 0;
  for (const q of queries) {
    await work(q);
    const ms = await medianMs(repeats, () => work(q));
    say(`${what} "${q}": ${ms.toFixed(2)} ms`);
    worst = Math.max(worst, ms);
  }
  return worst;
}

export async function pages(stage: Stage): Promise<Found[]> {
  const { inspect } = stage.broker;
  const queries = await indexed(stage);
  const first = await slowest(stage, queries, 'page', (q) =>
    inspect.search({ state: 'dead', q }, { limit: 50 }),
  );
  const cursors = new Map<string, string>();
  for (const q of queries) {
    let cursor: string | undefined;
    for (let page = 0; page < 20; page++)
      cursor = (await inspect.search({ state: 'dead', q }, { limit: 500, cursor })).nextCursor ?? cursor;
    if (cursor !== undefined) cursors.set(q, cursor);
  }
  const deep = await slowest(stage, [...cursors.keys()], 'deep page', (q) =>
    inspect.search({ state: 'dead', q }, { limit: 50, cursor: cursors.get(q) }),
  );
  return [
    { measure: 'page-50-any-filter', value: first },
    { measure: 'page-50-deep', value: deep },
  ];
}

export async function facets(stage: Stage): Promise<Found[]> {
  const { inspect } = stage.broker;
  const startMs = performance.now();
  await inspect.facets({ q: '' });
  const cold = performance.now() - startMs;
  const queries = await indexed(stage);
  return [
    { measure: 'facets-cold', value: cold },
    { measure: 'facets', value: await slowest(stage, queries, 'facets', (q) => inspect.facets({ q })) },
    { measure: 'groups', value: await slowest(stage, queries, 'groups', (q) => inspect.groups({ q })) },
  ];
}

export async function text(stage: Stage): Promise<Found[]> {
  const { broker, path, jobs, repeats } = stage;
  const first = await medianMs(repeats, () =>
    broker.inspect.search({ state: 'dead', q: '"grey-gull-1"' }, { limit: 50 }),
  );
  const other = startProbe(path);
  const startMs = performance.now();
  let found = 0;
  for await (const event of broker.inspect.searchStream(
    { state: 'dead', q: `"${NEEDLE}"` },
    { limit: 500, budget: jobs },
  ))
    if ('jobs' in event) found += event.jobs.length;
  const seconds = (performance.now() - startMs) / 1_000;
  const p99Ms = await other.stop();
  if (found !== NEEDLES) throw new Error(`${found} of ${NEEDLES} needles were found.`);
  return [
    { measure: 'text-first-page', value: first },
    { measure: 'text-all', value: seconds },
    { measure: 'others-p99-while-text', value: p99Ms },
  ];
}

/** Preview, confirmation and every step, as a console does it. */
async function operate(broker: Broker, request: PreviewRequest): Promise<{ seconds: number; moved: number }> {
  const startMs = performance.now();
  const preview = await broker.operations.preview(request, BY);
  const started = await broker.operations.start(
    {
      previewToken: preview.token,
      reason: BY.reason,
      canary: null,
      stop: null,
      ...(preview.typedCount === null ? {} : { typedCount: preview.typedCount }),
    },
    BY,
  );
  const moved = await toEnd(broker, started.id);
  return { seconds: (performance.now() - startMs) / 1_000, moved };
}
async function toEnd(broker: Broker, id: string): Promise<number> {
  for (;;) {
    const { operation, waitMs } = await broker.operations.runSlice(id, 'bench');
    if (!isOpen(operation.status)) return operation.moved;
    if (waitMs > 0) await sleep(waitMs);
  }
}
const action = (kind: PreviewRequest['kind'], q: string): PreviewRequest => ({
  kind,
  scope: { state: 'dead', q },
  includeUnsafe: false,
});

export async function purge({ broker, jobs }: Stage): Promise<Found[]> {
  const types = `type:${typeOf(18)} OR type:${typeOf(19)}`;
  const purged = await operate(broker, action('purge', types));
  expectMoved(purged.moved, jobs / 10);
  const [latest] = (await broker.operations.list(1)).operations;
  if (!latest) throw new Error('The purge left no record.');
  const startMs = performance.now();
  const undo = await broker.operations.undo(latest.id, { reason: BY.reason }, BY);
  expectMoved(await toEnd(broker, undo.id), jobs / 10);
  return [
    { measure: 'purge-100k', value: purged.seconds },
    { measure: 'undo-100k', value: (performance.now() - startMs) / 1_000 },
  ];
}

/** A type a round: each has a twentieth of all. */
export async function redrive({ broker, path, jobs }: Stage, round: number): Promise<Found[]> {
  const other = startProbe(path);
  const { seconds, moved } = await operate(broker, action('redrive', `type:${typeOf(round)}`));
  const p99Ms = await other.stop();
  expectMoved(moved, jobs / 20);
  return [
    { measure: 'redrive-50k', value: seconds },
    { measure: 'others-p99-while-redriven', value: p99Ms },
  ];
}

export async function redriveRest({ broker }: Stage): Promise<Found[]> {
  const { seconds, moved } = await operate(broker, action('redrive', ''));
  if (moved === 0) throw new Error('Nothing was left to re-drive.');
  // The rounds before have taken some of the million: what is judged is the time all of it would take at this rate.
  return [{ measure: 'redrive-1m', value: (seconds * 1_000_000) / moved }];
}

function expectMoved(moved: number, wanted: number): void {
  if (moved !== wanted) throw new Error(`${moved} jobs were moved, where ${wanted} were asked for.`);
}

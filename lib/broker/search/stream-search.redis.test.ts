/** A streamed search that is stopped by hand goes on where it was, over several queues, and shows everything once. */
import { beforeAll, expect, it } from 'vitest';
import { jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
/** The oldest and largest holds nothing that matches; the others are newer, and matched by all they hold. */
const QUEUES = { chaff: 400, first: 60, second: 60 } as const;
beforeAll(async () => {
  for (const [queue, count] of Object.entries(QUEUES))
    await killAll(
      world.broker,
      queue,
      jobs(count, 0, { payload: JSON.stringify({ note: queue === 'chaff' ? 'no' : 'needle' }) }),
    );
});

const NEEDLES = { state: 'dead', q: 'needle' } as const;
const LIMIT = 10_000;

/** Reads up to the event of that number and leaves. Where it can go on; null: it came to its end. */
async function readSome(cursor: string | undefined, events: number, seen: string[], budget?: number) {
  let [at, left] = [cursor, events];
  for await (const event of world.broker.inspect.searchStream(NEEDLES, { cursor, limit: LIMIT, budget })) {
    if ('jobs' in event) seen.push(...event.jobs.map(({ queue, jobId }) => `${queue}/${jobId}`));
    if ('end' in event) return event.end.nextCursor;
    if ('cursor' in event) at = event.cursor;
    left -= 1;
    if (left === 0) break;
  }
  return at ?? null;
}

async function readAll(events: number, budget?: number): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  let rounds = 0;
  do {
    cursor = await readSome(cursor ?? undefined, events, seen, budget);
    rounds += 1;
  } while (cursor !== null && rounds < 1_000);
  expect(cursor).toBeNull();
  return seen;
}

it.each([1, 2, 3])('stopped after every %i events', async (events) => {
  const whole = await readAll(Number.POSITIVE_INFINITY);
  expect(whole).toHaveLength(QUEUES.first + QUEUES.second);
  expect(new Set(whole).size).toBe(whole.length);
  expect(await readAll(events)).toEqual(whole);
});

it.each([1, 60, 180, 300, 420])(
  'ended by a budget of %i entries, with matches found and not yet told',
  async (budget) => {
    const whole = await readAll(Number.POSITIVE_INFINITY);
    expect(await readAll(Number.POSITIVE_INFINITY, budget)).toEqual(whole);
  },
);

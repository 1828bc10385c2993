/** After an outage a worker works again as a whole: what it starts, it also ends. */
import { afterEach, it } from 'vitest';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { openWorkshop, type Workshop } from '@/testing/worlds/workers';

const SLOTS = 20;
const LEASE_MS = 10_000;
/** After so many failures an ack queue waits for more than three seconds. */
const FAILURES = 6;
const FIRST_END_WITHIN_MS = 500;

let shop: Workshop | undefined;
afterEach(async () => {
  await shop?.redis.kill('SIGCONT');
  await shop?.close();
  shop = undefined;
});

/** Ends jobs of a full worker while Redis is away, until their acks have failed often. The clock then passes the end of the leases. */
async function outage(leaseMs = LEASE_MS) {
  const world = await openWorkshop();
  shop = world;
  let passedMs = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let startedAtMs: number | undefined;
  let endedAtMs: number | undefined;
  let isBack = false;
  let acksFailed = 0;
  const at = world.work(
    () => {
      if (isBack) startedAtMs ??= performance.now();
      return isBack ? undefined : finished;
    },
    {
      concurrency: SLOTS,
      leaseMs,
      random: () => 0,
      clock: { wallMs: () => Date.now(), monotonicMs: () => performance.now() + passedMs },
      onEvent(event) {
        if (event.type === 'trouble' && event.where === 'ack') acksFailed += 1;
        if (event.type === 'completed' && isBack) endedAtMs ??= performance.now();
      },
    },
  );
  for (let n = 0; n < SLOTS; n++) await world.enqueue();
  await at.saw('claimed', SLOTS);
  await world.redis.kill();
  finish();
  await until(() => acksFailed >= FAILURES, { what: 'acks to fail', timeoutMs: 60_000 });
  return {
    at,
    leasesEnd: () => {
      passedMs = leaseMs;
    },
    async redisReturns() {
      isBack = true;
      await world.redis.restart();
      for (let n = 0; n < 2 * SLOTS; n++)
        await until(() => world.enqueue().catch(() => null), { what: 'an enqueue' });
      await until(() => endedAtMs, { what: 'a job to complete' });
      return (endedAtMs ?? 0) - (startedAtMs ?? 0);
    },
  };
}

it('that outlasted the leases, while acks wait for their next try: the first end follows the first start', async () => {
  const { leasesEnd, redisReturns } = await outage();
  leasesEnd();
  await expectWithin(await redisReturns(), FIRST_END_WITHIN_MS);
});

it('that outlasted the leases, and all acks were given up: the first end follows the first start', async () => {
  const { at, leasesEnd, redisReturns } = await outage();
  leasesEnd();
  await at.saw('gave-up', SLOTS);
  await expectWithin(await redisReturns(), FIRST_END_WITHIN_MS);
});

it('shorter than the leases: what ended meanwhile is sent as soon as Redis answers', async () => {
  // A busy machine takes more than ten seconds for so many tries.
  const { at, redisReturns } = await outage(60_000);
  await expectWithin(await redisReturns(), FIRST_END_WITHIN_MS);
  // Redis lost these jobs with its memory, and says so.
  await at.saw('stale', SLOTS);
});

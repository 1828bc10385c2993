/** `npm run bench:find`: how long one lookup takes to find a job by its id, uniqueness key or idempotency key, over many queues. */
import pLimit from 'p-limit';
import { createBroker } from '@/testing/create-broker';
import type { Bench } from '../harness/bench-command';
import { metOrMissed, number, tableOf } from '../harness/bench-report';
import { startServer } from '../harness/bench-server';
import { type Stamp, stamp, stampLine } from '../harness/machine';
import { quantile } from '../harness/statistics';

const BAR_MS = 20;
/** Of its processor, with 10,000 queues. */
const REDIS_BAR_MS = 5;
const WARM_UP = 20;
/** Consoles whose first lookup is measured. */
const FIRSTS = 20;
const BATCH = 500;
const AT_ONCE = 8;
const HOUR_MS = 3_600_000;

const queueName = (i: number) => `q${String(i).padStart(4, '0')}`;
const jobId = (n: number) => `job-${n}`;
const uniqueKey = (n: number) => `order:${n}`;
const idempotencyKey = (n: number) => `payment:${n}`;
/** One in so many jobs has keys. */
const KEYED_EVERY = 100;
const keyedBefore = (n: number) => n - (n % KEYED_EVERY);

interface Row {
  what: string;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of Redis for a lookup. */
  redisMs: number;
}
interface FindReport extends Stamp {
  queues: number;
  jobs: number;
  lookups: number;
  rows: Row[];
  met: boolean;
}

export const bench: Bench<'queues' | 'jobs' | 'lookups'> = {
  help: `npm run bench:find [-- options]

  --queues N     queues (default 1000)
  --jobs N       jobs in all of them; one in a hundred has a uniqueness key and an idempotency key (default 1000000)
  --lookups N    lookups of each kind (default 300)
  --quick        100 queues, 10,000 jobs, 50 lookups: shows that it works; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/find)`,
  out: 'bench/results/find',
  numbers: {
    queues: { default: 1_000, quick: 100, max: 100_000 },
    jobs: { default: 1_000_000, quick: 10_000, max: 10_000_000 },
    lookups: { default: 300, quick: 50, max: 100_000 },
  },
  async run({ numbers: { queues, jobs, lookups } }, say) {
    const server = await startServer();
    const broker = createBroker({ url: server.path });
    try {
      say(`Enqueueing ${number(jobs)} jobs to ${number(queues)} queues …`);
      const each = Math.max(1, Math.floor(jobs / queues));
      const limit = pLimit(AT_ONCE);
      const batches = Array.from({ length: queues }, (_, queue) =>
        Array.from({ length: Math.ceil(each / BATCH) }, (_, part) =>
          limit(() =>
            broker.enqueueMany(
              queueName(queue),
              Array.from({ length: Math.min(BATCH, each - part * BATCH) }, (_, i) => {
                const n = queue * each + part * BATCH + i;
                const keys =
                  n % KEYED_EVERY === 0
                    ? {
                        unique: { key: uniqueKey(n), ttlMs: HOUR_MS },
                        idempotencyKey: idempotencyKey(n),
                      }
                    : {};
                return { jobId: jobId(n), jobType: 'demo', payload: '{}', ...keys };
              }),
            ),
          ),
        ),
      );
      await Promise.all(batches.flat());
      const total = queues * each;
      const spreadOver = (i: number) => Math.floor((((i * 7919) % lookups) * total) / lookups);
      const measure = async (what: string, reference: (n: number) => string, expected: number) => {
        const times: number[] = [];
        let cpuUs = 0;
        for (let i = -WARM_UP; i < lookups; i += 1) {
          if (i === 0) cpuUs = await server.cpuUs();
          const start = performance.now();
          const found = await broker.inspect.find(reference(spreadOver(Math.max(0, i))));
          if (i >= 0) times.push(performance.now() - start);
          if (found.jobs.length !== expected)
            throw new Error(`${what}: found ${found.jobs.length} jobs instead of ${expected}.`);
        }
        const redisMs = ((await server.cpuUs()) - cpuUs) / lookups / 1_000;
        return { what, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), redisMs };
      };
      /** It knows nothing of the queues yet, as after a minute without lookups. */
      const measureFirst = async (): Promise<Row> => {
        const times: number[] = [];
        const cpuUs = await server.cpuUs();
        for (let i = 0; i < FIRSTS; i += 1) {
          const other = createBroker({ url: server.path });
          const start = performance.now();
          await other.inspect.find(jobId(spreadOver(i)));
          times.push(performance.now() - start);
          other.close();
        }
        const redisMs = ((await server.cpuUs()) - cpuUs) / FIRSTS / 1_000;
        return {
          what: 'the first by id in a minute',
          p50Ms: quantile(times, 0.5),
          p99Ms: quantile(times, 0.99),
          redisMs,
        };
      };
      const rows = [
        await measureFirst(),
        await measure('a job by its id', jobId, 1),
        await measure('a job by its uniqueness key', (n) => uniqueKey(keyedBefore(n)), 1),
        await measure('a job by its idempotency key', (n) => idempotencyKey(keyedBefore(n)), 1),
        await measure('an id that no queue has', (n) => `none-${n}`, 0),
      ];
      const met = rows.every(({ p50Ms, redisMs }) => p50Ms <= BAR_MS && redisMs <= REDIS_BAR_MS);
      const report: FindReport = { ...stamp(), queues, jobs: total, lookups, rows, met };
      return { report, text: findMarkdown(report), ok: met };
    } finally {
      broker.close();
      await server.stop();
    }
  },
};

function findMarkdown(report: FindReport): string {
  const { queues, jobs, lookups, rows, met } = report;
  return [
    '# Results of `npm run bench:find`',
    stampLine(report),
    `**${met ? 'The bar is met' : 'The bar is missed'}.**`,
    `${number(queues)} queues with ${number(jobs)} jobs; ${number(lookups)} lookups of each kind, one after another.`,
    tableOf(
      ['looked up', 'p50', 'p99', 'bar for p50', '', 'processor of Redis', 'bar', ''],
      rows.map(({ what, p50Ms, p99Ms, redisMs }) => [
        what,
        `${p50Ms.toFixed(1)} ms`,
        `${p99Ms.toFixed(1)} ms`,
        `≤ ${BAR_MS} ms`,
        metOrMissed(p50Ms <= BAR_MS),
        `${redisMs.toFixed(2)} ms`,
        `≤ ${REDIS_BAR_MS} ms`,
        metOrMissed(redisMs <= REDIS_BAR_MS),
      ]),
    ),
  ].join('\n\n');
}

import { trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/testing/worlds/redis-server';
import { addingSteps, DESIGN_PIECES, type PieceChoice, type Step, usingSteps } from './pieces';
import { openPlain } from './plain-queue';

const JOBS = 300;
let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  // The tracer in use is the whole process's.
  trace.disable();
  await server.stop();
});

/** Enqueues jobs one by one and in bulk, runs them, and returns how often each ran. */
async function runJobs(queue: string, choice: PieceChoice): Promise<number[]> {
  const errors: unknown[] = [];
  const side = await openPlain(
    { path: server.path, queue, onTrouble: (error) => void errors.push(error) },
    choice,
  );
  const runs = new Array<number>(JOBS).fill(0);
  try {
    const half = JOBS / 2;
    const jobs = Array.from({ length: JOBS }, (_, n) => ({ n, tenant: n % 3 === 0 ? 'acme' : 'other' }));
    await Promise.all(jobs.slice(0, half).map((job) => side.add(job)));
    await side.addBulk(jobs.slice(half));
    expect(await side.left()).toEqual({ waiting: JOBS, inFlight: 0, wrong: undefined });
    let left = JOBS;
    let markDone: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      markDone = resolve;
    });
    const worker = await side.worker({
      id: 'w',
      concurrency: 20,
      handle(n) {
        runs[n] = (runs[n] ?? 0) + 1;
      },
      onDone(jobs) {
        left -= jobs;
        if (left === 0) markDone();
      },
    });
    worker.start();
    await done;
    await worker.stop();
    expect(await side.left()).toEqual({ waiting: 0, inFlight: 0, wrong: undefined });
    expect(errors).toEqual([]);
  } finally {
    await side.close();
  }
  return runs;
}

describe('the plain design', () => {
  const design: Step = { title: 'design', before: null, pieces: DESIGN_PIECES, inUse: [] };
  const cases = [design, ...addingSteps(), ...usingSteps()];
  it.each(cases.map((step) => [step.title, step] as const))(
    'runs every job once: %s',
    async (title, step) => {
      expect(await runJobs(title, step)).toEqual(new Array(JOBS).fill(1));
    },
  );

  it('writes what its pieces are for, and nothing without them', async () => {
    const redis = server.connect();
    const columnsOf = async (queue: string) =>
      (await redis.keys(`plain:{${queue}}:*`)).map((key) => key.split(':').at(-1) ?? '').sort();
    await runJobs('none', { pieces: [], inUse: [] });
    expect(await columnsOf('none')).toEqual(['completed', 'counters', 'jobs']);
    const pieces = addingSteps().at(-1)?.pieces ?? [];
    await runJobs('all', { pieces, inUse: ['limits', 'fairness', 'unique'] });
    expect(await columnsOf('all')).toEqual(
      'completed config counters events fair jobs limits minutes results running'.split(' '),
    );
    // Every key was freed again, and nothing runs.
    expect(await redis.hvals('plain:{all}:running')).toEqual(['0', '0']);
    expect(await redis.hlen('plain:{all}:results')).toBe(JOBS);
  });
});

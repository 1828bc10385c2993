/**
 * An update without a stop: producers, workers and the background work of consoles of an earlier build and of this one, at once, on one
 * Redis. The earlier builds are testing/golden/*.mjs.br; docs/deploy/releases.md says what this proves.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes, type Spawned } from '@/testing/worlds/processes';
import { setUpProgram } from '@/testing/worlds/set-up-program';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';
import { BY } from '@/testing/worlds/world';

const KEY = 'a-key-of-more-than-32-characters-for-the-log';
const QUEUE = 'mail';
const JOBS = 300;
const NEW = await setUpProgram(new URL('./release-program.ts', import.meta.url));
const programs = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.mjs.br'));

it('there is an earlier build', () => {
  expect(programs.length).toBeGreaterThan(0);
});

describe.each(programs)('beside %s', async (build) => {
  const redis = await setUpRedisOnPort();
  const processes = new Processes();
  const broker = createBroker({ url: redis.url });
  afterAll(async () => {
    await processes.stopAll();
    broker.close();
  });
  const OLD = join(redis.dir, 'old.mjs');
  writeFileSync(OLD, brotliDecompressSync(readFileSync(join(import.meta.dirname, build))));

  const env = { REDIS_URL: redis.url, AUTH: 'none', REDRIVE_AUDIT_KEY: KEY, LOG_LEVEL: 'error' };
  const start = (program: string, ...words: string[]) =>
    processes.node([program, ...words], { name: `${program === OLD ? 'old' : 'new'} ${words[0]}`, env });
  const worker = async (program: string) => {
    const child = start(program, 'worker', QUEUE, program === OLD ? 'old' : 'new');
    const [, id = ''] = await child.prints(/up (\S+)/);
    return { child, id };
  };
  const stopped = async ({ child }: { child: Spawned }) => {
    child.kill('SIGTERM');
    expect(await child.exited, child.output()).toMatchObject({ code: 0 });
  };
  const counts = async () => (await broker.inspect.snapshot([QUEUE]))[0]?.counts;
  /** Which builds ran the jobs that were completed last. */
  const builds = async () => {
    const { jobs } = await broker.inspect.list(QUEUE, { state: 'completed', limit: (JOBS * 2) / 3 });
    const details = await Promise.all(jobs.map(({ jobId }) => broker.inspect.job(QUEUE, jobId)));
    return [...new Set(details.map(({ result }) => String(result?.result)))].sort();
  };
  const ended = (total: number) =>
    until(
      async () => {
        const now = await counts();
        return now && now.completed + now.dead === total;
      },
      { what: `${total} jobs to end`, timeoutMs: 90_000 },
    );

  it('no job is lost, each ends once, and each build runs jobs of the other', async () => {
    await broker.config.change(QUEUE, { completedKeep: 10_000 }, BY);
    for (const program of [OLD, NEW]) await start(program, 'console').prints(/up console/);
    const send = (program: string, name: string) =>
      start(program, 'producer', QUEUE, name, String(JOBS)).prints(/sent/);
    // The jobs of the old producer meet a new worker alone, …
    const before = await worker(NEW);
    await send(OLD, 'job0');
    await ended(JOBS);
    expect(await builds()).toEqual(['"new"']);
    await stopped(before);
    // … and those of the new one old workers. The update, while jobs run: one old worker leaves without a goodbye, and new ones come.
    const [first, third] = [await worker(OLD), await worker(OLD)];
    await send(NEW, 'job1');
    await until(async () => ((await counts())?.completed ?? 0) > (JOBS * 2) / 3 + 20, {
      what: 'some to complete',
    });
    third.child.kill('SIGKILL');
    const second = await worker(NEW);
    await worker(NEW);
    await ended(2 * JOBS);
    expect(await builds()).toContain('"old"');
    const [oldSha, newSha] = await Promise.all(
      [first, second].map(async ({ child }) => (await child.prints(/heartbeat (\w+)/))[1] ?? ''),
    );
    expect(await counts()).toMatchObject({ completed: (2 * JOBS * 2) / 3, dead: (2 * JOBS) / 3 });
    expect(await broker.inspect.ledger(QUEUE)).toMatchObject({ difference: 0, strayRows: 0 });
    // Redis had the scripts of both; one that did not change since is the same in both.
    expect(await redis.connect().script('EXISTS', oldSha ?? '', newSha ?? '')).toEqual([1, 1]);
    await stopped(second);
    expect(first.child.running()).toBe(true);
  });

  it('a re-drive is run by whichever console comes first, and its end is in the audit log', async () => {
    const { token } = await broker.operations.preview(
      { kind: 'redrive', scope: { state: 'dead', q: '' } },
      BY,
    );
    const operation = await broker.operations.start({ previewToken: token, reason: 'an update' }, BY);
    await until(async () => (await broker.operations.get(operation.id)).status === 'completed', {
      what: 'the re-drive to complete',
      timeoutMs: 60_000,
    });
    // They fail for good again.
    await ended(2 * JOBS);
    await until(
      async () =>
        (await broker.audit.list({ limit: 200 })).events.some(({ action }) => action === 'operation.end'),
      { what: 'the log to have the end of the operation', timeoutMs: 60_000 },
    );
    expect(await broker.inspect.ledger(QUEUE)).toMatchObject({ difference: 0, strayRows: 0 });
  });

  it('each build lists the workers of both, and an old one that knows no requests is told apart', async () => {
    const { workers } = await broker.workers.list();
    const live = workers.filter(({ status }) => status === 'running');
    expect(new Set(live.map(({ version }) => version))).toEqual(new Set(['old', 'new']));
    const request = {
      action: 'quiet' as const,
      workers: live.map(({ workerId }) => workerId),
      reason: 'an update',
    };
    const { results } = await broker.workers.request(request, BY);
    for (const { workerId, outcome } of results) {
      const { actions } = live.find((one) => one.workerId === workerId) ?? {};
      expect(outcome).toBe(actions?.length === 0 ? 'unsupported' : 'requested');
    }
  });
});

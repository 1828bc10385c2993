/**
 * Every query of the dashboards and rules, asked of a real Prometheus that reads a real console with a real worker. Needs the build, and
 * Debian's package of Prometheus.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createLogger,
  createWorker,
  defineHandler,
  PermanentError,
  RetryableError,
  type Worker,
} from '@/lib/worker';
import { findPrometheus } from '@/scripts/setup/prometheus.mjs';
import { createBroker } from '@/testing/create-broker';
import { RULE_FILES, storedQueries } from '@/testing/observability/prometheus-queries';
import { until } from '@/testing/poll';
import { Processes, portFree, requireBuild } from '@/testing/worlds/processes';
import { startRealConsole } from '@/testing/worlds/real-console';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';

const RULE_TESTS = join(import.meta.dirname, '../../deploy/prometheus/alerts.test.yml');
const MAIN_CONFIG = join(import.meta.dirname, '../../deploy/prometheus/prometheus.yml');
requireBuild();
const { prometheus, promtool, env } = findPrometheus();
const processes = new Processes();
const redis = await setUpRedisOnPort();
const dir = mkdtempSync(join(tmpdir(), 'redrive-prometheus-'));
let url: string;
let worker: Worker | undefined;
let stopTraffic = () => {};

/** @returns the samples, or the error of Prometheus as a sentence */
async function ask(query: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
  const reply = (await response.json()) as { status: string; error?: string; data: { result: never[] } };
  if (reply.status !== 'success') throw new Error(`${query}: ${reply.error}`);
  return reply.data.result;
}

/** A queue with a limit and retention, with jobs that wait, run, fail once, fail for good and trip a breaker. */
async function startTraffic(): Promise<void> {
  const broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
  const by = { actor: 'tester', reason: 'a test' };
  await broker.config.change('mail', { depthLimit: 100_000, deadKeepMs: 30 * 86_400_000 }, by);
  const run = (payload: { end: string }) => {
    if (payload.end === 'retry') throw new RetryableError('HTTP_503', 'again');
    if (payload.end === 'die') throw new PermanentError('HTTP_400', 'never');
  };
  const schema = z.object({ end: z.string() });
  worker = createWorker(broker, {
    queues: { mail: 1 },
    concurrency: 4,
    logger: createLogger({ level: 'silent' }),
    retry: { baseMs: 10, factor: 1, maxMs: 10, jitter: 0 },
    handlers: [
      defineHandler({ type: 'mail.send', schema, run }),
      defineHandler({ type: 'mail.call', schema, run, breaker: { failureThreshold: 2 } }),
    ],
  });
  worker.start();
  let n = 0;
  const timer = setInterval(() => {
    const end = n % 10 === 0 ? 'die' : n % 10 === 1 ? 'retry' : 'well';
    const jobType = n % 20 === 1 ? 'mail.call' : 'mail.send';
    n += 1;
    void broker
      .enqueue('mail', { jobType, payload: JSON.stringify({ end }), maxAttempts: 2 })
      .catch(() => undefined);
    void broker.enqueue('idle', { jobType: 'mail.send', payload: '{}' }).catch(() => undefined);
  }, 50);
  stopTraffic = () => {
    clearInterval(timer);
    broker.close();
  };
}

beforeAll(async () => {
  const site = await startRealConsole(processes, { redisUrl: redis.url });
  await startTraffic();
  const port = await portFree();
  url = `http://127.0.0.1:${port}`;
  const config = join(dir, 'prometheus.yml');
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: RULE_FILES,
      scrape_configs: [
        {
          job_name: 'redrive',
          metrics_path: '/metrics',
          static_configs: [{ targets: [new URL(site.url).host] }],
        },
      ],
    }),
  );
  const server = processes.spawn(
    prometheus,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { name: 'Prometheus', env },
  );
  await server.prints(/Server is ready to receive web requests/);
  await until(async () => (await ask('redrive:wait_ms:p95_5m > 0')).length > 0, {
    what: 'Prometheus to have read the console and recorded its rules',
    timeoutMs: 90_000,
    everyMs: 500,
  });
}, 240_000);
afterAll(async () => {
  stopTraffic();
  await worker?.stop({ hurry: true });
  await processes.stopAll();
  rmSync(dir, { recursive: true, force: true });
});

const tool = (args: string[]) =>
  execFileSync(promtool, args, { env, encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'pipe'] });

describe('promtool', () => {
  it('finds the configuration and the rules well formed', () => {
    expect(tool(['check', 'rules', ...RULE_FILES])).toContain('SUCCESS');
    expect(tool(['check', 'config', '--syntax-only', MAIN_CONFIG])).toContain('SUCCESS');
  });

  it('sees each alert fire on its trouble, and on nothing else', () => {
    expect(tool(['test', 'rules', RULE_TESTS])).toContain('SUCCESS');
  });
});

describe('a real Prometheus', () => {
  const all = storedQueries();

  it('knows the rules as they are', async () => {
    const response = await fetch(`${url}/api/v1/rules`);
    const { data } = (await response.json()) as {
      data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
    };
    const rules = data.groups.flatMap((group) => group.rules);
    const stored = all.filter(({ record, isAlert }) => record !== undefined || isAlert);
    expect(rules.map(({ name }) => name).sort()).toEqual(stored.map(({ name }) => name).sort());
    expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
  });

  it.each(all)('$name reads numbers that there are', async (query) => {
    // An alert is empty while all is well; what it compares is not.
    await expect(ask(query.text)).resolves.toBeDefined();
    for (const metric of selectorsIn(query.text))
      await until(async () => (await ask(metric)).length > 0, {
        what: `numbers of ${metric}`,
        timeoutMs: 30_000,
      });
    if (!query.isAlert)
      await until(async () => (await ask(query.text)).length > 0, { what: query.text, timeoutMs: 30_000 });
  });
});

/** Names with the labels that select their series. */
const selectorsIn = (text: string): Set<string> =>
  new Set(
    [
      ...text.matchAll(
        /\b(?:(?:redis_job_|redrive_|process_|nodejs_)\w+|redrive:[\w:]+|up(?=\{))(?:\{[^}]*\})?/g,
      ),
    ].map(([name]) => name),
  );

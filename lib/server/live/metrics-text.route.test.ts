/** docs/operate/metrics.md shows every metric of a console as it answers; `vitest -u` writes its table anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { metricsIn, storedQueries } from '@/testing/observability/prometheus-queries';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const PAGE = join(import.meta.dirname, '../../../docs/operate/metrics.md');
const HEADING = '## The metrics\n';
const OURS = /^(?:redis_job|redrive)_/;

const world = await setUpConsole();
let text: string;

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** The metrics of an exposition, with the labels of their values. */
function familiesIn(exposition: string): Family[] {
  return exposition
    .split(/^# HELP /m)
    .slice(1)
    .map((part) => {
      const [head = '', typeLine = '', ...samples] = part.split('\n');
      const [name = '', ...help] = head.split(' ');
      const labels = samples.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label = '']) => label));
      return {
        name,
        type: typeLine.split(' ').at(-1) ?? '',
        help: help.join(' '),
        labels: [...new Set(labels)].filter((label) => label !== 'le'),
      };
    });
}

beforeAll(async () => {
  const by = { actor: 'tester', reason: 'a test' };
  const { broker } = world;
  await broker.config.change('mail', { depthLimit: 50, deadKeepMs: 86_400_000, objectiveDepth: 40 }, by);
  await broker.enqueueMany(
    'mail',
    ['a', 'b', 'c'].map((jobId) => ({ jobId, jobType: 'mail.send' })),
  );
  await broker.cancel('mail', ['c'], by);
  const { jobs } = await broker.claim('mail', { worker: 'w', count: 1 });
  await broker.ack('mail', jobs);
  const breaker = { jobType: 'mail.send', state: 'open', failures: 5, retryAt: 0 } as const;
  await broker.workers.report({ ...IDLE_REPORT, breakers: [breaker] }, '');
  // Asked twice: the first answer counts the request that it answers too late to show it.
  await callApi('GET', '/metrics');
  text = await (await callApi('GET', '/metrics')).response.text();
});

describe('/metrics', () => {
  test('every metric has a row in docs/operate/metrics.md', async () => {
    const families = familiesIn(text).filter(({ name }) => OURS.test(name));
    const rows = families.map(({ name, type, help, labels }) => {
      expect(labels.length > 0 || /^redrive_/.test(name), `${name} has no value here`).toBe(true);
      return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ') || '–'} | ${help} |`;
    });
    const [intro = ''] = readFileSync(PAGE, 'utf8').split(HEADING);
    const table = ['| metric | type | labels | what it counts |', '|---|---|---|---|', ...rows].join('\n');
    await expect(`${intro}${HEADING}\n${table}\n`).toMatchFileSnapshot(PAGE);
  });

  test('every metric that dashboards and rules read is there, or recorded by a rule', () => {
    const queries = storedQueries();
    const names = new Set([
      ...familiesIn(text).map(({ name }) => name),
      ...queries.flatMap(({ record }) => record ?? []),
    ]);
    expect(queries.length).toBeGreaterThan(30);
    for (const { name, text: query } of queries)
      for (const metric of metricsIn(query)) expect(names, name).toContain(metric);
  });

  test('waits and runs are histograms, whose buckets add up to their count', () => {
    expect(text).toContain('redis_job_wait_duration_ms_bucket{queue="mail",le="+Inf"} 1');
    expect(text).toContain('redis_job_wait_duration_ms_count{queue="mail"} 1');
    expect(text).not.toContain('redis_job_wait_duration_ms_sum');
    expect(text).toContain('redis_job_execution_duration_ms_count{queue="mail"} 1');
  });

  test('workers, findings and requests are counted by labels that are bounded', () => {
    expect(text).toContain('redrive_workers{status="running"} 1');
    expect(text).toContain('redis_job_breakers_open{type="mail.send"} 1');
    expect(text).toContain('redrive_finding{code="BREAKER",level="warn"} 1');
    expect(text).toMatch(
      /redrive_http_request_duration_seconds_count\{route="\/metrics",method="GET",status="2xx"\} \d/,
    );
  });
});

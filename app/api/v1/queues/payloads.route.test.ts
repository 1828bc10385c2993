/**
 * Payloads that broke other readers: every route that shows, finds, counts, suggests or exports them answers, within bounds, and never
 * with a crash. Large and damaged ones are written into Redis past the broker, which would not take them.
 */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { EXPORT_FORMATS, type ExportFormat } from '@/lib/contract/operations/operation-kinds';
import { log } from '@/lib/server/console-log';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { killAll } from '@/testing/worlds/world';

const MIB = 1_048_576;
const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

/** What the broker takes: at most 64 KiB. */
const TAKEN: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  'nested-30k': nested(30_000),
  'nested-objects': nested(9_000, '{"a":', '}').replace(':}', ':1}'),
  proto: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}',
  'same-key-twice': '{"id":1,"id":2,"id":{"id":3}}',
  'beyond-2-53': '{"id":9007199254740993,"big":123456789012345678901234567890,"e":1e400}',
  nan: '{"id":NaN,"x":Infinity}',
  nul: 'a\0b{"id":"\\u0000"}\0',
  'no-utf8': new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  'lone-surrogates': '{"id":"\\ud800","\\udc00":"\\ud83d"}',
  bom: '\ufeff{"id":1}',
  unfinished: '{"id":"',
  'one-long-line': 'a'.repeat(65_536),
  'many-keys': `{${Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'many-numbers': `[${'1,'.repeat(30_000)}1]`,
  'many-backslashes': `"${'\\\\'.repeat(30_000)}"`,
  'for-patterns': '(a+)+$ %d+ [a-z]* ^.*$ \\',
  empty: '',
};
/** What only somebody who writes into Redis can leave there. */
const PLANTED: Readonly<Record<string, string | Buffer>> = {
  'planted-1-mib': `{"text":"${'x'.repeat(MIB)}"}`,
  'planted-million-levels': nested(1_000_000),
  'planted-letters': '😀'.repeat(MIB / 2),
  'planted-bytes': Buffer.alloc(3 * MIB, 0xff),
};

const world = await setUpConsole();
let crash: ReturnType<typeof vi.spyOn>;
beforeAll(async () => {
  for (const [jobId, payload] of Object.entries(TAKEN))
    await killAll(world.broker, 'odd', [{ jobId, jobType: 'odd', payload }]);
  await killAll(
    world.broker,
    'planted',
    Object.keys(PLANTED).map((jobId) => ({ jobId, jobType: 'odd', payload: '' })),
  );
  const redis = world.redis.connect();
  const rows = createKeys('rd').column('planted', 'jobs');
  for (const [jobId, payload] of Object.entries(PLANTED)) {
    const head = await redis.hgetBuffer(rows, jobId);
    await redis.hset(rows, jobId, Buffer.concat([head ?? Buffer.alloc(0), Buffer.from(payload as string)]));
  }
});
beforeEach(() => {
  crash = vi.spyOn(log(), 'error');
  crash.mockClear();
});

async function sizeOf(method: string, path: string, body?: unknown): Promise<number> {
  const answer = await callApi(method, path, body === undefined ? {} : { body });
  const text = await answer.response.text();
  expect(answer.status, `${path}: ${text.slice(0, 300)}`).toBeLessThan(500);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  return text.length;
}

async function exported(queue: string, format: ExportFormat): Promise<number> {
  const looked = await callApi('POST', '/api/v1/operations/preview', {
    body: { kind: 'export', format, scope: { q: `queue:${queue}` } },
  });
  const started = await callApi('POST', '/api/v1/operations', {
    body: { previewToken: looked.body.token, reason: 'to look at' },
  });
  const id = String(started.body.id);
  const size = await sizeOf('GET', `/api/v1/operations/${id}/file`);
  await until(async () => (await world.broker.operations.get(id)).status === 'completed', {
    what: 'the file to be written',
    timeoutMs: 10_000,
  });
  return size;
}

describe('15.3: a payload', () => {
  test.each(Object.keys(TAKEN))('%s is shown as it is, with and without what is hidden', async (jobId) => {
    const path = `/api/v1/queues/odd/jobs/${jobId}`;
    expect(await sizeOf('GET', path)).toBeLessThan(600_000);
    expect(await sizeOf('POST', `${path}/unmask`, { reason: 'a test' })).toBeLessThan(600_000);
    const { body } = await callApi('POST', `${path}/unmask`, { body: { reason: 'a test' } });
    const shown = Buffer.from(String(body.payload), body.payloadIsText ? 'utf8' : 'base64');
    expect(shown.equals(Buffer.from(TAKEN[jobId] as string))).toBe(true);
    const patch = [{ op: 'add', path: '/note', value: 1 }];
    await sizeOf('POST', '/api/v1/operations/preview', {
      kind: 'edit',
      patch,
      scope: { jobs: [{ queue: 'odd', jobId }] },
    });
    expect(crash).not.toHaveBeenCalled();
  });

  test.each(Object.keys(PLANTED))(
    '%s is shown as its first MiB at most, with its true size',
    async (jobId) => {
      const path = `/api/v1/queues/planted/jobs/${jobId}`;
      const { status, body } = await callApi('GET', path);
      expect(status).toBe(200);
      expect(String(body.payload).length).toBeLessThanOrEqual(1.5 * MIB);
      expect(body.payloadBytes).toBe(Buffer.byteLength(PLANTED[jobId] as string));
      expect(body.payloadIsText).toBe(jobId !== 'planted-bytes');
      expect(String(body.payload)).not.toContain('\ufffd');
      expect(await sizeOf('POST', `${path}/unmask`, { reason: 'a test' })).toBeLessThan(4 * MIB);
      expect(crash).not.toHaveBeenCalled();
    },
  );

  test.each(['odd', 'planted'])(
    'of the queue %s is searched, counted and suggested within bounds',
    async (queue) => {
      for (const q of [
        `queue:${queue}`,
        `queue:${queue} payload.id:1`,
        `queue:${queue} payload.__proto__.polluted:1`,
        `queue:${queue} "(a+)+$"`,
        `queue:${queue} ${'"a"'} NOT payload.a:b`,
      ])
        for (const path of ['dead', 'dead/facets', 'dead/groups', 'dead/stream', `queues/${queue}/jobs`])
          expect(
            await sizeOf(
              'GET',
              `/api/v1/${path}?q=${encodeURIComponent(q)}${path.endsWith('/jobs') ? '&state=dead' : ''}`,
            ),
          ).toBeLessThan(200_000);
      for (const typed of ['payload.', 'payload.id:', 'payload.__proto__.', 'payload.constructor.'])
        expect(
          await sizeOf(
            'GET',
            `/api/v1/suggest?q=${encodeURIComponent(typed)}&caret=${typed.length}&queue=${queue}`,
          ),
        ).toBeLessThan(50_000);
      expect(crash).not.toHaveBeenCalled();
    },
  );

  test('of any kind is exported, in both formats', async () => {
    for (const format of EXPORT_FORMATS) expect(await exported('odd', format)).toBeGreaterThan(65_536);
    expect(crash).not.toHaveBeenCalled();
  });

  test('is re-driven as the bytes it was', async () => {
    for (const [jobId, payload] of Object.entries(TAKEN)) {
      await sizeOf('POST', `/api/v1/queues/odd/jobs/${jobId}/redrive`, { reason: 'a test' });
      const { jobs } = await world.broker.claim('odd', { worker: 'w' });
      expect(jobs[0]?.payload.equals(Buffer.from(payload as string)), jobId).toBe(true);
    }
    expect(crash).not.toHaveBeenCalled();
  });
});

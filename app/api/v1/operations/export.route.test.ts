/** The file of an export: what was previewed, letter for letter, and honest about where it was cut. */
import { beforeAll, expect, test } from 'vitest';
import { operationSchema } from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import { previewSchema } from '@/lib/contract/operations/operation-preview';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { failure, killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
const PAYLOADS = [
  '{"id":9007199254740993,"one":1.0}',
  '{"text":"a, \\"b\\"\\r\\nc ü 😀"}',
  '=HYPERLINK("http://x","y")',
  '',
  'not JSON: <b>',
];
beforeAll(async () => {
  await killAll(
    world.broker,
    'bytes',
    PAYLOADS.map((payload, i) => ({
      jobId: `b-${i}`,
      jobType: 'a',
      jobVersion: 2,
      tenantId: 'acme',
      priority: i === 0 ? -5 : 0,
      correlationId: `order-${i}`,
      idempotencyKey: `key-${i}`,
      payload,
    })),
    { ...failure('HTTP_400'), message: '=1+1 went wrong, badly' },
  );
  await killAll(
    world.broker,
    'many',
    Array.from({ length: 1_200 }, (_, i) => ({
      jobId: `m-${String(i).padStart(4, '0')}`,
      jobType: 'b',
      payload: 'x'.repeat(500),
    })),
  );
});

async function start(action: object): Promise<string> {
  const looked = await callApi('POST', '/api/v1/operations/preview', {
    body: { kind: 'export', ...action },
  });
  const { token } = previewSchema.parse(looked.body);
  const started = await callApi('POST', '/api/v1/operations', {
    body: { previewToken: token, reason: 'to look at' },
  });
  return operationSchema.parse(started.body).id;
}
const file = (id: string) => callApi('GET', `/api/v1/operations/${id}/file`);
const operation = async (id: string) =>
  operationSchema.parse((await callApi('GET', `/api/v1/operations/${id}`)).body);
const completed = (id: string) =>
  until(
    async () => {
      const read = await operation(id);
      return isOpen(read.status) ? null : read;
    },
    { what: 'the export to be over' },
  );
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('NDJSON holds each job once, payloads letter for letter; the operation says what was written', async () => {
  const id = await start({ scope: { q: 'queue:bytes' }, format: 'ndjson' });
  expect((await operation(id)).status).toBe('running');
  const { response } = await file(id);
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="redrive-dead-${id}.ndjson"`,
  );
  const rows = linesOf(await response.text()).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  expect(rows.map(({ payload }) => payload ?? '')).toEqual(PAYLOADS);
  expect(rows[0]).toMatchObject({
    queue: 'bytes',
    id: 'b-0',
    state: 'dead',
    type: 'a',
    version: 2,
    tenant: 'acme',
    priority: -5,
    attempts: 1,
    class: 'permanent',
    code: 'HTTP_400',
    message: '=1+1 went wrong, badly',
    key: 'key-0',
    correlation: 'order-0',
    trace: null,
  });
  expect(rows[0]?.group).toMatch(/^[0-9a-f]{12}$/);
  expect(rows[0]?.enteredAt).toEqual(expect.any(Number));
  expect(await completed(id)).toMatchObject({ status: 'completed', moved: 5, error: null });
});

test('a big integer is the same in the file, in the detail and in the database', async () => {
  const detail = await callApi('GET', '/api/v1/queues/bytes/jobs/b-0');
  expect(detail.body.payload).toBe(PAYLOADS[0]);
  expect(await detail.response.text()).toContain('9007199254740993');
});

test('CSV quotes what must be quoted, and holds nothing a spreadsheet would run', async () => {
  const id = await start({ scope: { q: 'queue:bytes' }, format: 'csv' });
  const { response } = await file(id);
  expect(response.headers.get('content-type')).toContain('text/csv');
  const text = await response.text();
  expect(text.startsWith('queue,id,state,')).toBe(true);
  expect(text).toContain(`"'=1+1 went wrong, badly"`);
  expect(text).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
  expect(text).toContain('"{""id"":9007199254740993,""one"":1.0}"');
  expect(text).toContain(',-5,');
  expect(text).not.toMatch(/(^|,)"?[=+@]/m);
});

test('C30: CSV for Excel is the same file behind a byte order mark', async () => {
  const [plain, excel] = await Promise.all(
    (['csv', 'excel'] as const).map((format) => start({ scope: { q: 'queue:bytes' }, format })),
  );
  const csv = (await file(plain ?? '')).response;
  const marked = (await file(excel ?? '')).response;
  expect(marked.headers.get('content-disposition')).toMatch(/\.csv"?$/);
  const bytes = Buffer.from(await marked.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.subarray(3).toString()).toBe(await csv.text());
});

test('a cap cuts the file, says so in its last line, and in the operation', async () => {
  const id = await start({ scope: { q: 'queue:many' }, format: 'ndjson', maxRows: 700 });
  const rows = linesOf(await (await file(id)).response.text());
  expect(rows).toHaveLength(701);
  expect(rows.at(-1)).toEqual({ truncated: true, rows: 700 });
  expect((await completed(id)).moved).toBe(700);
  const csv = await start({ scope: { q: 'queue:many' }, format: 'csv', maxRows: 3 });
  expect((await (await file(csv)).response.text()).trimEnd().split('\r\n').at(-1)).toMatch(/^#truncated,3,/);
  const whole = await start({ scope: { q: 'queue:many' }, format: 'ndjson', maxRows: 1_200 });
  const all = linesOf(await (await file(whole)).response.text());
  expect(new Set(all.map(({ id: jobId }) => jobId)).size).toBe(1_200);
  expect(all).toHaveLength(1_200);
});

test('what died since is not in it, and ticked jobs are', async () => {
  const id = await start({ scope: { q: 'queue:bytes' }, format: 'ndjson' });
  const { cutoff } = await operation(id);
  await until(async () => (await world.broker.now()) > cutoff, { what: 'a later millisecond' });
  await killAll(world.broker, 'bytes', [{ jobId: 'late', jobType: 'a', payload: '{}' }]);
  const ids = linesOf(await (await file(id)).response.text()).map(({ id: jobId }) => jobId);
  expect(ids).toHaveLength(5);
  const jobs = [
    { queue: 'bytes', jobId: 'late' },
    { queue: 'bytes', jobId: 'b-1' },
    { queue: 'many', jobId: 'gone' },
  ];
  const ticked = await start({ scope: { jobs }, format: 'ndjson' });
  const rows = linesOf(await (await file(ticked)).response.text());
  expect(rows.map(({ id: jobId }) => jobId).sort()).toEqual(['b-1', 'late']);
});

test('a file that is left off is not over, and can be had again', async () => {
  const id = await start({ scope: { q: 'queue:many' }, format: 'ndjson' });
  const { response } = await file(id);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  const { getExportStreams } = await import('@/lib/server/routes/export-response');
  await until(() => getExportStreams().size === 0, { what: 'the export to be let go' });
  expect((await operation(id)).status).toBe('running');
  expect(linesOf(await (await file(id)).response.text())).toHaveLength(1_200);
  expect((await completed(id)).moved).toBe(1_200);
});

test('so many files are written at once and no more; HEAD writes none', async () => {
  const id = await start({ scope: { q: 'queue:many' }, format: 'ndjson' });
  const { EXPORTS_AT_ONCE, getExportStreams } = await import('@/lib/server/routes/export-response');
  const held = await Promise.all(Array.from({ length: EXPORTS_AT_ONCE }, () => file(id)));
  expect((await file(id)).body).toMatchObject({ status: 429, code: 'TOO_MANY_STREAMS' });
  for (const { response } of held) await response.body?.cancel();
  await until(() => getExportStreams().size === 0, { what: 'the exports to be let go' });
  const route = await import('@/app/api/v1/operations/[id]/file/route');
  const request = new Request(`http://127.0.0.1:3000/api/v1/operations/${id}/file`, {
    method: 'HEAD',
    headers: { host: '127.0.0.1:3000' },
  });
  const head = await route.GET(request, { params: Promise.resolve({ id }) });
  expect([head.status, head.body, getExportStreams().size]).toEqual([200, null, 0]);
});

test('only an export has a file, and a cancelled one has none', async () => {
  const looked = await callApi('POST', '/api/v1/operations/preview', {
    body: { kind: 'suppress', scope: { q: 'type:nothing' } },
  });
  const started = await callApi('POST', '/api/v1/operations', {
    body: { previewToken: previewSchema.parse(looked.body).token, reason: 'x' },
  });
  const other = operationSchema.parse(started.body).id;
  expect((await file(other)).body).toMatchObject({ status: 409, code: 'OPERATION_STATE' });
  const id = await start({ scope: { q: 'queue:bytes' } });
  await callApi('POST', `/api/v1/operations/${id}/cancel`, { body: {} });
  expect((await file(id)).body).toMatchObject({ status: 409, code: 'OPERATION_STATE' });
});

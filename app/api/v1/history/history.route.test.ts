/** The past of queues over HTTP: who sees it, and what is refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import type { History } from '@/lib/contract/history/history-schemas';
import { until } from '@/testing/poll';
import { FIRING_ALERT } from '@/testing/records/alert-about-orders';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { OTHER_QUEUE, type People, signInAll } from '@/testing/security/two-scopes';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { killAll } from '@/testing/worlds/world';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const world = await setUpConsole();
let people: People;

const read = (query: string, headers: People['admin'], from = Date.now() - 60 * MINUTE_MS) =>
  callApi('GET', `/api/v1/history?from=${from}&to=${Date.now()}${query}`, { headers });

beforeAll(async () => {
  people = await signInAll(world);
  for (const queue of ['alpha', OTHER_QUEUE]) await world.broker.enqueue(queue, { jobType: 'pay' });
});

describe('the history', () => {
  it('is of a queue for those who see all of it', async () => {
    const { status, body } = await read('&queue=alpha', people.ofQueue);
    const history = body as unknown as History;
    expect([status, history.stepMs, history.to % MINUTE_MS]).toEqual([200, MINUTE_MS, 0]);
    expect(history.to).toBeLessThanOrEqual(Date.now());
    expect(history.depth.ready).toHaveLength((history.to - history.from) / MINUTE_MS);
    expect((await read(`&queue=${OTHER_QUEUE}`, people.ofQueue)).status).toBe(404);
    expect((await read('&queue=alpha', people.ofTenant)).status).not.toBe(200);
  });

  it('B5: ends with the 60 seconds up to now, also a moment after a crash', async () => {
    const latest = async (query: string, headers: People['admin'], from?: number) =>
      ((await read(query, headers, from)).body as unknown as History).latest;
    const before = Date.now();
    await killAll(world.broker, 'alpha', [{ jobId: 'dies', jobType: 'pay', payload: '' }]);
    for (let i = 0; i < 3; i++) await world.broker.enqueue('alpha', { jobType: 'pay' });
    const own = await until(
      async () => {
        const found = await latest('&queue=alpha', people.ofQueue);
        return found && found.counts.arrivals >= 5 && found.counts.died > 0 ? found : null;
      },
      { what: 'the jobs to be in the latest minute' },
    );
    expect(own.at).toBeGreaterThanOrEqual(before);
    expect(own).toMatchObject({ depth: { ready: 3, dead: 2 }, counts: { failed: 2, lost: 0, died: 2 } });
    const all = await latest('', people.admin);
    expect(all?.counts.arrivals).toBe(own.counts.arrivals + 1);
    // Of some queues together, the workers do not add up.
    expect(await latest('', people.ofQueue)).toMatchObject({ counts: own.counts, workers: null });
    expect(await latest('&queue=alpha&type=pay', people.admin)).toBeNull();
    const past = Date.now() - 2 * HOUR_MS;
    const earlier = await callApi('GET', `/api/v1/history?from=${past}&to=${past + HOUR_MS}`, {
      headers: people.admin,
    });
    expect(earlier.body.latest).toBeNull();
  });

  it('of all queues is of those that the user sees: the marks of others are not in it', async () => {
    const by = { actor: 'tester', reason: 'a test' };
    for (const queue of ['alpha', OTHER_QUEUE])
      await world.broker.pause(queue, { scope: 'queue', reason: 'a test' }, by);
    const { status, body } = await read('', people.ofQueue);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(OTHER_QUEUE);
  });

  it('has a deploy once however often it is sent, and for those who see one of its queues', async () => {
    const send = (body: object, key: string, headers = people.ofQueue) =>
      callApi('POST', '/api/v1/marks', {
        headers: { ...headers, 'idempotency-key': key },
        body: { kind: 'deploy', text: 'mailer', ...body },
      });
    const first = await send({ version: '2.3.1', queues: ['alpha'] }, 'deploy-1');
    expect([first.status, first.body.text]).toEqual([
      201,
      expect.stringMatching(/^Deploy 2\.3\.1: mailer by /),
    ]);
    expect((await send({ version: '2.3.1', queues: ['alpha'] }, 'deploy-1')).body).toEqual(first.body);
    for (const other of [{ version: '2.3.2', queues: ['alpha'] }, { queues: ['alpha'] }])
      expect((await send(other, 'deploy-1')).body).toMatchObject({
        code: 'ID_CONFLICT',
        errors: [{ field: 'Idempotency-Key' }],
      });
    expect((await send({}, 'deploy-2')).status).toBe(403);
    expect((await send({ queues: [OTHER_QUEUE] }, 'deploy-3')).status).toBe(404);
    expect((await send({ queues: ['alpha', 'not-there'] }, 'deploy-4', people.admin)).status).toBe(404);
    expect((await send({ queues: [OTHER_QUEUE] }, 'deploy-5', people.admin)).status).toBe(201);
    expect((await send({ text: 'everything' }, 'deploy-6', people.admin)).status).toBe(201);
    // A chart ends with the last whole minute: marks are asked of the broker.
    const range = { from: Date.now() - HOUR_MS, to: Date.now() + HOUR_MS };
    const deploys = async (queues: string[]) =>
      (await world.broker.inspect.marks(queues, range))
        .filter(({ kind }) => kind === 'deploy')
        .map(({ text }) => text.replace(/ by .*/, ''));
    expect(await deploys(['alpha'])).toEqual(['Deploy 2.3.1: mailer', 'Deploy: everything']);
    expect(await deploys([])).toEqual(['Deploy: everything']);
  });

  it('marks workers that crashed, one mark a step, for those who see their queues', async () => {
    const at = Date.now() - 5 * MINUTE_MS;
    for (const [workerId, queue] of [
      ['w-1', 'alpha'],
      ['w-2', 'alpha'],
      ['w-3', OTHER_QUEUE],
    ] as const) {
      await world.broker.workers.report({ ...IDLE_REPORT, workerId, queues: { [queue]: 1 } });
      await world.broker.workers.ended(workerId, 'crashed', { at, cause: 'SIGKILL', reclaimed: 0 });
    }
    const crashes = async (query: string, headers: People['admin']) =>
      ((await read(query, headers)).body as unknown as History).marks
        .filter(({ kind }) => kind === 'crash')
        .map(({ text }) => text);
    const ofAlpha = ['2 workers crashed (SIGKILL)'];
    await until(async () => (await crashes('&queue=alpha', people.ofQueue)).length === 1, {
      what: 'a mark of the crashes',
    });
    expect(await crashes('&queue=alpha', people.ofQueue)).toEqual(ofAlpha);
    expect(await crashes('', people.ofQueue)).toEqual(ofAlpha);
  });

  it('marks alerts that were sent, for those who see all that they are about', async () => {
    const firedAt = Date.now() - 10 * MINUTE_MS;
    const over = (code: string, named: string[], more: Partial<Alert> = {}): Alert => ({
      ...FIRING_ALERT,
      ...{ id: code, code, state: 'ended', sentence: `${code} in ${named.join(', ')}.` },
      ...{
        queues: { total: named.length, named },
        seenAt: firedAt,
        firedAt,
        endedAt: firedAt + 2 * MINUTE_MS,
      },
      ...more,
    });
    const redis = world.redis.connect();
    const silent = { id: 'silent', firedAt: null, silencedBy: 's1' };
    for (const alert of [
      over('FAILING', ['alpha']),
      over('DEEP', ['alpha', OTHER_QUEUE]),
      over('OLD', [OTHER_QUEUE]),
      over('REDIS', []),
      over('NO_WORKERS', ['alpha'], silent),
    ])
      await redis.xadd('rd:{.alerts}:ended', '*', 'alert', JSON.stringify(alert));
    // The chart of all queues ends with the latest minute that a console has added up.
    await world.broker.foldAllQueues([]);
    const marks = async (query: string, headers: People['admin']) => {
      const { status, body } = await read(query, headers);
      expect(status).toBe(200);
      return (body as unknown as History).marks.filter(({ kind }) => kind === 'alert');
    };
    const codes = async (query: string, headers: People['admin']) =>
      [...new Set((await marks(query, headers)).map(({ text }) => text.split(/[ :]/)[1]))].sort();
    expect(await marks('&queue=alpha', people.ofQueue)).toEqual([
      { at: firedAt, kind: 'alert', text: 'Alert FAILING: FAILING in alpha.' },
      { at: firedAt + 2 * MINUTE_MS, kind: 'alert', text: 'Alert FAILING ended after 2 m' },
    ]);
    expect(await codes('', people.ofQueue)).toEqual(['FAILING']);
    expect(await codes('', people.ofTenant)).toEqual([]);
    expect(await codes('', people.admin)).toEqual(['DEEP', 'FAILING', 'OLD', 'REDIS']);
    expect(await codes('&queue=alpha', people.admin)).toEqual(['DEEP', 'FAILING']);
  });

  it('refuses ranges over seven days, a type without a queue, and a type with a tenant', async () => {
    expect((await read('', people.admin, Date.now() - 10_081 * MINUTE_MS)).status).toBe(400);
    expect((await read('&type=pay', people.admin)).status).toBe(400);
    expect((await read('&queue=alpha&type=pay&tenant=acme', people.admin)).status).toBe(400);
    const of = await read('&queue=alpha&type=pay', people.admin);
    expect([of.status, (of.body as unknown as History).stepMs]).toEqual([200, 10 * MINUTE_MS]);
  });
});

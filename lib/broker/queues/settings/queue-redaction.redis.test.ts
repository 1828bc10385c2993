/** What is hidden of payloads: on a job's page, in exports, and around edits, which leave it as it is stored. */
import { describe, expect, it } from 'vitest';
import type { PatchStep } from '@/lib/contract/operations/operation-request';
import { MASK, MASK_TEXT } from '@/lib/contract/redaction';
import { operate, previewOf, startOperation } from '@/testing/worlds/operation-runs';
import { BY, claimAll, enqueueAll, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const PAYLOAD =
  '{ "user":"ann","n":9007199254740993, "password":"hunter2","card":{"number":"4111","brand":"visa"}}';
const SHOWN = PAYLOAD.replace('"hunter2"', MASK_TEXT);
const dead = async (...payloads: (string | Buffer)[]) => {
  const queue = world.freshQueue();
  const named = payloads.map((payload, i) => ({ jobId: `j${i}`, jobType: 'demo', payload }));
  await killAll(world.broker, queue, named);
  return queue;
};
const rules = (queue: string, ...redact: string[]) =>
  world.broker.config.change(queue, { redact, reason: 'a test' }, BY);
const replace = (path: string, value: string): PatchStep => ({ op: 'replace', path, value });

describe('a job', () => {
  it('is shown without what is hidden, and whole to whom it belongs', async () => {
    const queue = await dead(PAYLOAD, 'password=hunter2', Buffer.from([0xff, 0x01]));
    const { inspect } = world.broker;
    expect(await inspect.job(queue, 'j0')).toMatchObject({
      payload: SHOWN,
      payloadBytes: PAYLOAD.length,
      hidden: 1,
    });
    expect(await inspect.unmasked(queue, 'j0')).toMatchObject({ payload: PAYLOAD, hidden: 0 });
    expect(await inspect.job(queue, 'j1')).toMatchObject({
      payload: MASK_TEXT,
      payloadIsText: true,
      hidden: 1,
    });
    expect(await inspect.job(queue, 'j2')).toMatchObject({
      payload: '/wE=',
      payloadIsText: false,
      hidden: 0,
    });
    await rules(queue, '/');
    expect(await inspect.job(queue, 'j2')).toMatchObject({
      payload: MASK_TEXT,
      payloadIsText: true,
      hidden: 1,
    });
    await rules(queue);
    expect(await inspect.job(queue, 'j0')).toMatchObject({ payload: PAYLOAD, hidden: 0 });
  });

  it('has its result hidden alike, also one that was cut', async () => {
    const queue = world.freshQueue();
    const results = [
      '{"token":"t-1","ok":true}',
      `{"token":"t-1","pad":"${'x'.repeat(5_000)}"}`,
      '{"ok":true}',
    ];
    await enqueueAll(
      world.broker,
      queue,
      results.map((_, i) => ({ jobId: `j${i}`, jobType: 'demo' })),
    );
    const taken = await claimAll(world.broker, queue);
    await world.broker.ack(
      queue,
      taken.map((job) => ({ ...job, result: results[Number(job.jobId.slice(1))] })),
    );
    const shown = async (id: string) => (await world.broker.inspect.job(queue, id)).result?.result;
    expect(await shown('j0')).toBe(`{"token":${MASK_TEXT},"ok":true}`);
    expect(await shown('j1')).toBe(MASK_TEXT);
    expect(await shown('j2')).toBe('{"ok":true}');
    expect((await world.broker.inspect.unmasked(queue, 'j0')).result?.result).toBe(results[0]);
  });
});

it('an export has no hidden value', async () => {
  const queue = await dead(PAYLOAD, 'password=hunter2');
  const found: string[] = [];
  const all = world.broker.inspect.matching(
    { state: 'dead', q: '', queue },
    { at: 0, cutoff: null, limit: 10 },
  );
  for await (const match of all) {
    found.push(match.payload.text);
    expect(JSON.stringify(match)).not.toContain('hunter2');
  }
  expect(found.sort()).toEqual([MASK_TEXT, SHOWN].sort());
});

describe('an edit', () => {
  it('shows no hidden value, and leaves those it does not name as they are stored', async () => {
    const queue = await dead(PAYLOAD);
    const patch = [replace('/user', 'bob'), replace('/card/brand', 'amex')];
    const preview = await previewOf(world.broker, { kind: 'edit', q: '', queue, patch });
    expect(preview.diffs).toEqual([
      {
        queue,
        jobId: 'j0',
        before: SHOWN,
        after: `{"user":"bob","n":9007199254740993,"password":${MASK_TEXT},"card":{"number":"4111","brand":"amex"}}`,
        problem: null,
      },
    ]);
    expect(await operate(world.broker, { kind: 'edit', q: '', queue, patch })).toMatchObject({ moved: 1 });
    expect((await world.broker.inspect.unmasked(queue, 'j0')).payload).toBe(
      '{"user":"bob","n":9007199254740993,"password":"hunter2","card":{"number":"4111","brand":"amex"}}',
    );
  });

  it('of a hidden place asks whether it may, before any payload is looked at', async () => {
    const queue = await dead(PAYLOAD);
    const refuse = (queues: readonly string[]) => {
      throw new Error(`no: ${queues.join()}`);
    };
    const asking = (patch: PatchStep[], scope: object = { q: '', queue }) =>
      world.broker.operations.preview(
        { kind: 'edit', scope: { state: 'dead', ...scope }, patch },
        BY,
        refuse,
      );
    const guess: PatchStep = { op: 'test', path: '/password', value: 'hunter2' };
    for (const scope of [{ q: '', queue }, { q: `queue:${queue}` }, { jobs: [{ queue, jobId: 'j0' }] }])
      await expect(asking([guess], scope)).rejects.toThrow(`no: ${queue}`);
    expect(await asking([replace('/user', 'bob')])).toMatchObject({ count: 1 });
    await rules(queue);
    expect(await asking([guess])).toMatchObject({ skips: {} });
  });

  it('never writes what stands for a hidden value', async () => {
    const queue = await dead(PAYLOAD);
    for (const patch of [
      [replace('/user', MASK)],
      [{ op: 'add' as const, path: '', value: { password: MASK } }],
    ])
      await expect(previewOf(world.broker, { kind: 'edit', q: '', queue, patch })).rejects.toMatchObject({
        code: 'VALIDATION',
        fields: [{ field: 'patch' }],
      });
  });

  it('is shown without what it puts into a hidden place, and puts it there', async () => {
    const queue = await dead(PAYLOAD);
    const patch = [replace('/password', 'new-secret'), replace('/user', 'bob')];
    const { id } = await startOperation(world.broker, { kind: 'edit', q: '', queue, patch });
    const shown = [replace('/password', MASK), replace('/user', 'bob')];
    expect((await world.broker.operations.get(id)).patch).toEqual(shown);
    expect((await world.broker.operations.list(10)).operations.find((one) => one.id === id)?.patch).toEqual(
      shown,
    );
    expect(JSON.stringify(await world.broker.operations.live())).not.toContain('new-secret');
    const { operation } = await world.broker.operations.runSlice(id, 'r1');
    expect(JSON.stringify(operation)).not.toContain('new-secret');
    await expect
      .poll(async () => (await world.broker.operations.runSlice(id, 'r1')).operation.status)
      .toBe('completed');
    expect((await world.broker.inspect.unmasked(queue, 'j0')).payload).toContain('"password":"new-secret"');
  });

  it('that does not fit does not quote from a payload that is hidden as a whole', async () => {
    const queue = await dead('hunter2 password: swordfish');
    const preview = await previewOf(world.broker, {
      kind: 'edit',
      q: '',
      queue,
      patch: [replace('/user', 'bob')],
    });
    expect(preview.diffs?.[0]).toMatchObject({
      before: MASK_TEXT,
      after: null,
      problem: expect.stringMatching(/not shown/),
    });
    expect(JSON.stringify(preview)).not.toMatch(/hunter2|swordfish/);
  });
});

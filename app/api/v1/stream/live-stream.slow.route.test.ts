/** Event streams of people whose rights change while they watch: what they may not see any more is not in the next frames. */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createFrameReader } from '@/lib/browser/live/frame-reader';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { type Frame, frameSchema } from '@/lib/contract/live/live-frame';
import { getLiveHub } from '@/lib/server/live/live-hub';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { type SignedIn, signInAs, tokenFor } from '@/testing/worlds/users';

const world = await setUpConsole();
let root: SignedIn;
const BY = { actor: 'the test', reason: 'a test' };
const on = (queue: string, tenants: string[] | null = null): Grant[] => [
  { role: 'admin', queues: [queue], tenants },
];
beforeAll(async () => {
  root = await signInAs(world, { name: 'root', grants: on('*') });
  for (const queue of ['alpha', 'beta']) await world.broker.enqueue(queue, { jobType: 'a' });
});

interface Watched {
  readonly frames: Frame[];
  readonly events: string[];
  /** By performance.now(). */
  lastFrameAtMs: number;
  ended: boolean;
  leave(): Promise<void>;
}
const watched: Watched[] = [];
afterEach(async () => {
  for (const one of watched.splice(0)) await one.leave();
});

/** Opens a stream and reads it as a browser does. */
async function watch(headers: Record<string, string>, queues = ''): Promise<Watched> {
  const { response, status } = await callApi('GET', `/api/v1/stream?watch=${queues}`, { headers });
  expect(status).toBe(200);
  const reader = response.body?.getReader();
  const seen: Watched = {
    frames: [],
    events: [],
    lastFrameAtMs: 0,
    ended: false,
    leave: async () => reader?.cancel(),
  };
  watched.push(seen);
  const decoder = new TextDecoder();
  const frames = createFrameReader(frameSchema);
  let text = '';
  void (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      text += decoder.decode(chunk.value, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const event = /^event: (.*)$/m.exec(part)?.[1];
        if (event) seen.events.push(event);
        if (event !== 'frame' && event !== 'change') continue;
        const frame = frames.read(event, /^data: (.*)$/m.exec(part)?.[1]);
        if (frame === null) throw new Error(`unreadable: ${part}`);
        seen.frames.push(frame);
        seen.lastFrameAtMs = performance.now();
      }
    }
    seen.ended = true;
  })();
  await until(() => seen.frames.length > 0, { what: 'the first frame' });
  return seen;
}
const queuesIn = (frame: Frame | undefined) => frame?.overview.queues.map(({ queue }) => queue);

test('each sees what is theirs, in the same second', async () => {
  const alpha = await signInAs(world, { name: 'al', grants: on('alpha') });
  const tenant = await signInAs(world, { name: 'te', grants: on('alpha', ['acme']) });
  const [all, some, none] = await Promise.all([root, alpha, tenant].map(({ headers }) => watch(headers)));
  expect(queuesIn(all?.frames.at(-1))).toEqual(['alpha', 'beta']);
  expect(queuesIn(some?.frames.at(-1))).toEqual(['alpha']);
  expect(queuesIn(none?.frames.at(-1))).toEqual([]);
});

test('those who see the same are sent the same bytes, written once', async () => {
  const ann = await signInAs(world, { name: 'ann', grants: on('*') });
  const alpha = await signInAs(world, { name: 'al', grants: on('alpha') });
  const open = async ({ headers }: SignedIn) => {
    const { response } = await callApi('GET', '/api/v1/stream', { headers });
    const reader = response.body?.getReader();
    const chunks = new Set<ArrayBufferLike>();
    const next = async () => chunks.add((await reader?.read())?.value?.buffer ?? new ArrayBuffer(0));
    return { chunks, next, leave: () => reader?.cancel() };
  };
  const [one, two, other] = [await open(root), await open(ann), await open(alpha)];
  // The greetings are each one's own; frames come to all at once.
  for (let i = 0; i < 5; i += 1) await Promise.all([one.next(), two.next(), other.next()]);
  expect([...one.chunks].filter((chunk) => two.chunks.has(chunk)).length).toBeGreaterThan(1);
  expect([...one.chunks].some((chunk) => other.chunks.has(chunk))).toBe(false);
  await Promise.all([one.leave(), two.leave(), other.leave()]);
});

test('a stream carries every number of the queues that it watches, of those that one may see', async () => {
  const alpha = await signInAs(world, { name: 'al', grants: on('alpha') });
  const stream = await watch(alpha.headers, 'alpha,beta');
  await until(() => stream.frames.length > 1, { what: 'a change' });
  expect(stream.frames.at(-1)?.watched.map(({ queue, totals }) => [queue, totals.enqueued])).toEqual([
    ['alpha', 1],
  ]);
});

test('whoever signs out is told so at once, on every tab; others go on', async () => {
  const ann = await signInAs(world, { name: 'ann', grants: on('*') });
  const [one, two, other] = [await watch(ann.headers), await watch(ann.headers), await watch(root.headers)];
  expect((await callApi('DELETE', '/api/v1/session', { headers: ann.headers })).status).toBe(200);
  for (const stream of [one, two]) {
    await until(() => stream.ended, { what: 'the stream to end' });
    expect(stream.events.at(-1)).toBe('signed-out');
  }
  expect(other.ended).toBe(false);
  expect(getLiveHub().size).toBe(1);
});

test('a session ended elsewhere ends its streams within seconds', async () => {
  const bob = await signInAs(world, { name: 'bob', grants: on('*') });
  const stream = await watch(bob.headers);
  await world.broker.access.sessions.end({ digest: bob.digest }, BY);
  await until(() => stream.ended, { what: 'the stream to end', timeoutMs: 10_000 });
  expect(stream.events.at(-1)).toBe('signed-out');
});

test('Likely 8: nothing new is sent five seconds after rights can no longer be read, though all else can, and it goes on when they can', async () => {
  const dan = await signInAs(world, { name: 'dan', grants: on('*') });
  const stream = await watch(dan.headers);
  const client = world.redis.connect();
  const [sessions, aside] = ['rd:{.access}:sessions', 'rd:{.access}:aside'];
  let sent: number;
  try {
    await client.multi().rename(sessions, aside).set(sessions, 'cannot be read').exec();
    const brokenAtMs = performance.now();
    await until(() => performance.now() - stream.lastFrameAtMs > 3_000, {
      what: 'the frames to stop',
      timeoutMs: 20_000,
    });
    // Its rights were found good at the latest by the answer that was under way.
    await expectWithin(stream.lastFrameAtMs - brokenAtMs, 6_000);
    expect(stream.ended).toBe(false);
    sent = stream.frames.length;
  } finally {
    await client.multi().del(sessions).rename(aside, sessions).exec();
    client.disconnect();
  }
  await until(() => stream.frames.length > sent, { what: 'the next frame', timeoutMs: 10_000 });
  expect(stream.frames.at(-1)?.overview.fresh).toBe(true);
});

test('narrowed by somebody with the right to: the very next frame is narrower', async () => {
  const cid = await signInAs(world, { name: 'cid', grants: on('*') });
  const stream = await watch(cid.headers);
  expect(queuesIn(stream.frames.at(-1))).toEqual(['alpha', 'beta']);
  const changed = await callApi('PATCH', `/api/v1/access/users/${cid.userId}`, {
    body: { grants: on('beta'), reason: 'less' },
    headers: root.headers,
  });
  expect(changed.status).toBe(200);
  await until(() => queuesIn(stream.frames.at(-1))?.join() === 'beta', { what: 'a narrower frame' });
  expect(stream.ended).toBe(false);
});

test('narrowed elsewhere: within seconds', async () => {
  const dan = await signInAs(world, { name: 'dan', grants: on('*') });
  const stream = await watch(dan.headers);
  await world.broker.access.users.change(dan.userId, { grants: on('alpha') }, BY);
  await until(() => queuesIn(stream.frames.at(-1))?.join() === 'alpha', {
    what: 'a narrower frame',
    timeoutMs: 10_000,
  });
});

test('a revoked token ends its streams', async () => {
  const owner = await signInAs(world, { name: 'owner', grants: on('*') });
  const token = await tokenFor(world, owner, on('alpha'));
  const stream = await watch(token.headers);
  const gone = await callApi('DELETE', `/api/v1/access/tokens/${token.id}`, {
    body: {},
    headers: owner.headers,
  });
  expect(gone.status).toBe(200);
  await until(() => stream.ended, { what: 'the stream to end' });
  expect(stream.events.at(-1)).toBe('signed-out');
});

test('one person has so many streams and no more, and others still get theirs', async () => {
  const eve = await signInAs(world, { name: 'eve', grants: on('*') });
  const open = () => callApi('GET', '/api/v1/stream', { headers: eve.headers });
  const opened = await Promise.all(Array.from({ length: 20 }, open));
  expect((await open()).body).toMatchObject({ status: 429, code: 'TOO_MANY_STREAMS' });
  expect(queuesIn((await watch(root.headers)).frames[0])).toEqual(['alpha', 'beta']);
  for (const { response } of opened) await response.body?.cancel();
  const again = await open();
  expect(again.status).toBe(200);
  await again.response.body?.cancel();
});

test('tokens do not make it more: a person has so many streams, whatever they ask with', async () => {
  const ida = await signInAs(world, { name: 'ida', grants: on('*') });
  const tokens = await Promise.all(
    Array.from({ length: 5 }, () => tokenFor(world, { ...ida, name: 'ida' }, on('*'))),
  );
  const open = (headers: Record<string, string>) => callApi('GET', '/api/v1/stream', { headers });
  const opened = await Promise.all(
    [ida, ...tokens].flatMap(({ headers }) => Array.from({ length: 5 }, () => open(headers))),
  );
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(20);
  for (const { headers } of [ida, ...tokens])
    expect((await open(headers)).body).toMatchObject({ code: 'TOO_MANY_STREAMS' });
  expect(queuesIn((await watch(root.headers)).frames[0])).toEqual(['alpha', 'beta']);
  for (const { response } of opened) await response.body?.cancel();
});

test('while Redis is away streams stay, and say so; whose session is gone by then is let go after', async () => {
  const [fay, gil] = [
    await signInAs(world, { name: 'fay', grants: on('*') }),
    await signInAs(world, { name: 'gil', grants: on('*') }),
  ];
  const [stays, goes] = [await watch(fay.headers), await watch(gil.headers)];
  await world.broker.access.sessions.end({ digest: gil.digest }, BY);
  await world.redis.kill('SIGSTOP');
  await until(() => stays.frames.at(-1)?.overview.fresh === false, {
    what: 'a frame that says that Redis is away',
    timeoutMs: 20_000,
  });
  expect(stays.ended).toBe(false);
  await world.redis.kill('SIGCONT');
  await until(() => stays.frames.at(-1)?.overview.fresh, { what: 'fresh frames', timeoutMs: 20_000 });
  await until(() => goes.ended, { what: 'the other stream to end', timeoutMs: 20_000 });
  expect(goes.events.at(-1)).toBe('signed-out');
  expect(stays.ended).toBe(false);
});

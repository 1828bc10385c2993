import { expect, it } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { until } from '@/testing/poll';
import { ResponseStreams } from './response-streams';

const streams = (most = 2, idleMs = 60_000) => new ResponseStreams({ what: 'searches', most, idleMs });
const nobody = () => new AbortController().signal;
const textOf = (body: ReadableStream<Uint8Array>) => new Response(body).text();

it('sends what is yielded, and is free again at the end', async () => {
  const all = streams();
  const body = await all.start(async function* () {
    yield 'a\n';
    yield 'ü\n';
  }, nobody());
  expect(all.size).toBe(1);
  expect(await textOf(body)).toBe('a\nü\n');
  expect(all.size).toBe(0);
  // Nothing to send is an empty answer.
  expect(await textOf(await all.start(async function* () {}, nobody()))).toBe('');
  expect(all.size).toBe(0);
});

it('throws what fails first, and breaks off at what fails later', async () => {
  const all = streams();
  const refused = all.start(async function* () {
    if (all.size > 0) throw new RedriveError('BAD_QUERY', 'no');
    yield 'never';
  }, nobody());
  await expect(refused).rejects.toMatchObject({ code: 'BAD_QUERY' });
  const broken = await all.start(async function* () {
    yield 'a';
    throw new Error('Redis went away');
  }, nobody());
  await expect(textOf(broken)).rejects.toThrow('Redis went away');
  expect(all.size).toBe(0);
});

it('takes so many at once and no more', async () => {
  const all = streams(2);
  const held = async function* () {
    for (;;) yield 'x';
  };
  const [one] = await Promise.all([all.start(held, nobody()), all.start(held, nobody())]);
  await expect(all.start(held, nobody())).rejects.toMatchObject({ code: 'TOO_MANY_STREAMS' });
  await one?.cancel();
  expect(all.size).toBe(1);
  await all.start(held, nobody());
  all.closeAll();
  await until(() => all.size === 0, { what: 'all of them to end' });
  await expect(all.start(held, nobody())).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
});

it('leaves some for others: one person takes so many and no more', async () => {
  const all = new ResponseStreams({ what: 'searches', most: 3, mostEach: 2, idleMs: 60_000 });
  const held = async function* () {
    for (;;) yield 'x';
  };
  const [one] = await Promise.all([all.start(held, nobody(), 'ann'), all.start(held, nobody(), 'ann')]);
  await expect(all.start(held, nobody(), 'ann')).rejects.toThrow('2 of your searches are running already');
  await all.start(held, nobody(), 'ben');
  await one?.cancel();
  await all.start(held, nobody(), 'ann');
  all.closeAll();
});

it('M6: leaves room for an administrator when others hold all of them', async () => {
  const all = new ResponseStreams({ what: 'exports', most: 2, mostEach: 1, idleMs: 60_000 });
  const held = async function* () {
    for (;;) yield 'x';
  };
  await Promise.all([all.start(held, nobody(), 'ann'), all.start(held, nobody(), 'ben')]);
  await expect(all.start(held, nobody(), 'cat')).rejects.toThrow(
    '2 exports are running in this console already',
  );
  await all.start(held, nobody(), 'ada', true);
  await expect(all.start(held, nobody(), 'eve', true)).rejects.toThrow(
    '2 exports are running in this console already',
  );
  all.closeAll();
});

it('asks for no more than the client reads', async () => {
  let made = 0;
  const body = await streams().start(async function* () {
    while (made < 1_000) {
      made++;
      yield 'x'.repeat(100_000);
    }
  }, nobody());
  const reader = body.getReader();
  await reader.read();
  await reader.read();
  expect(made).toBeLessThanOrEqual(4);
  await reader.cancel();
});

it('tells the source when the client leaves, even in the middle of a step', async () => {
  const all = streams();
  let waiting = false;
  let told = false;
  let cleaned = false;
  const leaving = new AbortController();
  const body = await all.start(async function* (signal) {
    try {
      yield 'a';
      waiting = true;
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          told = true;
          resolve();
        }),
      );
    } finally {
      cleaned = true;
    }
  }, leaving.signal);
  const reader = body.getReader();
  await reader.read();
  const rest = reader.read();
  await until(() => waiting, { what: 'the source to be in the middle of a step' });
  leaving.abort();
  await expect(rest).rejects.toThrow('ended');
  expect([told, all.size]).toEqual([true, 0]);
  await until(() => cleaned, { what: 'the source to clean up' });
});

it('gives up who does not read', async () => {
  const all = streams(1, 20);
  const body = await all.start(async function* () {
    for (;;) yield 'x';
  }, nobody());
  await until(() => all.size === 0, { what: 'the stalled stream to be given up' });
  await expect(textOf(body)).rejects.toThrow('the client does not read');
});

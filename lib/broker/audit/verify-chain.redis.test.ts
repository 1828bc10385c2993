/** S: whoever changes the log past the console is found out: every kind of tampering, done in Redis by hand. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { jobs, setUpWorld } from '@/testing/worlds/world';
import { createHashChain, entryText } from './hash-chain';

const world = await setUpWorld();
let queue: string;

const ENTRIES = 'rd:{.audit}:entries';
const HEAD = 'rd:{.audit}:head';
const KEYS = ['k'.repeat(32)];
let entries: AuditEventView[];

/** A log of ten entries, and a way to write it anew with some of them other. */
async function log(keys: readonly string[] = []): Promise<void> {
  await world.redis.flushall();
  queue = world.freshQueue();
  await world.broker.enqueueMany(queue, jobs(1));
  for (let i = 0; i < 10; i++) await world.broker.pause(queue, { reason: `number ${i}` }, { actor: 'ann' });
  await world.broker.audit.collect({ keys });
  entries = [];
  for await (const entry of world.broker.audit.matching({})) entries.push(entry);
}
async function rewrite(texts: readonly string[], ids = texts.map((_, i) => `${i + 1}-0`)): Promise<void> {
  await world.redis.del(ENTRIES);
  for (const [i, text] of texts.entries()) await world.redis.xadd(ENTRIES, ids[i] ?? '*', 'e', text);
}
const texts = () => entries.map(entryText);
const at = (i: number): AuditEventView => entries[i] as AuditEventView;
const check = (keys: readonly string[] = []) => world.broker.audit.check({ keys });
const sentences = async (keys: readonly string[] = []) =>
  (await check(keys)).problems.map(({ n, sentence }) => `${n}: ${sentence}`);
/** The chain computed anew from the entry that was changed, by somebody without a key. */
function forged(from: number, change: Partial<AuditEventView>): AuditEventView[] {
  const chain = createHashChain();
  const made: AuditEventView[] = entries.slice(0, from);
  for (const { hash: _, ...entry } of entries.slice(from)) {
    const unhashed = {
      ...entry,
      ...(made.length === from ? change : {}),
      prev: made.at(-1)?.hash ?? entry.prev,
    };
    made.push({ ...unhashed, hash: chain.hash(unhashed) });
  }
  return made;
}

beforeEach(() => log());

describe('a log that nobody touched', () => {
  it('holds', async () => {
    expect(await check()).toMatchObject({
      ok: true,
      checked: 10,
      first: 1,
      last: 10,
      head: at(9).hash,
      keyed: false,
    });
  });
  it('holds while it is empty, and while it grows', async () => {
    await world.redis.flushall();
    expect(await check()).toMatchObject({ ok: true, checked: 0, first: null, last: null });
    queue = world.freshQueue();
    await world.broker.enqueueMany(queue, jobs(1));
    let going = true;
    const writing = (async () => {
      const other = world.another();
      while (going) {
        await other.pause(queue, { reason: 'more' }, { actor: 'ann' });
        await other.audit.collect();
      }
    })();
    for (let i = 0; i < 30; i++) expect((await check()).problems).toEqual([]);
    going = false;
    await writing;
  });
  it('is checked from its newest end when there is a budget', async () => {
    expect(await world.broker.audit.check({ most: 4 })).toMatchObject({
      ok: true,
      checked: 4,
      first: 7,
      last: 10,
    });
  });
});

describe('an entry that was', () => {
  it('edited', async () => {
    const changed = entryText({ ...at(4), actor: 'bob' });
    await rewrite(texts().with(4, changed));
    expect(await sentences()).toEqual([
      '5: Entry 5 was changed after it was written: its hash does not fit what it says.',
    ]);
  });
  it('edited with its hash made to fit', async () => {
    const [, , , , five] = forged(4, { actor: 'bob' });
    await rewrite(texts().with(4, entryText(five as AuditEventView)));
    expect(await sentences()).toEqual([
      '6: Entry 6 does not follow the entry before it: one of the two was replaced, or something between them was removed.',
    ]);
  });
  it('spoilt', async () => {
    await rewrite(texts().with(4, 'nothing'));
    expect(await sentences()).toEqual(['5: Entry 5 is not as it was written: its text was changed.']);
  });
  it('given fields of its own, or other spaces', async () => {
    await rewrite(
      texts()
        .with(4, (texts()[4] ?? '').replace('{', '{"x":1,'))
        .with(6, (texts()[6] ?? '').replace(',', ', ')),
    );
    expect(await sentences()).toEqual([
      '5: Entry 5 is not as it was written: its text was changed.',
      '7: Entry 7 is not as it was written: its text was changed.',
    ]);
  });
  it('removed', async () => {
    await world.redis.xdel(ENTRIES, '5-0', '6-0');
    expect(await sentences()).toEqual(['5: Entries 5 to 6 are missing: removed after they were written.']);
  });
  it('removed, with those behind it moved up', async () => {
    await rewrite(texts().toSpliced(4, 1));
    expect((await sentences())[0]).toMatch(/^5: What stands in the place of entry 5 is entry 6/);
  });
  it('removed, and all behind it renumbered and chained anew', async () => {
    const chain = createHashChain();
    const made: AuditEventView[] = [];
    for (const { hash: _, ...entry } of entries.toSpliced(4, 1)) {
      const unhashed = { ...entry, n: made.length + 1, prev: made.at(-1)?.hash ?? entry.prev };
      made.push({ ...unhashed, hash: chain.hash(unhashed) });
    }
    await rewrite(made.map(entryText));
    expect(await sentences()).toEqual([
      '10: Entry 10 is missing at the end: the newest entries were cut off.',
    ]);
  });
  it('inserted', async () => {
    await world.redis.del(ENTRIES);
    const own = texts();
    await rewrite(own.toSpliced(5, 0, own[2] ?? ''), [
      '1-0',
      '2-0',
      '3-0',
      '4-0',
      '5-0',
      '5-1',
      '6-0',
      '7-0',
      '8-0',
      '9-0',
      '10-0',
    ]);
    expect(await sentences()).toEqual([
      '0: There is an entry with an id that no entry of the log has: it was put there.',
    ]);
  });
  it('put behind the newest', async () => {
    await world.redis.xadd(ENTRIES, '11-0', 'e', texts()[2] ?? '');
    expect(await sentences()).toEqual([
      '11: The head of the log says that entry 10 is the newest, but there are entries up to 11.',
    ]);
  });
  it('exchanged with another', async () => {
    const own = texts();
    await rewrite(own.with(3, own[6] ?? '').with(6, own[3] ?? ''));
    const found = await sentences();
    expect(found[0]).toMatch(/^4: What stands in the place of entry 4 is entry 7/);
    expect(
      found.some((sentence) => sentence.startsWith('7: What stands in the place of entry 7 is entry 4')),
    ).toBe(true);
  });
  it('cut from the end', async () => {
    await world.redis.xdel(ENTRIES, '9-0', '10-0');
    expect(await sentences()).toEqual([
      '9: Entries 9 to 10 are missing at the end: the newest entries were cut off.',
    ]);
  });
  it('cut from the beginning', async () => {
    await world.redis.xtrim(ENTRIES, 'MINID', '4-0');
    expect(await sentences()).toEqual(['1: Entries 1 to 3 are missing: removed after they were written.']);
  });
  it('cut from the beginning, with a head that says so', async () => {
    await world.redis.xtrim(ENTRIES, 'MINID', '4-0');
    await world.redis.hset(HEAD, 'base', '3', 'baseHash', at(2).hash);
    expect(await sentences()).toEqual([
      '3: The log begins behind entry 3, and no entry says that those before it were let go of for their age: its beginning was cut off.',
    ]);
  });
});

describe('a head that was', () => {
  it('given another hash', async () => {
    await world.redis.hset(HEAD, 'hash', 'f'.repeat(64));
    expect(await sentences()).toEqual([
      '10: The head of the log has another hash than entry 10: one of the two was changed.',
    ]);
  });
  it('set forward', async () => {
    await world.redis.hset(HEAD, 'n', '12');
    expect(await sentences()).toEqual([
      '11: Entries 11 to 12 are missing at the end: the newest entries were cut off.',
    ]);
  });
  it('set back', async () => {
    await world.redis.hset(HEAD, 'n', '8', 'hash', at(7).hash);
    expect(await sentences()).toEqual([
      '10: The head of the log says that entry 8 is the newest, but there are entries up to 10.',
    ]);
  });
  it('deleted', async () => {
    await world.redis.del(HEAD);
    expect((await check()).ok).toBe(false);
  });
  it('deleted together with all entries: what was written down elsewhere tells', async () => {
    const written = (await world.broker.audit.head()).hash;
    await world.redis.del(HEAD, ENTRIES);
    await world.broker.audit.collect();
    expect((await world.broker.audit.head()).hash).not.toBe(written);
  });
});

describe('a chain written anew, to the end, with a head to match', () => {
  const rewritten = async () => {
    const made = forged(4, { actor: 'bob', reason: 'somebody else' });
    await rewrite(made.map(entryText));
    await world.redis.hset(HEAD, 'hash', made.at(-1)?.hash ?? '');
  };
  it('cannot be told without a key, except by a hash that was written down elsewhere', async () => {
    await rewritten();
    expect((await check()).ok).toBe(true);
    expect((await check()).head).not.toBe(at(9).hash);
  });
  it('is found with a key', async () => {
    await log(KEYS);
    expect((await check(KEYS)).ok).toBe(true);
    await rewritten();
    expect((await sentences(KEYS))[0]).toMatch(/^5: Entry 5 is not keyed, though entries before it are/);
  });
  it('from the very first entry is found with a key, too', async () => {
    await log(KEYS);
    const made = forged(0, { actor: 'bob' });
    await rewrite(made.map(entryText));
    await world.redis.hset(HEAD, 'hash', made.at(-1)?.hash ?? '', 'key', '');
    expect(await sentences(KEYS)).toEqual([
      `${made.length}: A key was given, but no entry is keyed: the log was written without it, or written anew.`,
    ]);
  });
});

import { hash, parseOptions } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { PASSWORD_HASH } from '@/lib/contract/access/access-limits';
import { networksOf } from '@/lib/server/http/client-network';
import { HashConcurrency } from './hash-concurrency';
import { passwordFits, unfittingHash } from './password-hash';

const HERE = networksOf('127.0.0.1');

test('a password fits its hash, however its letters are composed', async () => {
  const made = await hash('zoë likes kettles'.normalize('NFC'), PASSWORD_HASH);
  expect(await passwordFits('zoë likes kettles'.normalize('NFD'), made, [made], HERE)).toBe(true);
  expect(await passwordFits('zoe likes kettles', made, [made], HERE)).toBe(false);
});

test('a name nobody has is checked as dearly as the dearest there is, and never fits', async () => {
  const cheap = await hash('x', { ...PASSWORD_HASH, memoryCost: 8_192 });
  const dear = await hash('x', { ...PASSWORD_HASH, memoryCost: 24_576, timeCost: 3 });
  const costs = ({
    memoryCost,
    timeCost,
    parallelism,
    outputLen,
    saltLen,
  }: ReturnType<typeof parseOptions>) => ({
    memoryCost,
    timeCost,
    parallelism,
    outputLen,
    saltLen,
  });
  expect(costs(parseOptions(unfittingHash([cheap, dear, cheap])))).toEqual(costs(parseOptions(dear)));
  expect(costs(parseOptions(unfittingHash([])))).toMatchObject(
    costs(parseOptions(await hash('x', PASSWORD_HASH))),
  );
  expect(await passwordFits('x', null, [cheap, dear], HERE)).toBe(false);
});

/** Two at once and three waiting, each open until the test ends it. */
function openSlots() {
  const slots = new HashConcurrency({ most: 2, waiting: 3, waitMaxMs: 5_000, retryAfterMs: 3_000 });
  const open = new Map<string, () => void>();
  const started: string[] = [];
  const refused: string[] = [];
  const run = (name: string, address: string) => {
    const work = () => {
      started.push(name);
      return new Promise<void>((resolve) => open.set(name, resolve));
    };
    return slots.run(networksOf(address), work).catch(() => {
      refused.push(name);
    });
  };
  const end = async (name: string) => {
    open.get(name)?.();
    // What waits takes the place in a turn of its own.
    await new Promise(setImmediate);
  };
  return { slots, run, end, started, refused };
}

test('two checks at once, some wait in turn, and the rest are told to come back', async () => {
  const { slots, run, end, started } = openSlots();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void run(name, '10.0.0.1');
  await expect(slots.run(networksOf('10.0.0.1'), async () => 'f')).rejects.toMatchObject({
    code: 'TOO_MANY_ATTEMPTS',
    retryAfterMs: 3_000,
  });
  expect(started).toEqual(['a', 'b']);
  for (const [i, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    await end(name);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e'].slice(0, i + 3));
  }
  await expect(slots.run(networksOf('10.0.0.1'), () => Promise.reject(new Error('fails')))).rejects.toThrow(
    'fails',
  );
  expect(await slots.run(networksOf('10.0.0.1'), async () => 'free again')).toBe('free again');
});

test.each<[string, (i: number) => string, string]>([
  ['one address', () => '10.1.1.1', '10.2.1.1'],
  ['one /24', (i) => `10.1.1.${i}`, '10.1.2.1'],
  ['one /16', (i) => `10.1.${i}.1`, '10.2.1.1'],
  ['one /64', (i) => `2001:db8:1:1::${i}`, '2001:db8:1:2::1'],
  ['one /48', (i) => `2001:db8:1:${i}::1`, '2001:db8:2:1::1'],
  ['one /32', (i) => `2001:db8:${i}::1`, '2001:db9:1::1'],
  ['a few networks', (i) => `2001:${i % 4}::1`, '10.2.1.1'],
])('H1: a crowd from %s keeps nobody out who comes from elsewhere', async (_, from, fresh) => {
  const { run, end, started, refused } = openSlots();
  for (let i = 0; i < 40; i++) {
    void run(`crowd ${i}`, from(i));
    if (i % 4 === 3) await end(started.at(-2) ?? '');
  }
  void run('fresh', fresh);
  for (let i = 0; i < 3; i++) void run(`more ${i}`, from(i));
  await end(started.at(-1) ?? '');
  expect(refused).not.toContain('fresh');
  expect(started.at(-1)).toBe('fresh');
});

test('H1: who waits too long is told to come back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { run, refused } = openSlots();
    const runs = ['a', 'b', 'c'].map((name) => run(name, '10.0.0.1'));
    vi.advanceTimersByTime(5_000);
    await runs[2];
    expect(refused).toEqual(['c']);
  } finally {
    vi.useRealTimers();
  }
});

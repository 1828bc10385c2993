import { hash, parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { PASSWORD_HASH } from '@/lib/contract/access';
import { passwordFits, unfittingHash } from './passwords';
import { Slots } from './slots';

test('a password fits its hash, however its letters are composed', async () => {
  const made = await hash('zoë likes kettles'.normalize('NFC'), PASSWORD_HASH);
  expect(await passwordFits('zoë likes kettles'.normalize('NFD'), made, [made])).toBe(true);
  expect(await passwordFits('zoe likes kettles', made, [made])).toBe(false);
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
  expect(await passwordFits('x', null, [cheap, dear])).toBe(false);
});

test('two checks at once, some wait in turn, and the rest are told to come back', async () => {
  const slots = new Slots({ most: 2, waiting: 3, retryAfterMs: 3_000 });
  const open: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const work = (name: string) => async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => open.push(resolve));
    running -= 1;
    if (name === 'b') throw new Error('b fails');
    return name;
  };
  const runs = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    slots.run(work(name)).catch((error: Error) => error.message),
  );
  await expect(slots.run(work('f'))).rejects.toMatchObject({
    code: 'TOO_MANY_ATTEMPTS',
    retryAfterMs: 3_000,
  });
  for (let ended = 0; ended < 5; ended += 1) {
    open.shift()?.();
    await runs[ended];
    // What waits takes the place in a turn of its own.
    await new Promise(setImmediate);
  }
  expect(await Promise.all(runs)).toEqual(['a', 'b fails', 'c', 'd', 'e']);
  expect(most).toBe(2);
});

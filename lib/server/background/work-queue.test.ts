import { expect, it } from 'vitest';
import { WorkQueue } from './work-queue';

const HOUR_MS = 3_600_000;
function held<T>() {
  let release: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

it('gives turns one after another, in the order they were asked for, failures included', async () => {
  const turns = new WorkQueue(HOUR_MS);
  const seen: string[] = [];
  let underway = 0;
  const slice = (name: string) => async () => {
    underway += 1;
    expect(underway).toBe(1);
    await Promise.resolve();
    seen.push(name);
    underway -= 1;
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.take(slice(name))));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a', 'b', 'c']);
});

it('does not let one that never ends keep the others waiting, and still hands out what it brings', async () => {
  const turns = new WorkQueue(5);
  const silent = held<string>();
  const first = turns.take(() => silent.promise);
  expect(await turns.take(async () => 'second')).toBe('second');
  expect(await turns.take(async () => 'third')).toBe('third');
  silent.release('first');
  expect(await first).toBe('first');
});

it('counts the time from when it is its turn', async () => {
  const turns = new WorkQueue(HOUR_MS);
  const [a, b] = [held<void>(), held<void>()];
  let third = false;
  const [first, second] = [turns.take(() => a.promise), turns.take(() => b.promise)];
  const last = turns.take(async () => {
    third = true;
  });
  a.release();
  await first;
  expect(third).toBe(false);
  b.release();
  await Promise.all([second, last]);
  expect(third).toBe(true);
});

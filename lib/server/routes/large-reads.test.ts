import { expect, it } from 'vitest';
import { ReadShare } from '@/lib/process/read-share';
import { LARGE_READS, LargeReads } from './large-reads';

const settled = () => new Promise(setImmediate);
const stays = () => new AbortController().signal;
const LIMITS = { ...LARGE_READS, most: 4, mostEach: 2, waitingEach: 3 };

function openReads(chance = () => 0) {
  let nowMs = 0;
  const reads = new LargeReads(LIMITS, () => nowMs, chance);
  const open: (() => void)[] = [];
  const run = (owner: string, signal = stays()) =>
    reads.run(owner, signal, () => new Promise<void>((end) => open.push(end)));
  const end = async (afterMs: number) => {
    nowMs += afterMs;
    open.shift()?.();
    await settled();
  };
  return { reads, run, end };
}

it('runs a few of a user at a time, however many they ask for, and others at once', async () => {
  const { reads, run } = openReads();
  for (let i = 0; i < 5; i++) void run('many');
  expect([reads.running, reads.waiting]).toEqual([2, 3]);
  void run('other');
  expect([reads.running, reads.waiting]).toEqual([3, 3]);
});

it('refuses beyond a full line of the user, with how long it takes by what reads take lately', async () => {
  const { run, end } = openReads();
  for (let i = 0; i < 5; i++) void run('many');
  await expect(run('many')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1_000 });
  // The line is full again each time, so that each takes ten seconds.
  for (let i = 0; i < 30; i++) {
    await end(5_000);
    void run('many').catch(() => undefined);
  }
  await expect(run('many')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    // It would be about 19 s, but the wait has a limit.
    retryAfterMs: 15_000,
    message: expect.stringMatching(/the limit is 2 at a time, and 3 of yours wait\. Try again in \d+ s\.$/),
  });
});

it('spreads those it refuses together, so that they do not all come back at once', async () => {
  let turn = 0;
  const { run } = openReads(() => (turn++ % 10) / 10);
  for (let i = 0; i < 5; i++) void run('many');
  const refused = await Promise.all(
    Array.from({ length: 10 }, () =>
      run('many').catch((error: { retryAfterMs: number }) => error.retryAfterMs),
    ),
  );
  expect(refused).toEqual(Array.from({ length: 10 }, (_, i) => expect.closeTo(1_000 + i * 100)));
});

it('reads whose clients leave do not shorten what it tells others to wait', async () => {
  const { reads, run, end } = openReads();
  for (let i = 0; i < 30; i++) {
    void run('many');
    await settled();
    await end(5_000);
  }
  for (let i = 0; i < 30; i++) {
    const leave = new AbortController();
    const left = reads.run('many', leave.signal, async () => {
      leave.abort();
      leave.signal.throwIfAborted();
    });
    await expect(left).rejects.toThrow('aborted');
  }
  for (let i = 0; i < 5; i++) void run('many');
  await expect(run('many')).rejects.toMatchObject({ retryAfterMs: expect.closeTo(9_700, -3) });
});

it('the share ends with the read: a loop that it started goes on', async () => {
  const reads = new LargeReads();
  const gone = new AbortController();
  let later: Promise<ReadShare | undefined> | undefined;
  const during = await reads.run('a', gone.signal, async () => {
    later = settled().then(settled).then(ReadShare.current);
    return ReadShare.current()?.owner;
  });
  expect(during).toBe('a');
  expect(await later).toBeUndefined();
});

it('without sign-in there is one user, whose line has the length of all', async () => {
  const { reads, run } = openReads();
  for (let i = 0; i < 40; i++) void run('');
  expect([reads.running, reads.waiting]).toEqual([4, 36]);
});

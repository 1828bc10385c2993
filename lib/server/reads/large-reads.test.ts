import { expect, it } from 'vitest';
import { ReadShare } from '@/lib/process/read-share';
import { LARGE_READS, LargeReads } from './large-reads';

const settled = () => new Promise(setImmediate);
const stays = () => new AbortController().signal;
const LIMITS = { ...LARGE_READS, most: 4, mostEach: 2, waitingEach: 3 };

function openReads() {
  let nowMs = 0;
  const reads = new LargeReads(LIMITS, () => nowMs);
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
    retryAfterMs: expect.closeTo(19_000, -3.4),
    message: expect.stringMatching(/the limit is 2 at a time, and 3 of yours wait\. Try again in \d+ s\.$/),
  });
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

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { asSmallRequest, ReadShare } from '@/lib/process/read-share';
import { inScanTurn } from './scan-turns';

// One clock for all tests: the turns are those of the process, and their clock never goes back.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterAll(() => void vi.useRealTimers());

const SCANS = 300;

/** Searches of short scans, each one after the other. @returns how many scans of each have ended */
function startSearches(owners: readonly string[]) {
  const scanned = owners.map(() => 0);
  const scan = () => inScanTurn('search', () => new Promise<void>((end) => setTimeout(end, 1)));
  const searches = owners.map((owner, at) =>
    new ReadShare(owner, new AbortController().signal).run(async () => {
      for (let i = 1; i <= SCANS; i++) {
        await scan();
        scanned[at] = i;
      }
    }),
  );
  return { scanned, over: Promise.all(searches) };
}

it.each([0, 1, 200])('with %s small requests that never cease, all searches end', async (many) => {
  let cease: () => void = () => undefined;
  const ceased = new Promise<void>((resolve) => {
    cease = resolve;
  });
  const requests = Array.from({ length: many }, () => asSmallRequest(() => ceased));
  const { scanned, over } = startSearches(['a', 'a', 'a', 'b']);
  // 1,200 scans of 1 ms take 600 ms or more, as two run at a time, and gaps of the same length. A gap of 20 ms for each scan would make it 24 s.
  await vi.advanceTimersByTimeAsync(3_000);
  const inTime = [...scanned];
  cease();
  await Promise.all(requests);
  await vi.advanceTimersByTimeAsync(60_000);
  await over;
  expect(inTime).toEqual([SCANS, SCANS, SCANS, SCANS]);
});

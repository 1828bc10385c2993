import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBackgroundLoop } from '@/lib/process/background-loop';
import { SILENT } from '../worker-types';
import { startMaintenance } from './worker-maintenance';

const refusals = ['BUSY', 'LOADING', 'READONLY', 'MISCONF', 'OOM', 'NOSCRIPT', 'timed out'].map(
  (word) => new Error(word),
);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a background loop', () => {
  it('goes on after every kind of error, and logs the first of a streak and the recovery', async () => {
    let turns = 0;
    const logger = { ...SILENT, warn: vi.fn(), info: vi.fn() };
    const loop = startBackgroundLoop({
      name: 'the test',
      everyMs: 100,
      jitter: 0,
      logger,
      run: async () => {
        const error = refusals[turns++];
        if (error) throw error;
      },
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(turns).toBeGreaterThan(refusals.length);
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(logger.info).toHaveBeenCalledTimes(1);
    await loop.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('newcomer: a streak that lasts is logged once a minute, so that a worker without Redis does not fall silent', async () => {
    const logger = { ...SILENT, warn: vi.fn() };
    const run = () => Promise.reject(new Error('READONLY'));
    const loop = startBackgroundLoop({ name: 'the test', everyMs: 1_000, jitter: 0, logger, run });
    await vi.advanceTimersByTimeAsync(200_000);
    const said = logger.warn.mock.calls.map(([, message]) => message);
    expect(said).toEqual(['the test failed; trying on', ...Array(3).fill('the test still fails; trying on')]);
    await loop.stop();
  });

  it('never runs two turns at once, and stop waits for the one under way', async () => {
    let finish: () => void = () => undefined;
    const run = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const loop = startBackgroundLoop({ name: 'the test', everyMs: 10, logger: SILENT, run });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(run).toHaveBeenCalledTimes(1);
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(stopped).toBe(false);
    finish();
    await stopping;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('waits before its first turn, and as long as a turn says before the next', async () => {
    const at: number[] = [];
    const startedAt = performance.now();
    const loop = startBackgroundLoop({
      name: 'the test',
      everyMs: 1_000,
      firstInMs: 500,
      jitter: 0,
      logger: SILENT,
      run: async () => (at.push(performance.now() - startedAt) === 1 ? 50 : undefined),
    });
    await vi.advanceTimersByTimeAsync(1_600);
    expect(at.map(Math.round)).toEqual([500, 550, 1_550]);
    loop.hasten(10);
    await vi.advanceTimersByTimeAsync(20);
    expect(at).toHaveLength(4);
    await loop.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('spreads its turns by chance', async () => {
    const at: number[] = [];
    const loop = startBackgroundLoop({
      name: 'the test',
      everyMs: 1_000,
      jitter: 0.2,
      random: () => 0,
      logger: SILENT,
      run: async () => void at.push(performance.now()),
    });
    await vi.advanceTimersByTimeAsync(1_700);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeCloseTo(800, -1);
    await loop.stop();
  });
});

describe('maintenance', () => {
  const setUp = (nextAt: number | null, isIdle = true) => {
    const maintain = vi.fn(async (queue: string) => {
      if (queue === 'bad') throw refusals[0];
      return { promoted: 0, reclaimed: 0, expired: 0, nextAt };
    });
    const maintenance = startMaintenance({
      broker: { maintain, maintainDue: () => Promise.reject(new Error('few queues need no look')) },
      queues: ['bad', 'good'],
      random: () => 0.5,
      logger: SILENT,
      redisNowMs: () => 10_000,
      isIdle: () => isIdle,
      onTrouble: () => undefined,
    });
    return { maintain, maintenance };
  };

  it('serves every queue more than once a second, though one fails', async () => {
    const { maintain, maintenance } = setUp(null);
    await vi.advanceTimersByTimeAsync(5_500);
    expect(maintain.mock.calls.filter(([queue]) => queue === 'good')).toHaveLength(7);
    await maintenance.stop();
  });

  it('comes back in time for what falls due, but not more than ten times a second', async () => {
    const soon = setUp(10_300);
    await vi.advanceTimersByTimeAsync(310);
    expect(soon.maintain).toHaveBeenCalledTimes(4);
    await soon.maintenance.stop();
    const always = setUp(10_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(always.maintain.mock.calls.length).toBeLessThanOrEqual(22);
    await always.maintenance.stop();
  });

  it('leaves promoting to the claims of a busy worker', async () => {
    const { maintain, maintenance } = setUp(10_300, false);
    await vi.advanceTimersByTimeAsync(700);
    expect(maintain).toHaveBeenCalledTimes(2);
    await maintenance.stop();
  });
});

import { describe, expect, it } from 'vitest';
import { INITIAL_LIVE_STATE, type LiveEvent, type LiveState, reconnectDelay, reduceLive } from './live-state';

const frame = (now: number, serverNow = now): LiveEvent => ({
  type: 'frame',
  now,
  serverNow,
  noSeat: null,
});
const run = (...events: LiveEvent[]): LiveState => events.reduce(reduceLive, INITIAL_LIVE_STATE);

describe('reduceLive', () => {
  it('is live from the first frame', () => {
    expect(run(frame(10))).toMatchObject({ status: 'live', lastFrameAt: 10 });
  });

  it('polls when the stream is silent, before or after the first frame', () => {
    expect(run({ type: 'silent' }).status).toBe('polling');
    expect(run(frame(10), { type: 'silent' })).toMatchObject({ status: 'polling', lastFrameAt: 10 });
  });

  it('is offline when polls fail too, and says why until data arrive again', () => {
    const failed: LiveEvent = { type: 'poll-failed', problem: 'The console cannot be reached.' };
    const offline = run(frame(10), { type: 'silent' }, failed);
    expect(offline).toMatchObject({
      status: 'offline',
      lastFrameAt: 10,
      problem: 'The console cannot be reached.',
    });
    expect(reduceLive(offline, { type: 'silent' }).status).toBe('offline');
    expect(reduceLive(offline, { type: 'poll-answered', now: 20, serverNow: 20 })).toMatchObject({
      status: 'polling',
      lastFrameAt: 20,
      problem: null,
    });
    expect(reduceLive(offline, frame(30))).toMatchObject({ status: 'live', problem: null });
  });

  it('is not live without a seat, and says why until the stream breaks or there is a seat', () => {
    const crowded = reduceLive(run(frame(10)), {
      type: 'frame',
      now: 20,
      serverNow: 20,
      noSeat: 'taken',
    });
    expect(crowded).toMatchObject({ status: 'polling', noSeat: 'taken', lastFrameAt: 20 });
    const answered: LiveEvent = { type: 'poll-answered', now: 30, serverNow: 30 };
    for (const event of [frame(30), answered, { type: 'suspended' } as const])
      expect(reduceLive(crowded, event).noSeat).toBeNull();
  });

  it('does not claim to be live after it was let go', () => {
    expect(run(frame(10), { type: 'suspended' })).toMatchObject({ status: 'connecting', lastFrameAt: 10 });
  });

  it('measures the offset of the clocks, and ignores the jitter of the network', () => {
    const skewed = run(frame(1_000, 61_000));
    expect(skewed.offsetMs).toBe(60_000);
    expect(reduceLive(skewed, frame(2_000, 61_950)).offsetMs).toBe(60_000);
    expect(reduceLive(skewed, frame(2_000, 92_000)).offsetMs).toBe(90_000);
  });
});

describe('reconnectDelay', () => {
  it('grows to 15 s, and half of it is chance', () => {
    expect(reconnectDelay(1, () => 0)).toBe(500);
    expect(reconnectDelay(1, () => 1)).toBe(1_000);
    expect(reconnectDelay(3, () => 1)).toBe(4_000);
    expect(reconnectDelay(50, () => 1)).toBe(15_000);
    expect(reconnectDelay(50, () => 0)).toBe(7_500);
  });
});

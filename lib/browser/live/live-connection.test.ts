import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { packFrame } from '@/lib/contract/live/frame-patch';
import { frameSchema } from '@/lib/contract/live/live-frame';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { rowsOf } from '@/testing/worlds/queue-snapshot';
import { createFrameReader } from './frame-reader';
import {
  createLiveConnection,
  HIDDEN_MS,
  type LiveConnectionOptions,
  STREAM_TIMEOUT_MS,
  type StreamLike,
} from './live-connection';
import { createLiveStore } from './live-state';
import { FREE_SEATS, type NoSeat } from './stream-seats';

const overview: Overview = {
  at: 1_000,
  ageMs: 0,
  fresh: true,
  redis: { version: null, roundTripMs: null, usedMemoryBytes: null, error: null },
  verdict: { level: 'ok', total: { bad: 0, warn: 0 }, findings: [] },
  ...rowsOf([]),
};
const state = packFrame({
  overview,
  watched: [],
  workers: { at: 1, workers: [] },
  operations: [],
});
const frame = JSON.stringify({ sequence: 7, state });
const changeAfter = (base: number) =>
  JSON.stringify({ sequence: 8, base, patch: { overview: { at: 2_000, ageMs: 3 } } });

class FakeStream implements StreamLike {
  closed = false;
  constructor(readonly url: string) {}
  private readonly listeners = new Map<string, (event: { data?: unknown }) => void>();
  addEventListener(type: string, listener: (event: { data?: unknown }) => void) {
    this.listeners.set(type, listener);
  }
  emit(type: string, data?: unknown) {
    this.listeners.get(type)?.({ data });
  }
  close() {
    this.closed = true;
  }
}

function setup(
  poll: LiveConnectionOptions['poll'] = async () => overview,
  seats: LiveConnectionOptions['seats'] = FREE_SEATS,
) {
  const streams: FakeStream[] = [];
  const watched: string[] = [];
  const store = createLiveStore();
  const onFrame = vi.fn();
  const onSignedOut = vi.fn();
  const pollSpy = vi.fn(poll);
  const connection = createLiveConnection({
    store,
    seats,
    createReader: () => createFrameReader(frameSchema),
    watched: () => watched,
    onFrame,
    onSignedOut,
    poll: pollSpy,
    random: () => 1,
    openStream: (url) => {
      const stream = new FakeStream(url);
      streams.push(stream);
      return stream;
    },
  });
  const last = () => {
    const stream = streams.at(-1);
    if (!stream) throw new Error('no stream was opened');
    return stream;
  };
  return { connection, streams, last, watched, store, onFrame, onSignedOut, poll: pollSpy };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('live connection', () => {
  it('passes frames on and is live', () => {
    const { connection, last, store, onFrame } = setup();
    connection.start();
    last().emit('frame', frame);
    expect(onFrame).toHaveBeenCalledOnce();
    expect(store.get().status).toBe('live');
    connection.stop();
    expect(last().closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('polls at once when the stream breaks, and reconnects by itself', async () => {
    const { connection, streams, last, store, poll } = setup();
    connection.start();
    last().emit('frame', frame);
    last().emit('error');
    await vi.advanceTimersByTimeAsync(0);
    expect(poll).toHaveBeenCalledOnce();
    expect(store.get().status).toBe('polling');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(streams).toHaveLength(2);
    last().emit('frame', frame);
    expect(store.get().status).toBe('live');
    await vi.advanceTimersByTimeAsync(4_000);
    expect(poll).toHaveBeenCalledOnce();
    connection.stop();
  });

  it('takes a silent stream, or one that talks nonsense, for broken', async () => {
    const { connection, last, store } = setup();
    connection.start();
    const first = last();
    await vi.advanceTimersByTimeAsync(STREAM_TIMEOUT_MS);
    expect(first.closed).toBe(true);
    expect(store.get().status).toBe('polling');
    await vi.advanceTimersByTimeAsync(1_000);
    last().emit('frame', frame);
    expect(store.get().status).toBe('live');
    last().emit('frame', '{"not":"a frame"}');
    expect(last().closed).toBe(true);
    expect(store.get().status).toBe('polling');
    connection.stop();
  });

  it('applies changes to the frame before; without that one it begins anew', async () => {
    const { connection, streams, last, store, onFrame } = setup();
    connection.start();
    last().emit('frame', frame);
    last().emit('change', changeAfter(7));
    expect(onFrame.mock.lastCall?.[0].overview).toEqual({ ...overview, at: 2_000, ageMs: 3 });
    last().emit('change', changeAfter(7));
    expect(streams[0]?.closed).toBe(true);
    expect(onFrame).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_000);
    last().emit('frame', frame);
    expect(onFrame.mock.lastCall?.[0].overview).toEqual(overview);
    expect(store.get().status).toBe('live');
    connection.stop();
  });

  it('asks for the queues on show, and stays live while it asks for others; silence counts on', async () => {
    const { connection, streams, last, store, watched } = setup();
    connection.start();
    last().emit('frame', frame);
    await vi.advanceTimersByTimeAsync(STREAM_TIMEOUT_MS - 1);
    watched.push('a', 'b');
    connection.rewatch();
    expect(streams.map(({ url }) => url)).toEqual(['/api/v1/stream', '/api/v1/stream?watch=a%2Cb']);
    expect(streams[0]?.closed).toBe(true);
    expect(store.get().status).toBe('live');
    await vi.advanceTimersByTimeAsync(1);
    expect(store.get().status).toBe('polling');
    connection.stop();
  });

  it('asks for nothing after the stream said that one is signed out, until it is started again', async () => {
    const { connection, streams, last, store, onSignedOut, poll } = setup();
    connection.start();
    last().emit('frame', frame);
    const first = last();
    first.emit('signed-out', '{}');
    expect(onSignedOut).toHaveBeenCalledOnce();
    expect(first.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(poll).not.toHaveBeenCalled();
    expect(streams).toHaveLength(1);
    connection.start();
    last().emit('frame', frame);
    expect(streams).toHaveLength(2);
    expect(store.get().status).toBe('live');
    connection.stop();
  });

  it('never has two polls under way', async () => {
    const pending: (() => void)[] = [];
    const { connection, last, poll } = setup(
      () => new Promise((resolve) => pending.push(() => resolve(overview))),
    );
    connection.start();
    last().emit('error');
    await vi.advanceTimersByTimeAsync(9_000);
    expect(poll).toHaveBeenCalledOnce();
    pending[0]?.();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(poll).toHaveBeenCalledTimes(2);
    connection.stop();
  });

  it('reads a frame every 2 s while other tabs have the streams, says so, and is live once there is a seat', async () => {
    let noSeat: NoSeat | null = 'taken';
    const { connection, streams, last, store, poll, onFrame, watched } = setup(undefined, {
      ...FREE_SEATS,
      take: () => noSeat,
    });
    connection.start();
    for (const frames of [1, 2, 3]) {
      expect(last().closed).toBe(false);
      last().emit('frame', frame);
      expect(last().closed).toBe(true);
      expect(streams).toHaveLength(frames);
      expect(onFrame).toHaveBeenCalledTimes(frames);
      expect(store.get()).toMatchObject({ status: 'polling', noSeat: 'taken' });
      await vi.advanceTimersByTimeAsync(2_500);
      expect(streams).toHaveLength(frames + 1);
    }
    last().emit('frame', frame);
    // Another page is open by now, whose queues are asked for at once.
    watched.push('a');
    connection.rewatch();
    expect(last().url).toBe('/api/v1/stream?watch=a');
    noSeat = null;
    last().emit('frame', frame);
    expect(store.get()).toMatchObject({ status: 'live', noSeat: null });
    expect(last().closed).toBe(false);
    // Too many tabs took seats at once, so one of them lets go.
    noSeat = 'taken';
    last().emit('change', changeAfter(7));
    expect(last().closed).toBe(true);
    expect(store.get()).toMatchObject({ status: 'polling', noSeat: 'taken' });
    expect(poll).not.toHaveBeenCalled();
    connection.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('polls when the one frame of a tab without a seat does not come, and says that instead', async () => {
    const { connection, last, store, poll } = setup(undefined, { ...FREE_SEATS, take: () => 'taken' });
    connection.start();
    last().emit('frame', frame);
    await vi.advanceTimersByTimeAsync(2_500);
    await vi.advanceTimersByTimeAsync(STREAM_TIMEOUT_MS);
    expect(poll).toHaveBeenCalledOnce();
    expect(store.get()).toMatchObject({ status: 'polling', noSeat: null });
    await vi.advanceTimersByTimeAsync(1_000);
    last().emit('frame', frame);
    expect(store.get()).toMatchObject({ status: 'polling', noSeat: 'taken' });
    connection.stop();
  });

  it('is offline when polls fail too', async () => {
    const { connection, last, store } = setup(() =>
      Promise.reject(new Error('The console cannot be reached.')),
    );
    connection.start();
    last().emit('error');
    await vi.advanceTimersByTimeAsync(0);
    expect(store.get()).toMatchObject({ status: 'offline', problem: 'The console cannot be reached.' });
    connection.stop();
  });

  it('lets go of stream and seat within seconds of being hidden, and is back at once', async () => {
    const seats = { take: () => null, leave: vi.fn() };
    const { connection, streams, last, store } = setup(undefined, seats);
    connection.start();
    last().emit('frame', frame);
    connection.setVisible(false);
    for (let seconds = 0; seconds < HIDDEN_MS / 1_000; seconds += 4) {
      last().emit('frame', frame);
      await vi.advanceTimersByTimeAsync(4_000);
    }
    expect(last().closed).toBe(true);
    expect(seats.leave).toHaveBeenCalledOnce();
    expect(store.get().status).toBe('connecting');
    expect(vi.getTimerCount()).toBe(0);
    connection.setVisible(true);
    expect(streams).toHaveLength(2);
    connection.stop();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { runningJob } from '../fixture-jobs';
import type { RunningJob } from '../run/running-job';
import type { WorkerBroker } from '../worker-types';
import { createHeartbeat } from './heartbeat';

const LEASE_MS = 3_000;
type Extend = WorkerBroker['extend'];

function setUp(extend: Extend) {
  const inHand = new Set<RunningJob>();
  const onLost = vi.fn();
  const onTrouble = vi.fn();
  const clock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };
  const heartbeat = createHeartbeat({
    broker: { extend },
    inHand,
    clock,
    leaseMs: () => LEASE_MS,
    onAnswered: () => undefined,
    onLost,
    onTrouble,
  });
  const take = (jobId: string, queue = 'q') => {
    const job = runningJob({ jobId, queue, leaseEndsAtMs: performance.now() + LEASE_MS });
    inHand.add(job);
    heartbeat.watch(job);
    return job;
  };
  return { inHand, onLost, onTrouble, heartbeat, take };
}
const alive: Extend = async (_, items) => items.map(() => 'extended');

describe('the heartbeat', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('extends all leases of a queue in one call, three times a lease, and keeps them for as long as it takes', async () => {
    const extend = vi.fn(alive);
    const { take, onLost } = setUp(extend);
    const jobs = [take('a'), take('b'), take('c', 'other')];
    await vi.advanceTimersByTimeAsync(LEASE_MS * 10);
    expect(onLost).not.toHaveBeenCalled();
    expect(extend.mock.calls.filter(([queue]) => queue === 'q').length).toBeGreaterThanOrEqual(28);
    expect(extend.mock.calls[0]?.[1]).toHaveLength(2);
    expect(jobs.every((job) => job.leaseEndsAtMs > performance.now())).toBe(true);
  });

  it('is silent while nothing runs', async () => {
    const extend = vi.fn(alive);
    const { take, inHand } = setUp(extend);
    inHand.delete(take('a'));
    await vi.advanceTimersByTimeAsync(LEASE_MS * 10);
    expect(extend.mock.calls.length).toBeLessThanOrEqual(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts exactly the job whose lease Redis says is lost', async () => {
    const { take, onLost } = setUp(async (_, items) =>
      items.map(({ jobId }) => (jobId === 'b' ? 'stale' : 'extended')),
    );
    const [a, b] = [take('a'), take('b')];
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(onLost.mock.calls).toEqual([[b]]);
    expect(b.signal.reason).toMatchObject({ reason: 'lease-lost' });
    expect(a.signal.aborted).toBe(false);
  });

  it('aborts when Redis stays out of reach until the lease is certainly over, and not before', async () => {
    const { take, onLost, onTrouble } = setUp(() =>
      Promise.reject(new RedriveError('REDIS_UNAVAILABLE', 'away')),
    );
    const job = take('a');
    await vi.advanceTimersByTimeAsync(LEASE_MS - 5);
    expect(job.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(job.signal.reason).toMatchObject({ reason: 'lease-lost' });
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(onTrouble).toHaveBeenCalled();
  });

  it('does so too when calls hang instead of failing, and hangs up one at a time', async () => {
    const extend = vi.fn<Extend>(() => new Promise(() => undefined));
    const { take } = setUp(extend);
    const job = take('a');
    await vi.advanceTimersByTimeAsync(LEASE_MS + 5);
    expect(job.lost).toBe(true);
    expect(extend).toHaveBeenCalledTimes(1);
  });

  it('leaves alone a job whose end is on its way to Redis', async () => {
    const { take, onLost } = setUp(async (_, items) => items.map(() => 'stale'));
    const job = take('a');
    job.ending = true;
    await vi.advanceTimersByTimeAsync(LEASE_MS * 2);
    expect(onLost).not.toHaveBeenCalled();
    expect(job.signal.aborted).toBe(false);
  });

  it('goes on extending a job whose end is on its way: that may take longer than a lease', async () => {
    const extend = vi.fn(alive);
    const { take } = setUp(extend);
    const job = take('a');
    job.ending = true;
    const leaseEndsAtMs = job.leaseEndsAtMs;
    await vi.advanceTimersByTimeAsync(LEASE_MS * 5);
    expect(extend.mock.calls.length).toBeGreaterThan(10);
    expect(job.leaseEndsAtMs).toBeGreaterThan(leaseEndsAtMs + LEASE_MS * 4);
  });

  it('aborts a run at its timeout, to the millisecond, and leaves its lease alone', async () => {
    const { take, heartbeat, onLost } = setUp(vi.fn(alive));
    const [late, later, ended] = [take('a'), take('b'), take('c')];
    late.timeoutAtMs = performance.now() + 40;
    later.timeoutAtMs = performance.now() + 60;
    ended.timeoutAtMs = performance.now() + 20;
    for (const job of [later, late, ended]) heartbeat.watch(job);
    ended.close();
    await vi.advanceTimersByTimeAsync(39);
    expect(late.abortedBecause).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(late.abortedBecause).toBe('timeout');
    expect(later.abortedBecause).toBeNull();
    await vi.advanceTimersByTimeAsync(20);
    expect([later, ended].map((job) => job.abortedBecause)).toEqual(['timeout', null]);
    expect(onLost).not.toHaveBeenCalled();
  });

  it('beats on after every kind of refusal', async () => {
    let calls = 0;
    const { take, onLost } = setUp(async (queue, items, leaseMs) => {
      calls += 1;
      if (calls % 2 === 1) throw new RedriveError('REDIS_UNAVAILABLE', 'BUSY');
      return alive(queue, items, leaseMs);
    });
    take('a');
    await vi.advanceTimersByTimeAsync(LEASE_MS * 10);
    expect(onLost).not.toHaveBeenCalled();
  });
});

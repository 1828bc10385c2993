import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { claimedJob } from '../fixture-jobs';
import { createDeadlines } from '../worker-deadline';
import type { ClaimResult, WorkerBroker, WorkerEvent } from '../worker-types';
import { createClaimPool } from './claim-pool';
import { createClaimer } from './claimer';

const EMPTY: ClaimResult = { jobs: [], paused: false, more: false, nextAt: null, now: 1_000 };
type Claim = WorkerBroker['claim'];

/** A pool over a scripted Redis. Time is faked, so that backoff takes none. */
function setUp(options: {
  queues?: Record<string, number>;
  slots?: number;
  claim: Claim;
  claimBehindWait?: WorkerBroker['claimBehindWait'];
  leaseMs?: number;
  abandon?: WorkerBroker['abandon'];
}) {
  const events: WorkerEvent[] = [];
  const taken: string[] = [];
  let slots = options.slots ?? 4;
  let wake: (queue: string | null) => void = () => undefined;
  const waits: { queues: readonly string[]; timeoutMs: number }[] = [];
  const clock = { wallMs: () => 0, monotonicMs: () => performance.now() };
  const abandon = vi.fn(options.abandon ?? (async () => 0));
  const claimer = createClaimer({
    broker: {
      claim: options.claim,
      claimBehindWait: options.claimBehindWait ?? (() => null),
      abandon,
      exchange: () => Promise.reject(new Error('no acks here')),
    },
    takeAcks: () => null,
    workerId: 'w',
    clock,
    random: () => 0,
    leaseMs: () => options.leaseMs ?? 15_000,
    deadlines: createDeadlines(8_000),
    onClock: () => undefined,
    onTrouble: (where, error) => events.push({ type: 'trouble', where, error }),
  });
  const waiter = {
    wait: (queues: readonly string[], timeoutMs: number) => {
      waits.push({ queues, timeoutMs });
      return new Promise<string | null>((resolve) => (wake = resolve));
    },
    interrupt: () => wake(null),
    close: () => undefined,
  };
  const pool = createClaimPool({
    queues: options.queues ?? { a: 6, b: 3, c: 1 },
    claimer,
    waiter,
    clock,
    random: () => 0,
    freeCapacity: () => slots,
    onClaimed: (jobs) => {
      taken.push(...jobs.map(({ jobId }) => jobId));
      slots -= jobs.length;
    },
    onFilled: () => undefined,
    onEvent: (event) => events.push(event),
  });
  const finished = pool.run();
  return {
    events,
    taken,
    waits,
    abandon,
    wake: (queue: string) => wake(queue),
    free: (n: number) => {
      slots += n;
      pool.fill();
    },
    pause: () => pool.pause(),
    resume: () => pool.resume(),
    stop: () => {
      pool.stop();
      return finished;
    },
  };
}

describe('the pool', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('asks every queue before it idles, and then waits for all of them without asking again', async () => {
    const claim = vi.fn<Claim>(async () => EMPTY);
    const { waits, stop } = setUp({ claim });
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    expect(claim.mock.calls.map(([queue]) => queue).sort()).toEqual(['a', 'b', 'c']);
    expect(waits[0]).toEqual({ queues: ['a', 'b', 'c'], timeoutMs: 5_000 });
    await stop();
  });

  it('waits no longer than until something falls due', async () => {
    const { waits, stop } = setUp({
      claim: async (queue) => ({ ...EMPTY, nextAt: queue === 'b' ? 1_700 : null }),
    });
    await vi.waitFor(() => expect(waits[0]?.timeoutMs).toBe(700));
    await stop();
  });

  it('claims as soon as it is woken', async () => {
    let jobs = [claimedJob({ jobId: 'j1' })];
    const { waits, taken, wake, stop } = setUp({
      claim: async (queue) =>
        queue === 'c' && waits.length > 0 ? { ...EMPTY, jobs: jobs.splice(0) } : EMPTY,
    });
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    wake('c');
    await vi.waitFor(() => expect(taken).toEqual(['j1']));
    jobs = [];
    await stop();
  });

  it('asks only the queue that woke it, and those in which something fell due', async () => {
    let nextAt: number | null = EMPTY.now + 700;
    const claim = vi.fn<Claim>(async (queue) => (queue === 'b' ? { ...EMPTY, nextAt } : EMPTY));
    const { waits, wake, stop } = setUp({ claim });
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    const askedOnWake = async (queue: string) => {
      const [asked, waited] = [claim.mock.calls.length, waits.length];
      wake(queue);
      await vi.waitFor(() => expect(waits.length).toBeGreaterThan(waited));
      return claim.mock.calls.slice(asked).map(([name]) => name);
    };
    expect(await askedOnWake('c')).toEqual(['c']);
    nextAt = null;
    vi.advanceTimersByTime(700);
    expect(await askedOnWake('c')).toEqual(['b', 'c']);
    await stop();
  });

  it('never asks for more than its free slots, all queues together, and fills every slot', async () => {
    let slots = 7;
    let most = 0;
    let asked = 0;
    let n = 0;
    const { taken, free, stop } = setUp({
      slots,
      claim: async (_, { count = 1 }) => {
        asked += count;
        most = Math.max(most, asked - slots);
        await Promise.resolve();
        asked -= count;
        slots -= count;
        return {
          ...EMPTY,
          more: true,
          jobs: Array.from({ length: count }, () => claimedJob({ jobId: `j${n++}` })),
        };
      },
    });
    await vi.waitFor(() => expect(taken).toHaveLength(7));
    slots += 2;
    free(2);
    await vi.waitFor(() => expect(taken).toHaveLength(9));
    expect(most).toBeLessThanOrEqual(0);
    await stop();
  });

  it('is back for the next token of a rate limit in time, which a blocking wait would not be', async () => {
    let claims = 0;
    const { waits, stop } = setUp({
      queues: { limited: 1 },
      claim: async () => {
        claims += 1;
        return { ...EMPTY, nextAt: EMPTY.now + 20 };
      },
    });
    await vi.advanceTimersByTimeAsync(200);
    expect(waits).toEqual([]);
    expect(claims).toBeGreaterThanOrEqual(8);
    expect(claims).toBeLessThanOrEqual(12);
    await stop();
  });

  it.each([
    ['BUSY', new RedriveError('REDIS_UNAVAILABLE', 'BUSY')],
    ['LOADING', new RedriveError('REDIS_UNAVAILABLE', 'LOADING')],
    ['READONLY', new RedriveError('REDIS_UNAVAILABLE', 'READONLY')],
    ['MISCONF', new RedriveError('REDIS_UNAVAILABLE', 'MISCONF')],
    ['OOM', new RedriveError('REDIS_FULL', 'OOM')],
    ['a timeout', new RedriveError('UNKNOWN_OUTCOME', 'timed out')],
    ['a defect', new Error('claim: expected a list')],
  ])('goes on after %s', async (_, error) => {
    let calls = 0;
    const { taken, events, stop } = setUp({
      queues: { a: 1 },
      claim: async () => {
        calls += 1;
        if (calls <= 3) throw error;
        return calls === 4 ? { ...EMPTY, jobs: [claimedJob({ jobId: 'j' })] } : EMPTY;
      },
    });
    await vi.waitFor(() => expect(taken).toEqual(['j']), { timeout: 5_000 });
    expect(events.filter(({ type }) => type === 'trouble')).toHaveLength(3);
    await stop();
  });

  it('keeps serving the other queues while one fails', async () => {
    let n = 0;
    const { taken, stop } = setUp({
      queues: { bad: 9, good: 1 },
      slots: 5,
      claim: async (queue) => {
        if (queue === 'bad') throw new Error('WRONGTYPE');
        return { ...EMPTY, more: true, jobs: [claimedJob({ jobId: `j${n++}` })] };
      },
    });
    await vi.waitFor(() => expect(taken).toHaveLength(5));
    await stop();
  });

  it('claims nothing while it is paused, whatever becomes free or wakes it, and at once when it is resumed', async () => {
    const claim = vi.fn<Claim>(async () => EMPTY);
    const { waits, pause, resume, wake, free, stop } = setUp({ queues: { a: 1 }, claim });
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    const before = claim.mock.calls.length;
    pause();
    wake('a');
    free(3);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(claim).toHaveBeenCalledTimes(before);
    expect(waits).toHaveLength(1);
    resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(claim).toHaveBeenCalledTimes(before + 1);
    await vi.waitFor(() => expect(waits).toHaveLength(2));
    await stop();
  });

  it('stops while it is paused', async () => {
    const { waits, pause, stop } = setUp({ queues: { a: 1 }, claim: async () => EMPTY });
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    pause();
    await stop();
  });

  it('gives back what a lost reply may have claimed before it claims again', async () => {
    const log: string[] = [];
    let lostNonce = '';
    let abandons = 0;
    const { stop, abandon } = setUp({
      queues: { a: 1 },
      claim: async (_, { nonce = '' }) => {
        log.push('claim');
        if (lostNonce) return EMPTY;
        lostNonce = nonce;
        throw new RedriveError('UNKNOWN_OUTCOME', 'lost');
      },
      abandon: async () => {
        abandons += 1;
        log.push(abandons === 1 ? 'abandon fails' : 'abandon');
        if (abandons === 1) throw new RedriveError('REDIS_UNAVAILABLE', 'away');
        return 1;
      },
    });
    await vi.waitFor(() => expect(log).toEqual(['claim', 'abandon fails', 'abandon', 'claim']), {
      timeout: 5_000,
    });
    expect(abandon.mock.calls).toEqual([
      ['a', lostNonce, { unindexed: true }],
      ['a', lostNonce, { unindexed: true }],
    ]);
    await stop();
  });

  describe('with a claim behind its wait', () => {
    type Behind = NonNullable<ReturnType<WorkerBroker['claimBehindWait']>>;
    /** One queue, nothing in it at first; what stands behind each wait comes from the test. */
    function idlePool(results: Behind['result'][], rest: Partial<Parameters<typeof setUp>[0]> = {}) {
      const claim = vi.fn<Claim>(async () => EMPTY);
      const claimBehindWait = vi.fn<WorkerBroker['claimBehindWait']>(() => {
        const result = results.shift();
        return result ? { send: () => undefined, result } : null;
      });
      return { claim, claimBehindWait, ...setUp({ queues: { a: 1 }, claim, claimBehindWait, ...rest }) };
    }

    it('starts what that brought, and claims for the rest', async () => {
      const { claim, claimBehindWait, waits, taken, wake, stop } = idlePool([
        async () => ({ ...EMPTY, more: true, jobs: [claimedJob({ jobId: 'j1' })] }),
      ]);
      await vi.waitFor(() => expect(waits).toHaveLength(1));
      expect(claim).toHaveBeenCalledTimes(1);
      expect(claimBehindWait.mock.calls[0]?.[1]).toMatchObject({ count: 4, leaseMs: 15_000 });
      wake('a');
      await vi.waitFor(() => expect(waits).toHaveLength(2));
      expect(taken).toEqual(['j1']);
      expect(claim.mock.calls.map(([, { count }]) => count)).toEqual([4, 3]);
      await stop();
    });

    it('claims as usual where that did nothing', async () => {
      const { claim, waits, wake, stop } = idlePool([async () => null]);
      await vi.waitFor(() => expect(waits).toHaveLength(1));
      wake('a');
      await vi.waitFor(() => expect(claim).toHaveBeenCalledTimes(2));
      await stop();
    });

    it('gives back what that may have claimed, before it claims again', async () => {
      const { abandon, claimBehindWait, claim, events, waits, wake, stop } = idlePool([
        () => Promise.reject(new RedriveError('UNKNOWN_OUTCOME', 'lost')),
      ]);
      await vi.waitFor(() => expect(waits).toHaveLength(1));
      wake('a');
      await vi.waitFor(() => expect(claim).toHaveBeenCalledTimes(2));
      const nonce = claimBehindWait.mock.calls[0]?.[1].nonce;
      expect(abandon.mock.calls).toEqual([['a', nonce, { unindexed: true }]]);
      expect(events.filter(({ type }) => type === 'trouble')).toHaveLength(1);
      await stop();
    });

    it('is no trouble when the worker stops', async () => {
      const { events, waits, stop } = idlePool([
        () => Promise.reject(new RedriveError('UNKNOWN_OUTCOME', 'lost')),
      ]);
      await vi.waitFor(() => expect(waits).toHaveLength(1));
      await stop();
      expect(events.filter(({ type }) => type === 'trouble')).toEqual([]);
    });

    it('has none where the wait may take too much of a lease', async () => {
      const { claimBehindWait, waits, stop } = idlePool([], { leaseMs: 14_000 });
      await vi.waitFor(() => expect(waits).toHaveLength(1));
      expect(claimBehindWait).not.toHaveBeenCalled();
      await stop();
    });
  });
});

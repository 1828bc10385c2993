import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  Breaker,
  type BreakerState,
  breakerOptionsSchema,
  type CallOutcome,
  type Ticket,
} from './circuit-breaker';

const OPTIONS = {
  failureThreshold: 3,
  failureRatio: 0.5,
  windowMs: 1_000,
  cooldownMs: 200,
  cooldownMaxMs: 700,
};

function setUp(options = OPTIONS) {
  let nowMs = 12_345;
  const changes: BreakerState[] = [];
  const breaker = new Breaker(
    options,
    () => nowMs,
    (state) => changes.push(state),
  );
  const admitted = (): Ticket => {
    const admission = breaker.admit();
    if (!('ticket' in admission)) throw new Error(`refused for ${admission.waitMs} ms`);
    return admission.ticket;
  };
  const call = (outcome: CallOutcome, retryAfterMs?: number) =>
    breaker.settle(admitted(), outcome, retryAfterMs);
  return { breaker, changes, admitted, call, later: (ms: number) => (nowMs += ms) };
}
/** For how long it refuses; 0: it does not. */
const waitMs = (breaker: Breaker) => {
  const admission = breaker.admit();
  return 'waitMs' in admission ? admission.waitMs : 0;
};

describe('a breaker', () => {
  it('goes round: closed, open, half-open, open for twice as long, half-open, closed', () => {
    const { breaker, call, changes, later } = setUp();
    for (let i = 0; i < 3; i++) call('failure');
    expect(waitMs(breaker)).toBe(200);
    later(199);
    expect(waitMs(breaker)).toBe(1);
    later(1);
    call('failure');
    expect(waitMs(breaker)).toBe(400);
    later(400);
    call('failure');
    // Up to the cap.
    expect(waitMs(breaker)).toBe(700);
    later(700);
    call('success');
    expect(breaker.view()).toMatchObject({ state: 'closed', failures: 0, retryInMs: null });
    expect(changes).toEqual(['open', 'half-open', 'open', 'half-open', 'open', 'half-open', 'closed']);
    // Anew, from the first cooldown.
    for (let i = 0; i < 3; i++) call('failure');
    expect(waitMs(breaker)).toBe(200);
  });

  it('lets one trial through at a time; one that says nothing makes room for the next', () => {
    const { breaker, call, admitted, later } = setUp();
    for (let i = 0; i < 3; i++) call('failure');
    later(200);
    const trial = admitted();
    expect(waitMs(breaker)).toBe(50);
    breaker.settle(trial, 'neutral');
    const next = admitted();
    expect(waitMs(breaker)).toBeGreaterThan(0);
    // A trial counts once.
    breaker.settle(trial, 'failure');
    breaker.settle(next, 'success');
    breaker.settle(next, 'failure');
    expect(breaker.view().state).toBe('closed');
  });

  it('does not listen to runs that started before it last changed', () => {
    const { breaker, call, admitted, later } = setUp();
    const slow = [admitted(), admitted(), admitted()];
    for (let i = 0; i < 3; i++) call('failure');
    breaker.settle(slow[0] as Ticket, 'success');
    expect(breaker.view().state).toBe('open');
    later(200);
    call('success');
    for (const ticket of slow) breaker.settle(ticket, 'failure');
    expect(breaker.view()).toMatchObject({ state: 'closed', failures: 0 });
  });

  it('stays closed while failures are a small share, and forgets those that are old', () => {
    const { breaker, call, later } = setUp();
    for (let i = 0; i < 50; i++) {
      call('success');
      call('success');
      call('failure');
    }
    expect(breaker.view()).toMatchObject({ state: 'closed', failures: 50 });
    later(1_000);
    expect(breaker.view().failures).toBe(0);
    for (let i = 0; i < 2; i++) call('failure');
    later(1_000);
    for (let i = 0; i < 2; i++) call('failure');
    expect(breaker.view()).toMatchObject({ state: 'closed', failures: 2 });
    const any = setUp({ ...OPTIONS, failureRatio: 0 });
    for (let i = 0; i < 100; i++) any.call('success');
    for (let i = 0; i < 3; i++) any.call('failure');
    expect(any.breaker.view().state).toBe('open');
  });

  it('waits as long as the other side asked, up to the longest cooldown', () => {
    for (const [askedMs, expected] of [
      [500, 500],
      [50, 200],
      [9e9, 700],
      [Number.NaN, 200],
    ] as const) {
      const { breaker, call } = setUp();
      for (let i = 0; i < 3; i++) call('failure', askedMs);
      expect(waitMs(breaker)).toBe(expected);
    }
  });

  it('refuses options that make no sense, by name', () => {
    for (const bad of [
      { failureThreshold: 0 },
      { failureRatio: 1.1 },
      { windowMs: 1 },
      { cooldownMs: 1 },
      { cooldownMaxMs: 20 },
      { typo: 1 },
    ])
      expect(breakerOptionsSchema.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
    expect(breakerOptionsSchema.parse({})).toMatchObject({ failureThreshold: 5, cooldownMs: 10_000 });
  });
});

describe('whatever happens to it', () => {
  type Step = ['start'] | ['end', number, CallOutcome] | ['later', number];
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Step>(['start']) },
      {
        weight: 4,
        arbitrary: fc.tuple(
          fc.constant('end' as const),
          fc.nat(20),
          fc.constantFrom<CallOutcome>('success', 'failure', 'failure', 'neutral'),
        ) as fc.Arbitrary<Step>,
      },
      {
        weight: 2,
        arbitrary: fc.tuple(
          fc.constant('later' as const),
          fc.integer({ min: 0, max: 500 }),
        ) as fc.Arbitrary<Step>,
      },
    ),
    { maxLength: 200 },
  );

  it('keeps its word', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let nowMs = 0;
        const onChange = vi.fn();
        const breaker = new Breaker(OPTIONS, () => nowMs, onChange);
        const running: Ticket[] = [];
        const failedAtMs: number[] = [];
        let trial: Ticket | null = null;
        let refusedUntilMs = 0;
        for (const step of list) {
          const before = breaker.view().state;
          if (step[0] === 'later') nowMs += step[1];
          if (step[0] === 'start') {
            const admission = breaker.admit();
            if ('ticket' in admission) {
              // Nothing goes through before the time it named itself, and in half-open only one at a time.
              expect(nowMs).toBeGreaterThanOrEqual(refusedUntilMs);
              if (before !== 'closed') {
                expect(admission.ticket.trial).toBe(true);
                expect(trial).toBeNull();
                trial = admission.ticket;
              }
              running.push(admission.ticket);
            } else {
              expect(before).not.toBe('closed');
              expect(admission.waitMs).toBeGreaterThan(0);
              expect(admission.waitMs).toBeLessThanOrEqual(OPTIONS.cooldownMaxMs);
              if (before === 'open') refusedUntilMs = nowMs + admission.waitMs;
            }
          }
          if (step[0] === 'end' && running.length > 0) {
            const [ticket] = running.splice(step[1] % running.length, 1);
            if (!ticket) continue;
            if (step[2] === 'failure') failedAtMs.push(nowMs);
            breaker.settle(ticket, step[2]);
            if (ticket === trial) {
              trial = null;
              refusedUntilMs = 0;
              expect(breaker.view().state).toBe(step[2] === 'success' ? 'closed' : 'open');
            } else if (before !== 'closed') expect(breaker.view().state).toBe(before);
            else if (breaker.view().state === 'open') {
              // It opens only on as many failures as it was told, none of them older than the window.
              const young = failedAtMs.filter((at) => nowMs - at <= OPTIONS.windowMs);
              expect(young.length).toBeGreaterThanOrEqual(OPTIONS.failureThreshold);
            }
          }
          const { state, retryInMs, failures } = breaker.view();
          expect(retryInMs === null).toBe(state === 'closed');
          expect(failures).toBeGreaterThanOrEqual(0);
          expect((state === 'half-open') === (trial !== null)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

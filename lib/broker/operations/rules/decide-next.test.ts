import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AutomaticStop,
  type Canary,
  canarySchema,
  rateSchema,
  stopSchema,
} from '@/lib/contract/operations/operation-request';
import { decideNext, type EndedCounts, freshControl, phaseOf, type Situation } from './decide-next';

const UNHURRIED = rateSchema.parse({});
const NONE: EndedCounts = { completed: 0, diedAgain: 0, withdrawn: 0 };
const canary = (part: Partial<Canary> = {}): Canary => canarySchema.parse({ jobs: 10, ...part });
const stop = (part: Partial<AutomaticStop> = {}): AutomaticStop =>
  stopSchema.parse({ maxDiedAgain: 0.1, windowMs: 60_000, ...part });
const situation = (part: Partial<Situation> = {}): Situation => ({
  now: 1_000,
  rate: UNHURRIED,
  canary: null,
  stop: null,
  control: freshControl(0),
  moved: 0,
  left: true,
  ended: null,
  ...part,
});

describe('an operation', () => {
  it('moves as fast as it goes when nothing is said, and is over when nothing is left', () => {
    expect(decideNext(situation()).next).toEqual({ act: 'move', atMost: Number.MAX_SAFE_INTEGER });
    expect(decideNext(situation({ left: false })).next).toEqual({ act: 'complete' });
    // A canary of more jobs than there are needs no verdict: there is nothing to go on with.
    expect(decideNext(situation({ canary: canary(), moved: 4, left: false })).next.act).toBe('complete');
  });
});

describe('a canary', () => {
  it('moves no more than was said, then waits for what becomes of them', () => {
    const plan = situation({ canary: canary() });
    expect(decideNext(plan).next).toEqual({ act: 'move', atMost: 10 });
    expect(decideNext({ ...plan, moved: 7 }).next).toEqual({ act: 'move', atMost: 3 });
    const waiting = decideNext({ ...plan, moved: 10, ended: NONE });
    expect(waiting.next.act).toBe('wait');
    expect(phaseOf({ ...plan, moved: 10 })).toBe('canary-wait');
  });

  it('is judged by itself: an automatic stop comes after it, or resuming would run into the canary again', () => {
    const ended = { completed: 0, diedAgain: 10, withdrawn: 0 };
    const plan = situation({ canary: canary(), stop: stop({ minEnded: 1 }), moved: 10, ended });
    expect(decideNext(plan).next).toMatchObject({ act: 'pause', by: 'canary' });
    expect(decideNext({ ...plan, canary: null }).next).toMatchObject({ act: 'pause', by: 'died-again' });
  });

  it('after a failed one counts its own jobs alone', () => {
    const canaryFrom = { moved: 10, completed: 2, diedAgain: 8, withdrawn: 0 };
    const plan = situation({ canary: canary(), control: { ...freshControl(0), canaryFrom }, moved: 10 });
    expect(phaseOf(plan)).toBe('canary');
    expect(decideNext(plan).next).toEqual({ act: 'move', atMost: 10 });
    expect(decideNext({ ...plan, moved: 16 }).next).toEqual({ act: 'move', atMost: 4 });
    const ended = (completed: number, diedAgain: number) =>
      decideNext({ ...plan, moved: 20, ended: { completed, diedAgain, withdrawn: 0 } });
    expect(ended(7, 8).next.act).toBe('wait');
    expect(ended(12, 8)).toMatchObject({ next: { act: 'move' }, canaryPassed: true });
    expect(ended(2, 18).next).toMatchObject({
      act: 'pause',
      by: 'canary',
      sentence: expect.stringContaining('of 10, 10 died again'),
    });
  });

  it.each<[string, Partial<Canary>, EndedCounts, RegExp | 'move' | 'wait']>([
    ['goes on when all completed', {}, { completed: 10, diedAgain: 0, withdrawn: 0 }, 'move'],
    ['stops as soon as one too many died', {}, { completed: 2, diedAgain: 1, withdrawn: 0 }, /1 died again/],
    ['bears what it may bear', { maxDiedAgain: 0.2 }, { completed: 8, diedAgain: 2, withdrawn: 0 }, 'move'],
    ['and no more', { maxDiedAgain: 0.2 }, { completed: 7, diedAgain: 3, withdrawn: 0 }, /at most 20%/],
    ['waits while some run', { maxDiedAgain: 0.2 }, { completed: 7, diedAgain: 2, withdrawn: 0 }, 'wait'],
    ['leaves out what was taken back', {}, { completed: 6, diedAgain: 0, withdrawn: 4 }, 'move'],
    [
      'judges the rest of them',
      { maxDiedAgain: 0.2 },
      { completed: 4, diedAgain: 2, withdrawn: 4 },
      /died again/,
    ],
    ['says so when none of it ran', {}, { completed: 0, diedAgain: 0, withdrawn: 10 }, /says nothing/],
  ])('%s', (_, part, ended, expected) => {
    const { next, canaryPassed, control } = decideNext(situation({ canary: canary(part), moved: 10, ended }));
    if (typeof expected === 'string') expect(next.act).toBe(expected);
    else
      expect(next).toMatchObject({ act: 'pause', by: 'canary', sentence: expect.stringMatching(expected) });
    expect(canaryPassed).toBe(expected === 'move');
    expect(control.canaryDone).toBe(expected === 'move');
  });

  it('pauses when its time is up, and says what to look at', () => {
    const plan = situation({
      canary: canary({ waitMs: 60_000 }),
      moved: 10,
      ended: { ...NONE, completed: 3 },
    });
    const first = decideNext(plan);
    expect(first.next.act).toBe('wait');
    const later = { ...plan, control: first.control, now: plan.now + 60_000 };
    expect(decideNext(later).next).toMatchObject({
      act: 'pause',
      by: 'canary',
      sentence: expect.stringMatching(/within 1 min.*3 ended/),
    });
    // What became of them could not be read: that is no verdict.
    expect(decideNext({ ...later, ended: null }).next.act).toBe('wait');
  });

  it('is never exceeded, and nothing follows it before all of it has ended well, whoever takes over when', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(
          fc.record({
            waitMs: fc.nat(2_000),
            takes: fc.double({ min: 0, max: 1, noNaN: true }),
            ends: fc.nat(20),
            dies: fc.boolean(),
            forgets: fc.boolean(),
          }),
          { maxLength: 80 },
        ),
        fc.boolean(),
        (size, maxDiedAgain, turns, paced) => {
          const plan = canary({ jobs: size, maxDiedAgain, waitMs: 3_600_000 });
          let control = freshControl(0);
          const written = control;
          let [now, moved, completed, diedAgain, paused] = [0, 0, 0, 0, false];
          for (const turn of turns) {
            now += turn.waitMs;
            // A runner that takes over knows what was written at the start, and nothing since.
            if (turn.forgets && !control.canaryDone) control = written;
            const before = { completed, diedAgain, withdrawn: 0 };
            const decided = decideNext(
              situation({
                now,
                control,
                moved,
                canary: plan,
                rate: paced ? rateSchema.parse({ perSecond: 10 }) : UNHURRIED,
                ended: before,
              }),
            );
            control = decided.control;
            if (decided.next.act === 'pause') {
              paused = true;
              break;
            }
            if (decided.next.act === 'move') {
              if (moved >= size) {
                expect(completed + diedAgain).toBeGreaterThanOrEqual(size);
                break;
              }
              moved += Math.ceil(Math.min(decided.next.atMost, 1_000) * turn.takes);
              expect(moved).toBeLessThanOrEqual(size);
            }
            const ending = Math.min(turn.ends, moved - completed - diedAgain);
            if (turn.dies) diedAgain += ending;
            else completed += ending;
          }
          if (paused) expect(diedAgain / (completed + diedAgain)).toBeGreaterThan(maxDiedAgain);
        },
      ),
    );
  });
});

describe('the automatic stop', () => {
  it('pauses when too many of those that ended within the window died again', () => {
    let control = freshControl(0);
    let ended: EndedCounts = NONE;
    const at = (now: number, completed: number, diedAgain: number) => {
      ended = { completed, diedAgain, withdrawn: 0 };
      const decided = decideNext(situation({ now, stop: stop(), control, moved: 1_000, ended }));
      control = decided.control;
      return decided.next;
    };
    expect(at(5_000, 9, 0).act).toBe('move');
    expect(at(10_000, 90, 5).act).toBe('move');
    // 5 % of all, but 40 of the 50 of the last minute.
    expect(at(100_000, 900, 5).act).toBe('move');
    expect(at(165_000, 910, 45)).toMatchObject({
      act: 'pause',
      by: 'died-again',
      sentence: expect.stringMatching(/of 50 .*40 died again \(80%\)/),
    });
  });

  it('says nothing about few, and forgets what is older than the window', () => {
    const control = freshControl(0);
    const judge = (now: number, ended: Partial<EndedCounts>, from = control) =>
      decideNext(
        situation({
          now,
          stop: stop({ minEnded: 10 }),
          control: from,
          moved: 100,
          ended: { ...NONE, ...ended },
        }),
      );
    expect(judge(1_000, { diedAgain: 9 }).next.act).toBe('move');
    expect(judge(1_000, { diedAgain: 10 }).next.act).toBe('pause');
    // Died 9, long ago; one more now is one in this window.
    const old = judge(1_000, { diedAgain: 9 }).control;
    const aged = { ...old, samples: [{ at: 3_000, completed: 0, diedAgain: 9 }] };
    expect(judge(70_000, { diedAgain: 10, completed: 20 }, aged).next.act).toBe('move');
  });

  it('begins anew after a person resumed: what was judged is not judged again', () => {
    const control = { ...freshControl(0), samples: [] };
    const plan = situation({ stop: stop(), control, moved: 100, ended: { ...NONE, diedAgain: 50 } });
    const first = decideNext(plan);
    expect(first.next.act).toBe('move');
    const more = { ...plan, control: first.control, now: 2_000, ended: { ...NONE, diedAgain: 61 } };
    expect(decideNext(more).next.act).toBe('pause');
  });

  it('keeps no more samples than its window needs, however long it runs', () => {
    let control = freshControl(0);
    for (let now = 0; now < 3_600_000; now += 700)
      control = decideNext(
        situation({ now, stop: stop(), control, moved: 9, ended: { ...NONE, completed: now } }),
      ).control;
    expect(control.samples.length).toBeLessThan(30);
    expect((control.samples[0]?.at ?? 0) <= 3_600_000 - 60_000).toBe(true);
  });
});

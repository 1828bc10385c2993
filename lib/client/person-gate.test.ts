import { describe, expect, it, vi } from 'vitest';
import { createPersonGate, questionOf } from './person-gate';

describe('questionOf', () => {
  it('knows what a person can answer from what they cannot', () => {
    expect(questionOf({ status: 401, code: 'UNAUTHENTICATED' })).toBe('sign-in');
    expect(questionOf({ status: 403, code: 'PROOF_NEEDED' })).toBe('proof');
    // A wrong password is no lost session, and a missing permission no missing proof.
    expect(questionOf({ status: 401, code: 'SIGN_IN_FAILED' })).toBeNull();
    expect(questionOf({ status: 403, code: 'FORBIDDEN' })).toBeNull();
    expect(questionOf({ status: 503, code: 'REDIS_UNAVAILABLE' })).toBeNull();
  });
});

describe('person gate', () => {
  it('says no at once where nobody can be asked', async () => {
    expect(await createPersonGate().ask('sign-in')).toBe(false);
  });

  it('asks once, however many wait, and tells them all', async () => {
    const gate = createPersonGate();
    gate.attend();
    const heard = vi.fn();
    gate.subscribe(heard);
    const waiting = [gate.ask('sign-in'), gate.ask('sign-in'), gate.ask('sign-in')];
    expect(gate.asked()).toBe('sign-in');
    expect(heard).toHaveBeenCalledOnce();
    gate.answer('sign-in', true);
    expect(await Promise.all(waiting)).toEqual([true, true, true]);
    expect(gate.asked()).toBeNull();
  });

  it('lets a proof be declined, and asks anew the next time', async () => {
    const gate = createPersonGate();
    gate.attend();
    const declined = gate.ask('proof');
    gate.answer('proof', false);
    expect(await declined).toBe(false);
    const again = gate.ask('proof');
    expect(gate.asked()).toBe('proof');
    gate.answer('proof', true);
    expect(await again).toBe(true);
  });

  it('has people sign in before they prove, and takes that for a proof', async () => {
    const gate = createPersonGate();
    gate.attend();
    const [proof, session] = [gate.ask('proof'), gate.ask('sign-in')];
    expect(gate.asked()).toBe('sign-in');
    gate.answer('sign-in', true);
    expect(await Promise.all([proof, session])).toEqual([true, true]);
  });

  it('lets go of who no longer waits, and keeps the question for the others', async () => {
    const gate = createPersonGate();
    gate.attend();
    const left = new AbortController();
    const [first, second] = [gate.ask('sign-in', left.signal), gate.ask('sign-in')];
    left.abort();
    expect(await first).toBe(false);
    expect(gate.asked()).toBe('sign-in');
    gate.answer('sign-in', true);
    expect(await second).toBe(true);
    expect(await gate.ask('proof', left.signal)).toBe(false);
  });

  it('leaves nobody waiting when the dialog goes', async () => {
    const gate = createPersonGate();
    const leave = gate.attend();
    const waiting = gate.ask('proof');
    leave();
    expect(await waiting).toBe(false);
    expect(gate.asked()).toBeNull();
  });
});

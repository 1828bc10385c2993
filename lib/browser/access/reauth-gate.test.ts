import { describe, expect, it, vi } from 'vitest';
import { authQuestionOf, createReauthGate } from './reauth-gate';

describe('questionOf', () => {
  it('knows what a person can answer from what they cannot', () => {
    expect(authQuestionOf({ status: 401, code: 'UNAUTHENTICATED' })).toBe('sign-in');
    expect(authQuestionOf({ status: 403, code: 'REAUTHENTICATION_REQUIRED' })).toBe('reauthentication');
    // A wrong password is no lost session, and a missing permission no missing re-authentication.
    expect(authQuestionOf({ status: 401, code: 'SIGN_IN_FAILED' })).toBeNull();
    expect(authQuestionOf({ status: 403, code: 'FORBIDDEN' })).toBeNull();
    expect(authQuestionOf({ status: 503, code: 'REDIS_UNAVAILABLE' })).toBeNull();
  });
});

describe('person gate', () => {
  it('says no at once where nobody can be asked', async () => {
    expect(await createReauthGate().ask('sign-in')).toBe(false);
  });

  it('asks once, however many wait, and tells them all', async () => {
    const gate = createReauthGate();
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

  it('lets re-authentication be declined, and asks again the next time', async () => {
    const gate = createReauthGate();
    gate.attend();
    const declined = gate.ask('reauthentication');
    gate.answer('reauthentication', false);
    expect(await declined).toBe(false);
    const again = gate.ask('reauthentication');
    expect(gate.asked()).toBe('reauthentication');
    gate.answer('reauthentication', true);
    expect(await again).toBe(true);
  });

  it('asks for a sign-in first, which also re-authenticates', async () => {
    const gate = createReauthGate();
    gate.attend();
    const [reauthentication, session] = [gate.ask('reauthentication'), gate.ask('sign-in')];
    expect(gate.asked()).toBe('sign-in');
    gate.answer('sign-in', true);
    expect(await Promise.all([reauthentication, session])).toEqual([true, true]);
  });

  it('lets go of who no longer waits, and keeps the question for the others', async () => {
    const gate = createReauthGate();
    gate.attend();
    const left = new AbortController();
    const [first, second] = [gate.ask('sign-in', left.signal), gate.ask('sign-in')];
    left.abort();
    expect(await first).toBe(false);
    expect(gate.asked()).toBe('sign-in');
    gate.answer('sign-in', true);
    expect(await second).toBe(true);
    expect(await gate.ask('reauthentication', left.signal)).toBe(false);
  });

  it('leaves nobody waiting when the dialog goes', async () => {
    const gate = createReauthGate();
    const leave = gate.attend();
    const waiting = gate.ask('reauthentication');
    leave();
    expect(await waiting).toBe(false);
    expect(gate.asked()).toBeNull();
  });
});

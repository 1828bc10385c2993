import { describe, expect, it } from 'vitest';
import { EMPTY_PAUSE_FORM, readPauseForm } from './pause-input';

const form = (patch: Partial<typeof EMPTY_PAUSE_FORM>) => ({
  ...EMPTY_PAUSE_FORM,
  reason: 'provider down',
  ...patch,
});

describe('readPauseForm', () => {
  it('pauses the whole queue until someone resumes it', () => {
    expect(readPauseForm('email', form({}))).toEqual({
      input: { queue: 'email', scope: 'queue', reason: 'provider down', forMs: undefined },
      errors: null,
    });
  });

  it('pauses one tenant or type for a while', () => {
    expect(readPauseForm('email', form({ kind: 'tenant', name: ' acme ', after: '60' })).input).toMatchObject(
      {
        scope: 'tenant:acme',
        forMs: 3_600_000,
      },
    );
    const custom = form({ kind: 'type', name: 'email.send', after: 'custom', customMinutes: '90' });
    expect(readPauseForm('email', custom).input).toMatchObject({
      scope: 'type:email.send',
      forMs: 5_400_000,
    });
  });

  it('names what is wrong', () => {
    const wrong = form({ kind: 'tenant', name: 'a b', reason: ' ', after: 'custom', customMinutes: 'soon' });
    expect(Object.keys(readPauseForm('email', wrong).errors ?? {})).toEqual([
      'name',
      'reason',
      'customMinutes',
    ]);
  });
});

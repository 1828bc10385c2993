import { describe, expect, it } from 'vitest';
import { pauseRequestSchema } from '@/lib/contract/queues/pause-schemas';
import { checkPauseForm, EMPTY_PAUSE_FORM, type PauseForm, pauseTitle, toPauseRequest } from './pause-form';

const form = (patch: Partial<PauseForm>): PauseForm => ({
  ...EMPTY_PAUSE_FORM,
  reason: 'provider down',
  ...patch,
});

describe('toPauseRequest', () => {
  it('pauses the whole queue until someone resumes it', () => {
    expect(checkPauseForm(form({}))).toEqual({});
    expect(toPauseRequest(form({}))).toEqual({ scope: 'queue', reason: 'provider down', forMs: undefined });
  });

  it('pauses one tenant or type for a while', () => {
    expect(toPauseRequest(form({ kind: 'tenant', name: ' acme ', after: '60' }))).toMatchObject({
      scope: 'tenant:acme',
      forMs: 3_600_000,
    });
    const custom = form({ kind: 'type', name: 'email.send', after: 'custom', customMinutes: '90' });
    expect(toPauseRequest(custom)).toMatchObject({ scope: 'type:email.send', forMs: 5_400_000 });
    expect(checkPauseForm(custom)).toEqual({});
  });

  it('names what is wrong', () => {
    const wrong = form({ kind: 'tenant', name: 'a b', reason: ' ', after: 'custom', customMinutes: 'soon' });
    expect(Object.keys(checkPauseForm(wrong))).toEqual(['name', 'customMinutes']);
    const { error } = pauseRequestSchema.safeParse(toPauseRequest(wrong));
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain('reason');
  });
});

it('names in the title of the dialog what it pauses', () => {
  expect(pauseTitle('default', 'queue', '')).toBe('Pause default');
  expect(pauseTitle('default', 'tenant', ' acme ')).toBe('Pause tenant acme of default');
  expect(pauseTitle('default', 'type', '')).toBe('Pause a job type of default');
});

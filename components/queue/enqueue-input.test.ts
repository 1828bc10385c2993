import { describe, expect, it } from 'vitest';
import { EMPTY_ENQUEUE_FORM, readEnqueueForm } from './enqueue-input';

const form = (patch: Partial<typeof EMPTY_ENQUEUE_FORM>) => ({
  ...EMPTY_ENQUEUE_FORM,
  jobType: 'email.send',
  payload: '{}',
  ...patch,
});

describe('readEnqueueForm', () => {
  it('sends the payload as it was typed, and only what was set', () => {
    expect(readEnqueueForm(form({ payload: '{"id": 12345678901234567890}' })).job).toEqual({
      jobType: 'email.send',
      tenantId: undefined,
      priority: 0,
      delayMs: undefined,
      payloadText: '{"id": 12345678901234567890}',
    });
    expect(readEnqueueForm(form({ payload: '  ' })).job?.payloadText).toBeUndefined();
  });

  it('turns seconds into milliseconds', () => {
    expect(readEnqueueForm(form({ delaySeconds: '1.5' })).job?.delayMs).toBe(1_500);
  });

  it('names what is wrong by its field', () => {
    const wrong = form({
      jobType: 'a b',
      tenantId: '{x}',
      priority: '1e9',
      delaySeconds: '-1',
      payload: '{',
    });
    expect(Object.keys(readEnqueueForm(wrong).errors ?? {}).sort()).toEqual([
      'delaySeconds',
      'jobType',
      'payload',
      'priority',
      'tenantId',
    ]);
  });
});

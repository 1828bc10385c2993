import { describe, expect, it } from 'vitest';
import { enqueueRequestJobSchema } from '@/lib/contract/jobs/envelope';
import { checkEnqueueForm, EMPTY_ENQUEUE_FORM, ENQUEUE_FIELDS, toEnqueueJob } from './enqueue-form';

const form = (patch: Partial<typeof EMPTY_ENQUEUE_FORM>) => ({
  ...EMPTY_ENQUEUE_FORM,
  jobType: 'email.send',
  payload: '{}',
  ...patch,
});

describe('toEnqueueJob', () => {
  it('sends the payload as it was typed, and only what was set', () => {
    expect(toEnqueueJob(form({ payload: '{"id": 12345678901234567890}' }))).toEqual({
      jobType: 'email.send',
      tenantId: undefined,
      priority: 0,
      delayMs: undefined,
      payloadText: '{"id": 12345678901234567890}',
    });
    expect(toEnqueueJob(form({ payload: '  ' })).payloadText).toBeUndefined();
  });

  it('turns seconds into milliseconds', () => {
    expect(toEnqueueJob(form({ delaySeconds: '1.5' })).delayMs).toBe(1_500);
  });

  it('names what is wrong by its field', () => {
    const wrong = form({
      jobType: 'a b',
      tenantId: '{x}',
      priority: '1e9',
      delaySeconds: '-1',
      payload: '{',
    });
    const { error } = enqueueRequestJobSchema.safeParse(toEnqueueJob(wrong));
    const refused = error?.issues.map(({ path }) => String(path[0])) ?? [];
    const fields = refused.map((field) => (ENQUEUE_FIELDS as Record<string, string>)[field] ?? field);
    expect([...new Set([...fields, ...Object.keys(checkEnqueueForm(wrong))])].sort()).toEqual([
      'delaySeconds',
      'jobType',
      'payload',
      'priority',
      'tenantId',
    ]);
  });
});

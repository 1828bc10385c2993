import { describe, expect, it } from 'vitest';
import { JOB_ACTIONS } from '@/lib/contract/jobs/job-actions';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import { actionsFor, wizardKindsFor } from './job-action-specs';

describe('actionsFor', () => {
  it('offers exactly what the contract allows', () => {
    for (const state of JOB_STATES) {
      const allowed = Object.entries(JOB_ACTIONS).filter(([, states]) =>
        (states as readonly string[]).includes(state),
      );
      expect([...actionsFor(state)].sort(), state).toEqual(allowed.map(([action]) => action).sort());
    }
  });

  it('puts the way back before the way out', () => {
    expect(actionsFor('dead')).toEqual(['redrive', 'suppress', 'purge', 'remove']);
  });

  it('leaves to the wizard what asks for more than a reason', () => {
    expect(wizardKindsFor('dead')).toEqual(['edit', 'move']);
    expect(wizardKindsFor('scheduled')).toEqual(['reschedule']);
    expect(wizardKindsFor('completed')).toEqual([]);
  });
});

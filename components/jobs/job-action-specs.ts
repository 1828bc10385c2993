/** Label, consequence and confirmation of each action on a job. */
import { KIND_ICONS } from '@/components/shared/job-lists/operation-buttons';
import type { Icon } from '@/components/ui/icons';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/jobs/job-actions';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { KIND_STATES } from '@/lib/contract/operations/operation-kinds';

interface ActionSpec {
  verb: string;
  done: string;
  Icon: Icon;
  /** The consequence for this job. */
  consequence: (job: JobDetail) => string;
  reason: 'optional' | 'required';
  look: 'primary' | 'secondary' | 'danger-quiet';
  /** Cannot be undone, so the job id must be typed. */
  final?: boolean;
}

/** The most common first. */
export const ACTION_SPECS: Readonly<Record<JobAction, ActionSpec>> = {
  redrive: {
    verb: 'Re-drive',
    done: 'Re-driven to ready',
    Icon: KIND_ICONS.redrive,
    consequence: (job) =>
      `The job moves back to ready with ${job.envelope.maxAttempts} new attempts and keeps its history.`,
    reason: 'optional',
    look: 'primary',
  },
  promote: {
    verb: 'Promote',
    done: 'Promoted to ready',
    Icon: KIND_ICONS.promote,
    consequence: () => 'The job becomes ready now instead of at its due time.',
    reason: 'optional',
    look: 'primary',
  },
  restore: {
    verb: 'Restore',
    done: 'Restored to dead',
    Icon: KIND_ICONS.restore,
    consequence: () => 'The job moves back to dead letters and keeps its time of death.',
    reason: 'optional',
    look: 'primary',
  },
  cancel: {
    verb: 'Cancel',
    done: 'Cancelled',
    Icon: KIND_ICONS.cancel,
    consequence: (job) =>
      job.state === 'in-flight'
        ? 'The handler is aborted and its result is rejected. The job moves to dead letters as cancelled and can be re-driven. What the handler has already done is not undone.'
        : 'The job moves to dead letters as cancelled and can be re-driven.',
    reason: 'optional',
    look: 'secondary',
  },
  suppress: {
    verb: 'Suppress',
    done: 'Suppressed',
    Icon: KIND_ICONS.suppress,
    consequence: () => 'The job is ignored and no longer counts as dead. It can be restored.',
    reason: 'required',
    look: 'secondary',
  },
  purge: {
    verb: 'Purge',
    done: 'Moved to the trash',
    Icon: KIND_ICONS.purge,
    consequence: () => 'The job moves to the trash and can be restored until the grace period ends.',
    reason: 'optional',
    look: 'danger-quiet',
  },
  remove: {
    verb: 'Delete permanently',
    done: 'Deleted permanently',
    Icon: KIND_ICONS.delete,
    consequence: () => 'The job, its payload and its history are deleted. This cannot be undone.',
    reason: 'optional',
    look: 'danger-quiet',
    final: true,
  },
};

/** The actions of a state, the most common first. */
export const actionsFor = (state: JobState): JobAction[] =>
  (Object.keys(ACTION_SPECS) as JobAction[]).filter((action) =>
    (JOB_ACTIONS[action] as readonly JobState[]).includes(state),
  );

/** Actions that need the operation wizard, because they need a patch, a queue or a time. */
const WIZARD_KINDS = ['edit', 'move', 'reschedule'] as const;
export const wizardKindsFor = (state: JobState) =>
  WIZARD_KINDS.filter((kind) => KIND_STATES[kind].includes(state));

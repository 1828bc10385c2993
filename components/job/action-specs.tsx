/** What each action on a job is called, what it does, and what it asks before it does it. */
import {
  ArrowRightLeft,
  BadgeX,
  Ban,
  CalendarClock,
  EyeOff,
  type LucideIcon,
  PencilLine,
  RotateCcw,
  Trash2,
  Undo2,
  Zap,
} from 'lucide-react';
import { JOB_ACTIONS, type JobAction, type JobDetail } from '@/lib/contract/job';
import { KIND_STATES } from '@/lib/contract/operations';
import type { JobState } from '@/lib/contract/states';

export interface ActionSpec {
  verb: string;
  done: string;
  Icon: LucideIcon;
  /** What will happen, in one or two sentences, for this job as it is now. */
  consequence: (job: JobDetail) => string;
  reason: 'optional' | 'required';
  look: 'primary' | 'secondary' | 'danger-quiet';
  /** Nothing brings it back, so its id is typed. */
  final?: boolean;
}

export const ACTION_SPECS: Readonly<Record<JobAction, ActionSpec>> = {
  promote: {
    verb: 'Promote',
    done: 'Promoted to ready',
    Icon: Zap,
    consequence: () => 'It becomes ready now instead of at its due time.',
    reason: 'optional',
    look: 'primary',
  },
  redrive: {
    verb: 'Re-drive',
    done: 'Re-driven to ready',
    Icon: RotateCcw,
    consequence: (job) =>
      `It goes back to ready with a fresh budget of ${job.envelope.maxAttempts} attempts. Its history is kept.`,
    reason: 'optional',
    look: 'primary',
  },
  restore: {
    verb: 'Restore',
    done: 'Restored to dead',
    Icon: Undo2,
    consequence: () => 'It goes back to the dead-letter queue, as of when it died.',
    reason: 'optional',
    look: 'primary',
  },
  cancel: {
    verb: 'Cancel',
    done: 'Cancelled',
    Icon: Ban,
    consequence: (job) =>
      job.state === 'in-flight'
        ? 'Its worker loses the claim: the handler is aborted and whatever it still reports is refused. The job goes to the dead-letter queue as cancelled, from where it can be re-driven. What the handler did already is not undone.'
        : 'It goes to the dead-letter queue as cancelled, from where it can be re-driven.',
    reason: 'optional',
    look: 'secondary',
  },
  suppress: {
    verb: 'Suppress',
    done: 'Suppressed',
    Icon: EyeOff,
    consequence: () =>
      'It is set aside as knowingly ignored and counts no longer as dead. It can be restored.',
    reason: 'required',
    look: 'secondary',
  },
  purge: {
    verb: 'Purge',
    done: 'Moved to the trash',
    Icon: Trash2,
    consequence: () => 'It goes to the trash, from where it can be restored until its grace period ends.',
    reason: 'optional',
    look: 'danger-quiet',
  },
  remove: {
    verb: 'Delete for good',
    done: 'Deleted for good',
    Icon: BadgeX,
    consequence: () => 'The job, its payload and its history are deleted. Nothing brings them back.',
    reason: 'optional',
    look: 'danger-quiet',
    final: true,
  },
};

const ORDER: readonly JobAction[] = [
  'redrive',
  'promote',
  'restore',
  'cancel',
  'suppress',
  'purge',
  'remove',
];

/** The actions that fit a state, the likeliest first. */
export const actionsFor = (state: JobState): JobAction[] =>
  ORDER.filter((action) => (JOB_ACTIONS[action] as readonly JobState[]).includes(state));

/** What the wizard does to one job: these ask for a patch, a queue or a time. */
const WIZARD_KINDS = ['edit', 'move', 'reschedule'] as const;
type WizardKind = (typeof WIZARD_KINDS)[number];
export const WIZARD_ICONS: Readonly<Record<WizardKind, LucideIcon>> = {
  edit: PencilLine,
  move: ArrowRightLeft,
  reschedule: CalendarClock,
};
export const wizardKindsFor = (state: JobState): WizardKind[] =>
  WIZARD_KINDS.filter((kind) => KIND_STATES[kind].includes(state));

'use client';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { KeyValueItem } from '@/components/ui/key-value';
import { useHydrated } from '@/components/ui/now';
import { useStartOperation } from '@/lib/client/use-operations';
import type { DeadFilter } from '@/lib/contract/dead';
import { count } from '@/lib/format/plural';
import { absoluteLocal, absoluteUtc } from '@/lib/format/time';
import { filterParts } from './filter';
import { KIND_VERB, type Plan, totalWords, typedBefore } from './operation-request';

/** Says in numbers what a bulk action will do, asks why, and starts it. */
export function ConfirmOperation({
  plan,
  filter,
  onClose,
  onStarted,
}: {
  plan: Plan | null;
  filter: DeadFilter;
  onClose: () => void;
  onStarted: () => void;
}) {
  const { mutate, isPending, error, reset } = useStartOperation();
  const hydrated = useHydrated();
  if (!plan) return null;
  const verb = KIND_VERB[plan.kind];
  const jobs = `${totalWords(plan)} ${plan.total === 1 ? 'job' : 'jobs'}`;
  const close = () => {
    reset();
    onClose();
  };
  const confirm = ({ reason }: { reason: string }) =>
    mutate(
      { ...plan.request, reason },
      {
        onSuccess: (operation) => {
          toast.success(`${verb} started`, {
            description:
              operation.endedAt === null ? `${jobs}; progress is shown above the list.` : undefined,
          });
          onStarted();
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && close()}
      title={`${verb} ${jobs}?`}
      facts={factsOf(plan, filter, hydrated)}
      confirmLabel={`${verb} ${jobs}`}
      destructive={plan.kind === 'purge'}
      reason="required"
      requireText={typedBefore(plan)}
      pending={isPending}
      error={error?.detail}
      onConfirm={confirm}
    />
  );
}

function factsOf(plan: Plan, filter: DeadFilter, hydrated: boolean): KeyValueItem[] {
  const parts = filterParts(filter);
  const time = hydrated ? absoluteLocal(plan.cutoff) : absoluteUtc(plan.cutoff);
  const which = plan.request.jobs
    ? `The ${count(plan.total, 'job')} you ticked`
    : parts.length === 0
      ? 'Every dead letter of every queue'
      : parts.map(({ name, value }) => `${name.toLowerCase()} ${value}`).join(', ');
  return [
    { label: 'Which', value: <span className="inline-block first-letter:uppercase">{which}</span> },
    {
      label: 'Cut-off',
      value: (
        <span title={absoluteUtc(plan.cutoff)}>
          Only what died until {time}; what dies later is left alone
        </span>
      ),
    },
    { label: 'Skipped', value: skippedWords(plan) },
    {
      label: 'What happens',
      value:
        plan.kind === 'redrive'
          ? 'Each goes back to ready with its attempts reset. Its history is kept, and says who re-drove it and why.'
          : 'Each goes to the trash. It can be restored until its grace ends (1 h, unless the queue says otherwise); then it is deleted for good.',
    },
    {
      label: 'Afterwards',
      value: plan.request.jobs
        ? 'It is done at once; each job that could not be moved is counted as skipped.'
        : 'It runs in the background and can be cancelled. What was moved by then stays moved.',
    },
  ];
}

function skippedWords({ kind, pastDeadline }: Plan): string {
  const gone = 'what is no longer dead by then';
  if (kind === 'purge') return 'Whatever is no longer dead by then';
  const late = pastDeadline
    ? ` (now ${count(pastDeadline, 'of the ticked jobs', 'of the ticked jobs')})`
    : '';
  return `What is past its deadline${late}, and ${gone}`;
}

'use client';
import { TextField } from '@/components/ui/controls/field';
import { Segmented } from '@/components/ui/controls/segmented';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { links } from '@/lib/browser/links';
import { pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import { usePause, useResume } from '@/lib/browser/queues/use-queue-actions';
import { pauseRequestSchema } from '@/lib/contract/queues/pause-schemas';
import type { QueueRow } from '@/lib/contract/queues/queue-schemas';
import { count } from '@/lib/format/plural';
import { CopyRequest } from '../requests/copy-request';
import { useFilled } from '../requests/use-filled';
import {
  checkPauseForm,
  EMPTY_PAUSE_FORM,
  pauseTitle,
  RESUMES,
  SCOPES,
  type ScopeKind,
  toPauseRequest,
} from './pause-form';
import { PauseSuggestions } from './pause-suggestions';

/** Pauses a queue, one tenant or one job type, with a reason and, if wanted, a time to resume. */
export function PauseDialog({
  queue,
  target,
  onClose,
}: {
  queue: Pick<QueueRow, 'queue' | 'counts'>;
  /** Chosen already. */
  target?: { kind: 'tenant' | 'type'; name: string };
  onClose: () => void;
}) {
  const { mutate, isPending, error, requestOf } = usePause();
  const { mutate: resume } = useResume();
  const form = useContractForm({
    schema: pauseRequestSchema,
    defaultValues: useFilled({ ...EMPTY_PAUSE_FORM, ...target }),
    toRequest: toPauseRequest,
    fields: { scope: 'name', forMs: 'customMinutes' },
    check: checkPauseForm,
    error,
    onSubmit: (request) =>
      mutate(
        { queue: queue.queue, ...request },
        {
          onSuccess: () => {
            const { scope = 'queue' } = request;
            toast.success(`Paused ${scope === 'queue' ? queue.queue : pauseScopeLabel(scope)}`, {
              action: {
                label: 'Resume',
                onClick: () =>
                  resume(
                    { queue: queue.queue, scope },
                    { onError: ({ detail }) => toast.error('Could not resume', { description: detail }) },
                  ),
              },
            });
            onClose();
          },
        },
      ),
  });
  const [kind, after, name] = form.watch(['kind', 'after', 'name']);
  return (
    <FormDialog
      title={pauseTitle(queue.queue, kind, name)}
      description={consequence(kind, queue)}
      submitLabel={LABELS[kind]}
      pending={isPending}
      error={form.error}
      secondary={
        <CopyRequest
          request={() => requestOf({ queue: queue.queue, ...form.request() })}
          filled={form.values}
          target={{ path: links.queue(queue.queue), dialog: 'pause' }}
        />
      }
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Segmented
        label="What to pause"
        value={kind}
        options={SCOPES}
        onChange={(value) => {
          form.setValue('kind', value);
          if (value !== kind) form.setValue('name', '');
        }}
      />
      {kind !== 'queue' && (
        <TextField
          label={kind === 'tenant' ? 'Tenant id' : 'Job type'}
          {...form.field('name')}
          className="font-mono"
          placeholder={kind === 'tenant' ? 'acme' : 'email.send'}
        />
      )}
      {kind !== 'queue' && (
        <PauseSuggestions
          queue={queue.queue}
          kind={kind}
          chosen={name.trim()}
          onChoose={(next) => form.setValue('name', next)}
        />
      )}
      <TextField
        label="Reason"
        hint="Shown on every page while the pause lasts."
        {...form.field('reason')}
        autoFocus
        maxLength={300}
        placeholder="Mail provider answers 503"
      />
      <div className="space-y-1">
        <p className="font-medium text-xs">Resume automatically after</p>
        <Segmented
          label="Resume automatically after"
          value={after}
          options={RESUMES}
          onChange={(value) => form.setValue('after', value)}
        />
      </div>
      {after === 'custom' && (
        <TextField label="Minutes" {...form.field('customMinutes')} className="w-28" inputMode="numeric" />
      )}
    </FormDialog>
  );
}

const LABELS: Readonly<Record<ScopeKind, string>> = {
  queue: 'Pause queue',
  tenant: 'Pause tenant',
  type: 'Pause job type',
};

function consequence(kind: ScopeKind, { counts }: Pick<QueueRow, 'counts'>): string {
  const running = `${count(counts['in-flight'], 'job')} in flight`;
  if (kind === 'queue') {
    return `${count(counts.ready, 'ready job')} will wait; ${running} will finish. New jobs are still accepted.`;
  }
  const affected = kind === 'tenant' ? 'The ready jobs of this tenant' : 'The ready jobs of this type';
  return `${affected} are held; jobs in flight will finish. This pause holds no other jobs.`;
}

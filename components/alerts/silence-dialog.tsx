'use client';
import { QueueField } from '@/components/shared/queue-field';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled } from '@/components/shared/requests/use-filled';
import { Field, TextField } from '@/components/ui/controls/field';
import { Segmented } from '@/components/ui/controls/segmented';
import { Select } from '@/components/ui/controls/select';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { useSilence } from '@/lib/browser/alerts/use-alert-actions';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { useQueueNames } from '@/lib/browser/queues/use-queue-names';
import { type Alert, type AlertRule, silenceRequestSchema } from '@/lib/contract/alerts/alert-schemas';
import { codeLabel, silenceLabel } from './labels';
import {
  checkSilenceForm,
  emptySilenceForm,
  PERIODS,
  type SilenceForm,
  toSilenceRequest,
} from './silence-form';

/** Keeps alerts of a finding, of a queue, or of both from being sent, for a while. */
export function SilenceDialog({
  alert,
  rules,
  onClose,
}: {
  /** Fills in the form. */
  alert: Alert | undefined;
  rules: readonly AlertRule[];
  onClose: () => void;
}) {
  const { mutate, isPending, error, requestOf } = useSilence();
  const form = useContractForm({
    schema: silenceRequestSchema,
    defaultValues: useFilled(emptySilenceForm(alert), hasPeriod),
    toRequest: toSilenceRequest,
    fields: { forMs: 'customMinutes' },
    check: checkSilenceForm,
    error,
    onSubmit: (request) =>
      mutate(request, {
        onSuccess: () => {
          const { code = null, queue = null } = request;
          toast.success('Silenced', { description: silenceLabel({ code, queue }) });
          onClose();
        },
      }),
  });
  const [code, queue, period] = form.watch(['code', 'queue', 'period']);
  const { names, of } = useQueueNames(queue);
  const mayAll = usePermits()('operate', '*');
  const codes = [...new Set([...rules.map((rule) => rule.code), ...(alert ? [alert.code] : [])])];
  return (
    <FormDialog
      title="Silence alerts"
      description={consequence({ code, queue: queue.trim() })}
      submitLabel="Silence"
      pending={isPending}
      error={form.error}
      secondary={
        <CopyRequest request={() => requestOf(form.request())} filled={() => ({ ...form.values() })} />
      }
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label="Finding" error={form.problem('code')}>
        {(control) => (
          <Select
            {...control}
            {...form.register('code')}
            placeholder="Any finding"
            options={codes.map((value) => ({ value, label: `${codeLabel(value)} (${value})` }))}
          />
        )}
      </Field>
      <QueueField
        label={mayAll ? 'Queue (empty: all queues)' : 'Queue'}
        value={queue}
        names={names}
        of={of}
        error={form.problem('queue')}
        onChange={(next) => form.setValue('queue', next)}
      />
      <div className="space-y-1">
        <p className="font-medium text-xs">For</p>
        <Segmented
          label="For"
          value={period}
          options={PERIODS}
          onChange={(value) => form.setValue('period', value)}
        />
      </div>
      {period === 'custom' && (
        <TextField label="Minutes" {...form.field('customMinutes')} className="w-28" inputMode="numeric" />
      )}
      <TextField
        label="Reason"
        hint="Shown with the silence and with the alerts that it keeps back."
        {...form.field('reason')}
        autoFocus
        maxLength={300}
        placeholder="Known: the bank is down until noon"
      />
    </FormDialog>
  );
}

const hasPeriod = ({ period }: SilenceForm) => PERIODS.some(({ value }) => value === period);

function consequence({ code, queue }: Pick<SilenceForm, 'code' | 'queue'>): string {
  const what = code === '' ? 'All alerts' : `Alerts ${code}`;
  return `${what}${queue === '' ? '' : ` that are only about ${queue}`} are not sent to any channel meanwhile. They still show on this page.`;
}

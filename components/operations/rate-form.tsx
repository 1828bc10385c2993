'use client';
import { useForm } from 'react-hook-form';
import {
  type OperationRateDraft,
  RATE_MODES,
  RATE_SENTENCES,
  toRate,
  toRateDraft,
  toShare,
} from '@/components/operations/operation-rate';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { TextField } from '@/components/ui/controls/field';
import { Segmented } from '@/components/ui/controls/segmented';
import { Switch } from '@/components/ui/controls/switch';
import { toast } from '@/components/ui/overlays/toast';
import { readTyped } from '@/lib/browser/api/read-typed';
import { useChangeOperation } from '@/lib/browser/use-operations';
import type { Operation } from '@/lib/contract/operations/operation';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import { operationChangeSchema } from '@/lib/contract/operations/operation-request';
import { canaryText } from './labels';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Changes the rate and the automatic stop of an open operation. */
export function RateForm({ operation }: { operation: Operation }) {
  const { id, rate, stop } = operation;
  const { mutate, isPending, error } = useChangeOperation(() => toast.success('Settings changed'));
  const form = useForm({
    defaultValues: {
      rate: toRateDraft(rate),
      stopOn: stop !== null,
      stopPercent: String((stop?.maxDiedAgain ?? 0.25) * 100),
    },
  });
  const typed = form.watch();
  const next = {
    rate: toRate(typed.rate),
    stop: typed.stopOn
      ? { ...(stop ?? { windowMs: 60_000, minEnded: 10 }), maxDiedAgain: toShare(typed.stopPercent) }
      : null,
  };
  const { request, problems } = readTyped(operationChangeSchema, next, RATE_SENTENCES);
  const change = {
    ...(isSame(next.rate, rate) ? {} : { rate: next.rate }),
    ...(isSame(next.stop, stop) ? {} : { stop: next.stop }),
  };
  const ready = request !== null && Object.keys(change).length > 0;
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !isPending) mutate({ id, change });
      }}
    >
      <RateFields rate={typed.rate} onChange={(next) => form.setValue('rate', next)} error={problems.rate} />
      {RERUNS.has(operation.kind) && (
        <>
          <p className="text-sm">
            <span className="text-muted">Canary: </span>
            {canaryText(operation)}
          </p>
          <div className="flex flex-wrap items-end gap-3">
            <Switch
              label="Automatic stop"
              checked={typed.stopOn}
              onCheckedChange={(on) => form.setValue('stopOn', on)}
            />
            {typed.stopOn && (
              <TextField
                label="Pause if failure rate exceeds (%)"
                error={problems.stopPercent}
                className="w-24"
                {...form.register('stopPercent')}
              />
            )}
          </div>
        </>
      )}
      {error && <Callout tone="bad">{error.detail}</Callout>}
      <div>
        <Button type="submit" disabled={!ready} pending={isPending}>
          Apply
        </Button>
      </div>
    </form>
  );
}

/** The rate: unlimited, fixed, or by the length of the queue. */
export function RateFields({
  rate,
  onChange,
  error,
}: {
  rate: OperationRateDraft;
  onChange: (next: OperationRateDraft) => void;
  error: string | undefined;
}) {
  const { mode } = rate;
  return (
    <div className="grid gap-2">
      <Segmented
        label="Rate"
        value={mode}
        options={RATE_MODES}
        onChange={(next) => onChange({ ...rate, mode: next })}
        className="max-w-full justify-self-start max-sm:h-auto max-sm:flex-wrap"
      />
      {mode === 'fast' && <p className="text-faint text-xs">As fast as Redis allows.</p>}
      {mode === 'rate' && (
        <TextField
          label="Jobs per second"
          hint="Spread evenly, so that downstream services keep up."
          error={error}
          className="w-32"
          value={rate.rate}
          onChange={({ target }) => onChange({ ...rate, rate: target.value })}
        />
      )}
      {mode === 'drain' && (
        <TextField
          label="Max. ready jobs"
          hint="Waits while this many jobs or more are ready, so the queue stays short however slow the workers are."
          error={error}
          className="w-32"
          inputMode="numeric"
          value={rate.below}
          onChange={({ target }) => onChange({ ...rate, below: target.value })}
        />
      )}
    </div>
  );
}

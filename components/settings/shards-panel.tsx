'use client';
import { useState } from 'react';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilledLink } from '@/components/shared/requests/use-filled';
import { useDialog } from '@/components/shared/use-dialog';
import { Button } from '@/components/ui/controls/button';
import { Field, TextField } from '@/components/ui/controls/field';
import { Select } from '@/components/ui/controls/select';
import { ConfirmDialog } from '@/components/ui/overlays/lazy-dialogs';
import { toast } from '@/components/ui/overlays/toast';
import { Panel } from '@/components/ui/panel';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { filledText } from '@/lib/browser/dialog-link';
import { useSetSharding } from '@/lib/browser/queues/use-queue-config';
import { type ConfigReply, type Sharding, shardingSchema } from '@/lib/contract/queues/queue-config';
import { parseNumber } from '@/lib/format/parse-units';
import { shardLabel } from './labels';

const BY = [
  { value: 'id', label: 'Job id' },
  { value: 'tenant', label: 'Tenant' },
] as const;
const DIALOGS = ['shards'] as const;

/** Number of shards. Changed separately, because it needs a queue without jobs. */
export function ShardsPanel({ queue, shards }: { queue: string; shards: ConfigReply['shards'] }) {
  const filled = useFilledLink();
  const [count, setCount] = useState<string | null>(filledText(filled, 'count') || null);
  const [by, setBy] = useState<Sharding['by'] | null>(
    BY.find(({ value }) => value === filled.by)?.value ?? null,
  );
  const { missing } = useOffer('operate', queue);
  const { mutate, isPending, error, reset, requestOf } = useSetSharding();
  const wanted = shardingSchema.safeParse({
    count: count === null ? shards.count : parseNumber(count),
    by: by ?? shards.by,
  });
  const edited = wanted.success && (wanted.data.count !== shards.count || wanted.data.by !== shards.by);
  const [asking, setAsking] = useDialog(DIALOGS, () => missing === null && edited);
  const forget = () => {
    setCount(null);
    setBy(null);
  };
  return (
    <Panel title="Shards" aside={`now ${shardLabel(shards)}`}>
      <fieldset disabled={missing !== null} className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <TextField
          label="Shards"
          fieldClassName="w-28"
          error={wanted.success ? undefined : 'must be a whole number from 1 to 64'}
          inputMode="numeric"
          value={count ?? String(shards.count)}
          onChange={(event) => setCount(event.target.value)}
        />
        <Field label="Partition by" className="w-36">
          {(control) => (
            <Select
              {...control}
              options={BY}
              value={by ?? shards.by}
              onChange={(event) => setBy(event.target.value === 'tenant' ? 'tenant' : 'id')}
            />
          )}
        </Field>
        <Button disabled={!edited} onClick={() => setAsking('shards')}>
          Change shards…
        </Button>
      </fieldset>
      <p className="mt-2 max-w-prose text-faint text-xs">
        Spreads a busy queue over several hash slots, so that several nodes of a cluster share its work.
        Shards can be added only while the queue holds no jobs. Partitioned by tenant, fairness and tenant
        limits stay exact. Default: one.
      </p>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={() => {
          setAsking(null);
          reset();
        }}
        title={`Change the shards of ${queue}?`}
        description="Shards can be added later but not removed."
        facts={
          wanted.success
            ? [{ label: 'Shards', value: `${shardLabel(shards)} → ${shardLabel(wanted.data)}` }]
            : undefined
        }
        confirmLabel="Change shards"
        pending={isPending}
        error={error?.detail}
        tools={() =>
          wanted.success && (
            <CopyRequest
              request={() => requestOf({ queue, ...wanted.data })}
              filled={() => ({ count: String(wanted.data.count), by: wanted.data.by })}
            />
          )
        }
        onConfirm={() => {
          if (!wanted.success) return;
          mutate(
            { queue, ...wanted.data },
            {
              onSuccess: () => {
                setAsking(null);
                forget();
                toast.success(`${queue} has ${shardLabel(wanted.data)} now`);
              },
            },
          );
        }}
      />
    </Panel>
  );
}

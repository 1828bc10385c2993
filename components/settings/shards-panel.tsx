'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Panel } from '@/components/ui/panel';
import { Select } from '@/components/ui/select';
import { useOffer } from '@/lib/client/permissions';
import { useSetSharding } from '@/lib/client/use-config';
import { type ConfigReply, type Sharding, shardingSchema } from '@/lib/contract/config';
import { parseNumber } from '@/lib/format/parse';
import { shardWords } from './change-words';

const BY = [
  { value: 'id', label: 'Job id' },
  { value: 'tenant', label: 'Tenant' },
];

/** Over how many hash slots the queue is spread. Changed by itself, as it can be done only while the queue holds no jobs. */
export function ShardsPanel({ queue, shards }: { queue: string; shards: ConfigReply['shards'] }) {
  const [count, setCount] = useState<string | null>(null);
  const [by, setBy] = useState<Sharding['by'] | null>(null);
  const [asking, setAsking] = useState(false);
  const { missing } = useOffer('operate', queue);
  const { mutate, isPending, error, reset } = useSetSharding();
  const wanted = shardingSchema.safeParse({
    count: count === null ? shards.count : parseNumber(count),
    by: by ?? shards.by,
  });
  const edited = wanted.success && (wanted.data.count !== shards.count || wanted.data.by !== shards.by);
  const forget = () => {
    setCount(null);
    setBy(null);
  };
  return (
    <Panel title="Shards" aside={`now ${shardWords(shards)}`}>
      <fieldset disabled={missing !== null} className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <Field
          label="Shards"
          className="w-28"
          error={wanted.success ? undefined : 'must be a whole number from 1 to 64'}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={count ?? String(shards.count)}
              onChange={(event) => setCount(event.target.value)}
            />
          )}
        </Field>
        <Field label="Placed by" className="w-36">
          {(control) => (
            <Select
              {...control}
              options={BY}
              value={by ?? shards.by}
              onChange={(event) => setBy(event.target.value === 'tenant' ? 'tenant' : 'id')}
            />
          )}
        </Field>
        <Button disabled={!edited} onClick={() => setAsking(true)}>
          Change shards…
        </Button>
      </fieldset>
      <p className="mt-2 max-w-prose text-faint text-xs">
        A hot queue is spread over hash slots, so that several nodes of a cluster share its work. It can grow
        only while the queue holds no jobs. Placed by tenant, fairness and tenant limits stay exact. Default:
        one.
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={(open) => {
          setAsking(open);
          if (!open) reset();
        }}
        title={`Change the shards of ${queue}?`}
        description="Shards can be added later, but never taken away."
        facts={
          wanted.success
            ? [{ label: 'Shards', value: `${shardWords(shards)} → ${shardWords(wanted.data)}` }]
            : undefined
        }
        confirmLabel="Change shards"
        pending={isPending}
        error={error?.detail}
        onConfirm={() => {
          if (!wanted.success) return;
          mutate(
            { queue, ...wanted.data },
            {
              onSuccess: () => {
                setAsking(false);
                forget();
                toast.success(`${queue} has ${shardWords(wanted.data)} now`);
              },
            },
          );
        }}
      />
    </Panel>
  );
}

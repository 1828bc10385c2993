import { cn } from '@/components/ui/cn';
import { Check, CircleAlert } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { fullNumber, signedNumber } from '@/lib/format/number';

/** Enqueued = jobs in every state + deleted: no job was lost. */
export function LedgerPanel({ queue: { ledger, shards } }: { queue: QueueNumbers }) {
  const balances = ledger.difference === 0;
  return (
    <Panel
      className="h-full"
      title="Ledger"
      aside={
        <span
          className={cn('inline-flex items-center gap-1 font-medium', balances ? 'text-good' : 'text-bad')}
        >
          {balances ? (
            <Check aria-hidden className="size-3.5" />
          ) : (
            <CircleAlert aria-hidden className="size-3.5" />
          )}
          {balances ? 'Balances' : 'Does not balance'}
        </span>
      }
    >
      <table className="w-full text-sm">
        <tbody>
          <Line label="Jobs in every state" value={fullNumber(ledger.inStates)} />
          <Line label="+ jobs deleted" value={fullNumber(ledger.deleted)} />
          <Line label="= jobs enqueued" value={fullNumber(ledger.enqueued)} sum />
          <Line
            label="Difference"
            value={signedNumber(ledger.difference)}
            tone={balances ? 'text-faint' : 'text-bad'}
          />
        </tbody>
      </table>
      {shards.unavailable.length > 0 && (
        <p className="mt-1.5 text-muted text-xs">
          Counts the {shards.count - shards.unavailable.length} reachable shards only. Each shard balances on
          its own.
        </p>
      )}
      {!balances && (
        <p className="mt-1.5 text-bad text-xs">
          A difference means a defect in Redrive, or that another program wrote to its keys. Please report it.
        </p>
      )}
    </Panel>
  );
}

function Line({ label, value, sum, tone }: { label: string; value: string; sum?: boolean; tone?: string }) {
  return (
    <tr className={cn(sum ? 'font-medium [&>*]:border-line-strong [&>*]:border-t' : 'font-normal', tone)}>
      <th
        scope="row"
        className={cn('py-0.5 text-left', sum ? 'font-medium' : 'font-normal', !tone && !sum && 'text-muted')}
      >
        {label}
      </th>
      <td className="py-0.5 text-right">{value}</td>
    </tr>
  );
}

import Link from 'next/link';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { cn } from '@/components/ui/cn';
import { Check, CircleAlert } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Num } from '@/components/ui/text/number';
import { links } from '@/lib/browser/links';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { signedNumber } from '@/lib/format/number';
import { sumCounts, sumLedgers } from './lab-flow';

/** The proof that nothing was lost: enqueued = every state + deleted, in each queue and in all. */
export function LedgerBox({ queues }: { queues: readonly QueueSnapshot[] | null }) {
  if (!queues) {
    return (
      <Panel title="Ledger" className="h-72 shrink-0">
        <Skeleton className="w-2/3" />
      </Panel>
    );
  }
  const sums = sumLedgers(queues);
  const counts = sumCounts(queues);
  const balances = queues.every(({ ledger }) => ledger.difference === 0);
  return (
    <Panel
      title="Ledger"
      className={cn('shrink-0', !balances && 'border-bad')}
      aside={<Verdict balances={balances} />}
    >
      <table className="w-full table-fixed text-xs [&_td]:pl-2 [&_thead_th+th]:pl-2">
        <thead>
          <tr className="text-faint">
            <th className="w-[30%] text-left font-normal">
              <span className="sr-only">Line</span>
            </th>
            <th scope="col" className="text-right font-medium text-fg">
              all
            </th>
            {queues.map(({ queue }) => (
              <th key={queue} scope="col" title={queue} className="truncate text-right font-normal">
                <Link href={links.queue(queue)} prefetch={false} className="hover:underline">
                  {queue}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:py-px [&_td]:text-right [&_th]:py-px">
          <Row
            label="Enqueued"
            all={sums.enqueued}
            each={queues.map(({ ledger }) => ledger.enqueued)}
            strong
          />
          {JOB_STATES.map((state) => (
            <Row
              key={state}
              state={state}
              all={counts[state]}
              each={queues.map((queue) => queue.counts[state])}
            />
          ))}
          <Row
            label="Deleted"
            title="By users, or because the queue keeps no more: completed jobs above its limit"
            all={sums.deleted}
            each={queues.map(({ ledger }) => ledger.deleted)}
          />
          <tr className={cn('font-medium [&>*]:border-line-strong [&>*]:border-t', !balances && 'text-bad')}>
            <th scope="row" className="text-left font-medium">
              Difference
            </th>
            <td>{signedNumber(sums.difference)}</td>
            {queues.map(({ queue, ledger }) => (
              <td key={queue}>{signedNumber(ledger.difference)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}

function Verdict({ balances }: { balances: boolean }) {
  const Icon = balances ? Check : CircleAlert;
  return (
    <span className={cn('inline-flex items-center gap-1 font-medium', balances ? 'text-good' : 'text-bad')}>
      <Icon aria-hidden className="size-3.5" />
      {balances ? 'Balances: no job was lost' : 'Does not balance'}
    </span>
  );
}

function Row({
  state,
  label,
  title,
  all,
  each,
  strong,
}: {
  state?: JobState;
  label?: string;
  title?: string;
  all: number;
  each: readonly number[];
  strong?: boolean;
}) {
  const look = state ? STATE_LOOK[state] : null;
  return (
    <tr title={title} className={cn(strong && '[&>*]:border-line-strong [&>*]:border-b')}>
      <th scope="row" className={cn('text-left font-normal', strong && 'font-medium')}>
        <span className={cn('inline-flex items-center gap-1.5', look?.text)}>
          {look ? <look.Icon aria-hidden className="size-3" /> : !strong && <span className="size-3" />}
          {look?.label ?? label}
        </span>
      </th>
      <td className="font-medium">
        <Num value={all} format="full" dim />
      </td>
      {each.map((value, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position.
        <td key={i} className="text-muted">
          <Num value={value} format="full" dim />
        </td>
      ))}
    </tr>
  );
}

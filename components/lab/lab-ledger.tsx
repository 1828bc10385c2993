import { Check, CircleAlert } from 'lucide-react';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { Panel } from '@/components/ui/panel';
import { ShareBar } from '@/components/ui/share-bar';
import { STATE_LOOK } from '@/components/ui/state-badge';
import { links } from '@/lib/client/links';
import { JOB_STATES } from '@/lib/contract/states';
import { full, signed } from '@/lib/format/number';
import type { LabSums } from './sums';

/** Every job ever enqueued is in exactly one state, or was deleted. The sum is done here, before the reader's eyes. */
export function LabLedger({ sums: { counts, ledger, queues } }: { sums: LabSums }) {
  const balances = ledger.difference === 0;
  const shown = JOB_STATES.filter(
    (state) => counts[state] > 0 || ['ready', 'in-flight', 'retry', 'completed', 'dead'].includes(state),
  );
  return (
    <Panel
      title="Ledger"
      aside={
        <span
          data-testid="ledger-verdict"
          className={cn('inline-flex items-center gap-1 font-medium', balances ? 'text-good' : 'text-bad')}
        >
          {balances ? (
            <Check aria-hidden className="size-3.5" />
          ) : (
            <CircleAlert aria-hidden className="size-3.5" />
          )}
          {balances ? 'Balances' : `Off by ${signed(ledger.difference)}`}
        </span>
      }
    >
      <ShareBar
        label="Jobs by state"
        shares={JOB_STATES.map((state) => ({
          key: state,
          label: STATE_LOOK[state].label,
          value: counts[state],
          color: STATE_LOOK[state].color,
        }))}
        className="mb-2"
      />
      <table className="w-full text-xs">
        <tbody>
          {shown.map((state) => (
            <tr key={state}>
              <th scope="row" className={cn('py-px text-left font-normal', STATE_LOOK[state].text)}>
                {STATE_LOOK[state].label}
              </th>
              <td className="py-px text-right">{full(counts[state])}</td>
            </tr>
          ))}
          <tr>
            <th
              scope="row"
              className="py-px text-left font-normal text-muted"
              title="Completed jobs beyond the kept history, and what people deleted"
            >
              + deleted
            </th>
            <td className="py-px text-right">{full(ledger.deleted)}</td>
          </tr>
          <tr className="font-medium [&>*]:border-line-strong [&>*]:border-t">
            <th scope="row" className="py-0.5 text-left font-medium">
              = enqueued
            </th>
            <td className="py-0.5 text-right">{full(ledger.enqueued)}</td>
          </tr>
        </tbody>
      </table>
      <ul className="mt-2 flex flex-wrap gap-x-3 border-line border-t pt-1.5 text-xs">
        {queues.map((queue) => (
          <li key={queue.queue} className="flex items-center gap-1">
            {queue.ledger.difference === 0 ? (
              <Check aria-hidden className="size-3 text-good" />
            ) : (
              <CircleAlert aria-hidden className="size-3 text-bad" />
            )}
            <Link href={links.queue(queue.queue)} prefetch={false} className="hover:underline">
              {queue.queue}
            </Link>
            <span className="sr-only">{queue.ledger.difference === 0 ? 'balances' : 'does not balance'}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

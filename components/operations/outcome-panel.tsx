'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { Num, Percent } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import { links } from '@/lib/client/links';
import { diedAgainShare, stillEnding } from '@/lib/contract/operation-words';
import type { Operation, Outcome } from '@/lib/contract/operations';
import { full, percentOf } from '@/lib/format/number';
import { OutcomeBar } from './outcome-bar';
import { operationQuery, outcomeParts } from './words';

/** The ledger of what it moved: where each of them is now. It goes on after the operation ended. */
export function OutcomePanel({ operation, outcome }: { operation: Operation; outcome: Outcome }) {
  const share = diedAgainShare(operation);
  const parts = outcomeParts(outcome).filter(({ value, tab }) => value > 0 || tab !== null);
  return (
    <Panel
      title="What became of them"
      aside={stillEnding(operation) ? 'still counting' : operation.moved > 0 ? 'all have ended' : undefined}
    >
      <OutcomeBar outcome={outcome} className="h-2.5" />
      <table className="mt-2 w-full text-sm">
        <caption className="sr-only">Outcome of the {full(operation.moved)} moved</caption>
        <tbody>
          {parts.map(({ label, value, color }) => (
            <tr key={label}>
              <th scope="row" className="py-0.5 text-left font-normal text-muted">
                <span
                  aria-hidden
                  className="mr-1.5 inline-block size-2 rounded-xs"
                  style={{ backgroundColor: color }}
                />
                {label}
              </th>
              <td className="text-right">
                <Num value={value} format="full" dim />
              </td>
              <td className="w-16 text-right text-faint text-xs">{percentOf(value, operation.moved)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" className="border-line border-t py-0.5 text-left font-medium">
              Moved
            </th>
            <td className="border-line border-t text-right font-medium">
              <Num value={operation.moved} format="full" />
            </td>
            <td className="border-line border-t" />
          </tr>
        </tbody>
      </table>
      {share !== null && (
        <p className="mt-2 text-muted text-sm">
          Of those that ended,{' '}
          <Percent value={share} className={share > 0 ? 'font-medium text-bad' : 'font-medium'} /> died again.
        </p>
      )}
      {outcome.groups.length > 0 && <Groups id={operation.id} outcome={outcome} />}
    </Panel>
  );
}

function Groups({ id, outcome }: { id: string; outcome: Outcome }) {
  return (
    <div className="mt-2">
      <h3 className="text-faint text-xs">How they died again</h3>
      <ul>
        {outcome.groups.map(({ group, count }) => (
          <li key={group} className="flex items-baseline justify-between gap-2 text-sm">
            {/^[0-9a-f]{12}$/.test(group) ? (
              <Link
                href={links.dead(operationQuery(id, group)) as Route}
                className="font-mono text-accent text-xs hover:underline"
              >
                {group}
              </Link>
            ) : (
              <span className="text-muted">other groups</span>
            )}
            <Num value={count} format="full" />
          </li>
        ))}
      </ul>
    </div>
  );
}

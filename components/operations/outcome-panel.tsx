'use client';
import Link from 'next/link';
import { groupTitle } from '@/components/shared/group-title';
import { cn } from '@/components/ui/cn';
import { Panel } from '@/components/ui/panel';
import { Num, Percent } from '@/components/ui/text/number';
import { links } from '@/lib/browser/links';
import { useGroups } from '@/lib/browser/search/use-dead-letters';
import type { Operation, Outcome } from '@/lib/contract/operations/operation';
import { SKIP_LABELS } from '@/lib/contract/operations/operation-effects';
import { diedAgainShare, hasUnfinishedJobs } from '@/lib/contract/operations/operation-text';
import { titleText } from '@/lib/format/display-text';
import { fullNumber, percentOf } from '@/lib/format/number';
import { operationQuery, outcomeParts, sortSkips } from './labels';
import { OutcomeBar } from './operation-status';

/** Where the moved jobs are now; it keeps counting after the operation ended. */
export function OutcomePanel({ operation, outcome }: { operation: Operation; outcome: Outcome }) {
  const share = diedAgainShare(operation);
  const parts = outcomeParts(outcome).filter(({ value, tab }) => value > 0 || tab !== null);
  return (
    <Panel
      title="Outcome"
      aside={
        hasUnfinishedJobs(operation) ? 'still counting' : operation.moved > 0 ? 'all jobs ended' : undefined
      }
    >
      <OutcomeBar outcome={outcome} className="h-2.5" />
      <table className="mt-2 w-full text-sm">
        <caption className="sr-only">Outcome of the {fullNumber(operation.moved)} moved</caption>
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
          Of the jobs that ended,{' '}
          <Percent value={share} className={share > 0 ? 'font-medium text-bad' : 'font-medium'} /> died again.
        </p>
      )}
      {outcome.groups.length > 0 && <Groups id={operation.id} outcome={outcome} />}
    </Panel>
  );
}

const isGroup = (group: string): boolean => /^[0-9a-f]{12}$/.test(group);

/** By what failed, as far as jobs of the group are still dead. */
function Groups({ id, outcome }: { id: string; outcome: Outcome }) {
  const known = outcome.groups.map(({ group }) => group).filter(isGroup);
  const { data } = useGroups(known.length > 0 ? `group:(${known.join(' OR ')})` : '');
  const titles = new Map(data?.groups.map((group) => [group.group, titleText(groupTitle(group))]));
  return (
    <div className="mt-2">
      <h3 className="text-faint text-xs">Failure groups of jobs that died again</h3>
      <ul>
        {outcome.groups.map(({ group, count }) => (
          <li key={group} className="flex items-baseline justify-between gap-2 text-sm">
            {isGroup(group) ? (
              <Link
                href={links.dead(operationQuery(id, group))}
                title={titles.get(group)}
                className={cn(
                  'min-w-0 truncate text-accent hover:underline',
                  !titles.has(group) && 'font-mono text-xs',
                )}
              >
                {titles.get(group) ?? group}
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

/** A recall or an undo inspects jobs that it does not concern. */
function noSkips({ moved, scanned }: Operation): string {
  if (moved >= scanned) return 'None: every inspected job was moved.';
  return `None: ${fullNumber(moved)} of ${fullNumber(scanned)} inspected jobs were to be moved, and were.`;
}

/** How many jobs were inspected, and how many of them were skipped for which reason. */
export function SkipsPanel({ operation }: { operation: Operation }) {
  const rows = sortSkips(operation.skips);
  return (
    <Panel
      title="Skipped"
      aside={
        <span>
          <Num value={operation.scanned} format="full" /> inspected
        </span>
      }
    >
      {rows.length === 0 ? (
        <p className="text-muted text-sm">
          {operation.startedAt !== null
            ? noSkips(operation)
            : operation.endedAt === null
              ? 'No job has been inspected yet.'
              : 'No job was inspected.'}
        </p>
      ) : (
        <ul className="text-sm">
          {rows.map(({ reason, count }) => (
            <li key={reason} className="flex gap-2">
              <span className="min-w-12 text-right font-medium">
                <Num value={count} format="full" />
              </span>
              <span className="text-muted">{SKIP_LABELS[reason]}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

'use client';
import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { LAB_DRILL_PLANS } from '@/lib/contract/lab/lab-drills';
import type { LabDrill } from '@/lib/contract/lab/lab-schemas';
import { fullNumber, NO_VALUE } from '@/lib/format/number';

/** Time to notice, jobs hurt and lost, and time to recover, from what Redis counted. */
export function DrillScore({ drill }: { drill: LabDrill | null }) {
  const now = useServerNow();
  const rows: readonly ScoreRow[] = [
    {
      label: 'Time to notice',
      title: 'Until the overview said something that it had not said before',
      value: drill && (drill.verdictAt ? <Duration ms={drill.verdictAt - drill.startedAt} /> : unseen(drill)),
    },
    {
      label: 'First effect',
      title: 'Until the numbers of the queues showed it; measured every two seconds',
      value: drill && (drill.noticedAt ? <Duration ms={drill.noticedAt - drill.startedAt} /> : unseen(drill)),
    },
    {
      label: 'Runs hurt',
      title: 'Runs that failed, and runs that were lost with their worker or lease',
      value: drill && `${fullNumber(drill.runsFailed)} failed, ${fullNumber(drill.runsLost)} lost`,
    },
    { label: 'Jobs died', value: drill && fullNumber(drill.died) },
    { label: 'Longest wait', value: drill && <Duration ms={drill.longestWaitMs} /> },
    {
      label: 'Jobs lost',
      title: 'Jobs that the ledger misses',
      value: drill && fullNumber(drill.lost),
      tone: drill && (drill.lost === 0 ? 'text-good' : 'text-bad'),
    },
    {
      label: 'Time to recover',
      title: 'From the stop until nothing of it was left',
      value: drill && <Recovery drill={drill} now={now} />,
    },
    ...(drill && LAB_DRILL_PLANS[drill.id].cutsConnections
      ? [
          {
            label: 'Connections closed',
            value: drill.connectionsCut === null ? 'Redis refused' : fullNumber(drill.connectionsCut),
          },
        ]
      : []),
  ];
  return (
    <section aria-label="Score" className="min-h-50">
      <dl className="text-xs">
        {rows.map(({ label, title, value, tone }) => (
          <div
            key={label}
            title={title}
            className="flex items-baseline justify-between gap-2 border-line border-b py-1 last:border-0"
          >
            <dt className="text-muted">{label}</dt>
            <dd className={cn('font-medium tabular-nums', tone)}>
              {value ?? <span className="text-faint">{NO_VALUE}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ScoreRow {
  label: string;
  title?: string;
  value: React.ReactNode;
  tone?: string | null;
}

const unseen = ({ stoppedAt }: LabDrill): string => (stoppedAt === null ? 'not yet' : 'never showed');

function Recovery({ drill: { stoppedAt, recoveredAt }, now }: { drill: LabDrill; now: number }) {
  if (stoppedAt === null) return <span className="font-normal text-faint">runs until you stop it</span>;
  if (recoveredAt !== null) return <Duration ms={recoveredAt - stoppedAt} />;
  return (
    <span className="text-warn">
      <Duration ms={Math.max(0, Math.floor((now - stoppedAt) / 1_000) * 1_000)} /> so far
    </span>
  );
}

/** Drills before the latest, one line each. */
export function PastDrills({ drills }: { drills: readonly LabDrill[] }) {
  if (drills.length === 0) return null;
  return (
    <details className="mt-2 text-xs">
      <summary className="w-fit cursor-pointer text-muted hover:underline">
        Earlier drills ({drills.length})
      </summary>
      <ul className="mt-1">
        {drills.map((drill) => (
          <li
            key={drill.startedAt}
            className="flex flex-wrap gap-x-3 border-line border-b py-1 last:border-0"
          >
            <span className="font-medium">{LAB_DRILL_PLANS[drill.id].title}</span>
            <span className="text-muted">
              {fullNumber(drill.runsFailed + drill.runsLost)} runs hurt, {fullNumber(drill.lost)} jobs lost,{' '}
              {drill.recoveredAt && drill.stoppedAt ? (
                <>
                  recovered in <Duration ms={drill.recoveredAt - drill.stoppedAt} />
                </>
              ) : (
                'recovery not seen'
              )}
            </span>
            <RelativeTime at={drill.startedAt} className="ml-auto text-faint" />
          </li>
        ))}
      </ul>
    </details>
  );
}

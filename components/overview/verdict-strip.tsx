'use client';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { CircleAlert, CircleCheck, TriangleAlert, Unplug } from '@/components/ui/icons';
import { Skeleton } from '@/components/ui/skeleton';
import { links } from '@/lib/browser/links';
import type { Overview, Verdict } from '@/lib/contract/queues/queue-schemas';
import { bytes } from '@/lib/format/bytes';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { FindingLine } from './finding-line';
import { fitFindings, type HeldFinding, heldVerdict, holdFindings, roomOf } from './held-findings';

/** Places for findings: those there were when the page was opened, within these bounds. The rest waits behind a button. */
const PLACES = { min: 2, max: 5 } as const;
const LOOKS = {
  ok: { Icon: CircleCheck, text: 'text-good', edge: 'border-l-good' },
  warn: { Icon: TriangleAlert, text: 'text-warn', edge: 'border-l-warn' },
  bad: { Icon: CircleAlert, text: 'text-bad', edge: 'border-l-bad' },
  stale: { Icon: Unplug, text: 'text-muted', edge: 'border-l-line-strong' },
} as const;
const FRAME = 'relative rounded-md border border-line border-l-3 bg-panel px-3 py-2';

/** An alert ends some time after its finding: without it the page would contradict the menu. */
export function CalmNote({ alerts }: Pick<Overview, 'alerts'>) {
  return alerts.bad + alerts.warn === 0 ? (
    'Problems and warnings appear here, causes before symptoms.'
  ) : (
    <FiringAlerts alerts={alerts} />
  );
}

function FiringAlerts({
  alerts: { bad, warn },
  className,
}: Pick<Overview, 'alerts'> & { className?: string }) {
  const firing = bad + warn;
  if (firing === 0) return null;
  return (
    <Link href={links.alerts()} className={cn('rounded-xs text-accent hover:underline', className)}>
      {count(firing, 'alert')} {firing === 1 ? 'is' : 'are'} firing
    </Link>
  );
}

/**
 * Problems and warnings, causes before symptoms, each linked to its evidence. Its height stays the same while findings come and go, since
 * everything on the page stands below it.
 */
export function VerdictStrip({
  overview,
  isStale = false,
}: {
  overview: Overview;
  /** Nothing newer arrives: what was true then may not be true now. */
  isStale?: boolean;
}) {
  const { total, redis } = overview;
  const [all, setAll] = useState(false);
  const [{ places, room }] = useState(() => placesOf(overview.verdict.findings));
  const findings = useHeldFindings(overview.verdict.findings, overview.at);
  const verdict = heldVerdict(overview.verdict, findings);
  const unlisted = verdict.total.bad + verdict.total.warn - verdict.findings.length;
  const shown = all ? findings : fitFindings(findings, places, room);
  const more = unlisted + countStanding(findings) - countStanding(shown);
  const { Icon, text, edge } = LOOKS[isStale ? 'stale' : lookOf({ ...overview, verdict })];
  return (
    <section aria-label="Verdict" data-level={isStale ? 'stale' : verdict.level} className={cn(FRAME, edge)}>
      <div className="flex h-6 items-center gap-2 sm:pr-76">
        <h2 className={cn('min-w-0 font-semibold text-base', text)}>
          <span role="status" className="flex items-center gap-2">
            <Icon aria-hidden className="size-4 shrink-0" />
            <span className="truncate">
              {isStale && 'Last known: '}
              {headline({ ...overview, verdict })}
            </span>
          </span>
        </h2>
        {verdict.level !== 'ok' && <FiringAlerts alerts={overview.alerts} className="shrink-0 text-sm" />}
        {(all || more > 0) && (
          <Button
            size="sm"
            variant="ghost"
            className="shrink-0"
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {all ? 'Show fewer' : `Show ${count(more, 'more finding')}`}
          </Button>
        )}
      </div>
      <div
        className={cn('mt-1 pl-6', !all && `${PLACE_HEIGHT} overflow-hidden`)}
        style={{ '--places': places, '--room': `${room}rem` } as React.CSSProperties}
      >
        {shown.length > 0 ? (
          <ul>
            {shown.map(({ finding, endedAt }) => (
              <FindingLine
                key={finding.id}
                finding={finding}
                isOver={endedAt !== null}
                isWhole={all}
                queues={overview.queues}
                pauses={overview.sums.pauses.named}
              />
            ))}
          </ul>
        ) : (
          <p className="text-muted max-sm:text-xs sm:leading-6">
            {total > 0 && (
              <span className="sm:block">
                Queues are held against their objectives for age, failure rate and depth.{' '}
              </span>
            )}
            <span className="sm:block">
              <CalmNote alerts={overview.alerts} />
            </span>
          </p>
        )}
      </div>
      {all && unlisted > 0 && (
        <p className="mt-1 pl-6 text-muted text-sm">
          and {fullNumber(unlisted)} more: the queues below are listed worst first
        </p>
      )}
      <RedisLine redis={redis} />
    </section>
  );
}

const countStanding = (findings: readonly HeldFinding[]) =>
  findings.filter(({ endedAt }) => endedAt === null).length;

/** One line of text a finding; on a phone two or three small ones, or two and its actions. */
const PLACE_HEIGHT = 'h-(--room) sm:h-[calc(var(--places)*1.5rem)]';
/** On a phone: of two findings with actions. */
const MIN_ROOM_REM = 7;

function placesOf(findings: Verdict['findings']): { places: number; room: number } {
  const places = Math.max(PLACES.min, Math.min(PLACES.max, findings.length));
  return { places, room: Math.max(MIN_ROOM_REM, roomOf(findings.slice(0, places))) };
}

function useHeldFindings(findings: Verdict['findings'], at: number): readonly HeldFinding[] {
  const [before, setBefore] = useState<readonly HeldFinding[]>([]);
  useEffect(() => setBefore((held) => holdFindings(held, findings, at)), [findings, at]);
  return holdFindings(before, findings, at);
}

/** Not green while an alert fires. */
export const lookOf = ({ verdict, alerts }: Pick<Overview, 'verdict' | 'alerts'>): Verdict['level'] =>
  verdict.level === 'ok' && alerts.bad + alerts.warn > 0 ? 'warn' : verdict.level;

export function headline({
  verdict,
  total: queues,
  unread,
  alerts,
}: Pick<Overview, 'verdict' | 'total' | 'unread' | 'alerts'>): string {
  const {
    level,
    total: { bad, warn },
  } = verdict;
  const firing = alerts.bad + alerts.warn;
  if (level === 'ok' && queues === 0) return 'Ready for the first job';
  if (level === 'ok')
    return `No problems in ${unread > 0 ? `${fullNumber(queues - unread)} of ` : ''}${count(queues, 'queue')}${firing > 0 ? `, but ${count(firing, 'alert')}` : ''}`;
  if (bad === 0) return count(warn, 'warning');
  const wrong = count(bad, 'problem');
  return warn === 0 ? wrong : `${wrong}, ${count(warn, 'warning')}`;
}

export function VerdictSkeleton() {
  return (
    <div className={FRAME}>
      <div className="flex h-6 items-center justify-between">
        <Skeleton className="h-4 w-56" />
        <Skeleton className="w-64 max-sm:hidden" />
      </div>
      <div
        className={cn('mt-1', PLACE_HEIGHT)}
        style={{ '--places': PLACES.min, '--room': `${MIN_ROOM_REM}rem` } as React.CSSProperties}
      />
      <div className="mt-2 h-4 sm:hidden" />
    </div>
  );
}

/** Redis: version, round trip and memory, or that it does not answer. */
function RedisLine({ redis }: { redis: Overview['redis'] }) {
  const className = 'text-xs max-sm:mt-2 max-sm:pl-6 sm:absolute sm:top-3 sm:right-3';
  if (redis.error !== null)
    return (
      <p title={redis.error} className={cn('font-medium text-bad', className)}>
        Redis does not answer
      </p>
    );
  return (
    <p className={cn('flex flex-wrap gap-x-3 text-muted', className)}>
      <span>Redis {redis.version ?? '(version unknown)'}</span>
      <span>
        round trip <span className="text-fg">{milliseconds(redis.roundTripMs)}</span>
      </span>
      <span>
        memory <span className="text-fg">{bytes(redis.usedMemoryBytes)}</span>
      </span>
    </p>
  );
}

/** Two decimals under 10 ms, where tenths matter. */
function milliseconds(ms: number | null): string {
  if (ms === null) return '–';
  return `${ms < 10 ? ms.toFixed(2) : Math.round(ms)} ms`;
}

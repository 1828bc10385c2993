'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { HistoryPlace } from '@/components/shared/history/history-place';
import { LoadError } from '@/components/shared/load-error';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { UsersRound } from '@/components/ui/icons';
import { lazyPart, lazyWithHtml } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { useNow } from '@/components/ui/text/clock-provider';
import { DataAge } from '@/components/ui/text/relative-time';
import { usePhone } from '@/components/ui/use-phone';
import { useMe } from '@/lib/browser/access/use-me';
import { seesWholeQueues } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useLiveStatus } from '@/lib/browser/live/live-provider';
import { useOverview } from '@/lib/browser/live/use-overview';
import { useMinutes } from '@/lib/browser/queues/use-minutes';
import type { Me } from '@/lib/contract/access/access-schemas';
import { scopeOfPermission } from '@/lib/contract/access/grant-scopes';
import type { Overview, QueueRow } from '@/lib/contract/queues/queue-schemas';
import { QueueCards } from './queue-cards';
import { QueueListPanel } from './queue-list-panel';
import { QueueTable } from './queue-table';
import { useQueueList } from './use-queue-list';
import { VerdictSkeleton, VerdictStrip } from './verdict-strip';

const GettingStarted = lazyWithHtml(
  () => import('./getting-started').then((module) => module.GettingStarted),
  null,
);
const HistoryPanel = lazyPart(
  () => import('@/components/shared/history/history-panel').then((module) => module.HistoryPanel),
  <HistoryPlace title="All queues" charts={6} />,
  { soon: true },
);

/** Has access to whole queues and to some tenants of others. */
const seesMore = ({ grants }: Me): boolean =>
  scopeOfPermission(grants, 'view').some(({ tenants }) => tenants !== null);

/** Until the browser knows how wide it is, both lists are in the page: of the one for phones, what their first screen shows. */
const FIRST_CARDS = 4;
const firstOf = (queues: readonly QueueRow[] | null, rows: number) => queues?.slice(0, rows) ?? null;

/** The verdict, the queues, worst first, and the past of all together. */
export function OverviewPage() {
  const query = useOverview();
  const { data: overview, error } = query;
  const list = useQueueList(overview);
  const { queues, missing } = list;
  const minutes = useMinutes(missing > 0 ? null : (queues?.map(({ queue }) => queue) ?? null));
  const phone = usePhone();
  const me = useMe().data;
  const isStale = useIsStale(overview);
  if (!overview && error) {
    return <LoadError title="The overview could not be loaded" query={query} />;
  }
  if (me && !seesWholeQueues(me)) return <TenantOverview me={me} />;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!overview}>
      {overview ? <VerdictStrip overview={overview} isStale={isStale} /> : <VerdictSkeleton />}
      {overview?.total === 0 ? (
        <GettingStarted />
      ) : (
        <>
          <QueueListPanel list={list} total={overview?.total}>
            {phone !== false && (
              <div className="md:hidden">
                <QueueCards queues={phone === null ? firstOf(queues, FIRST_CARDS) : queues} />
              </div>
            )}
            {phone !== true && (
              <div className="max-md:hidden">
                <QueueTable
                  queues={queues}
                  missing={missing}
                  minutes={minutes}
                  totals={overview?.sums ?? null}
                  all={overview?.total ?? 0}
                  label={list.view.sort === 'trouble' ? 'Queues, worst first' : 'Queues'}
                />
              </div>
            )}
          </QueueListPanel>
          <HistoryPanel title="All queues" isReady={overview !== undefined} />
          {me && seesMore(me) && (
            <p className="text-faint text-xs">
              In other queues you have access to the jobs of some tenants. They are not counted here: see Dead
              letters.
            </p>
          )}
        </>
      )}
    </div>
  );
}

const STALE_AFTER_MS = 5_000;
/** What is stale for a moment only must not change the verdict's colour twice. */
const VERDICT_STALE_AFTER_MS = 15_000;

/** Age of the oldest numbers. With very many queues they are sampled in turns, which is not stale. */
export function OverviewAge() {
  const overview = useOverview().data;
  const turnsMs = overview ? overview.at - overview.oldestAt : 0;
  return <DataAge at={overview?.oldestAt} staleAfterMs={STALE_AFTER_MS + turnsMs} />;
}

/** The console does not answer, or what it said is old: nothing is known of now. */
function useIsStale(overview: Overview | undefined): boolean {
  const status = useLiveStatus();
  const now = useNow(5_000);
  if (status === 'offline' || overview === undefined) return overview !== undefined;
  // By its age alone a clock that jumped would make a live page stale.
  const isInterrupted = status !== 'live' || overview.fresh === false;
  return isInterrupted && now - overview.at > VERDICT_STALE_AFTER_MS;
}

const SHOWN = 20;

/** For users limited to some tenants: numbers of whole queues include other tenants. */
function TenantOverview({ me }: { me: Me }) {
  const areas = scopeOfPermission(me.grants, 'view');
  const tenants = [...new Set(areas.flatMap((area) => area.tenants ?? []))];
  const queues = [...new Set(areas.map(({ queue }) => queue))].filter((queue) => !queue.endsWith('*'));
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      <Panel>
        <EmptyState
          icon={<UsersRound />}
          title="You have access to the jobs of some tenants"
          action={
            <Button asChild variant="primary">
              <Link href={links.dead() as Route}>Go to their dead letters</Link>
            </Button>
          }
        >
          Numbers of whole queues include other tenants, so they are not shown. Your tenants:{' '}
          <span className="text-fg">{tenants.slice(0, SHOWN).join(', ')}</span>
          {tenants.length > SHOWN && ' and more'}.
        </EmptyState>
        {queues.length > 0 && (
          <ul aria-label="Queues" className="flex flex-wrap justify-center gap-x-4 gap-y-1 pb-6 text-sm">
            {queues.slice(0, SHOWN).map((queue) => (
              <li key={queue}>
                <Link href={links.queue(queue)} className="text-accent hover:underline">
                  {queue}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

'use client';
import { useMemo } from 'react';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { usePhone } from '@/components/ui/use-phone';
import { seesWholeQueues } from '@/lib/client/permissions';
import { useMe } from '@/lib/client/use-me';
import { useOverview } from '@/lib/client/use-overview';
import type { Me } from '@/lib/contract/access';
import { areasOf } from '@/lib/contract/permissions';
import { GettingStarted } from './getting-started';
import { QueueCards } from './queue-cards';
import { BAR_FROM_QUEUES, NothingFound, QueueListBar, QueueListPages } from './queue-list-bar';
import { QueueTable } from './queue-table';
import { minutesOf } from './summary';
import { TenantsOnly } from './tenants-only';
import { ThroughputPanel } from './throughput-panel';
import { useQueueList } from './use-queue-list';

import { VerdictSkeleton, VerdictStrip } from './verdict-strip';

/** Beside whole queues, some tenants' jobs of others. */
const seesMore = ({ grants }: Me): boolean => areasOf(grants, 'view').some(({ tenants }) => tenants !== null);

/** Whether anything is wrong, where, and since when: the answer to the first five seconds. */
export function OverviewPage() {
  const { data: overview, error, refetch, isFetching } = useOverview();
  const list = useQueueList(overview);
  const { queues, page } = list;
  const points = useMemo(() => (overview ? minutesOf(overview.sums) : null), [overview]);
  const phone = usePhone();
  const me = useMe().data;
  if (!overview && error) {
    return (
      <ErrorState
        title="The overview could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={refetch}
      />
    );
  }
  const nothing = page?.matching === 0 && list.view.q !== '';
  const empty = overview?.total === 0;
  const hasBar = overview !== undefined && (overview.total >= BAR_FROM_QUEUES || list.isAsked);
  if (me && !seesWholeQueues(me)) return <TenantsOnly me={me} />;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!overview}>
      {overview ? <VerdictStrip overview={overview} /> : <VerdictSkeleton />}
      {empty ? (
        <GettingStarted />
      ) : (
        <>
          {phone !== false && (
            <Panel flush className="md:hidden">
              {hasBar && <QueueListBar list={list} all={overview.total} />}
              {nothing ? <NothingFound list={list} /> : <QueueCards queues={queues} />}
              {page && !nothing && <QueueListPages list={list} page={page} />}
            </Panel>
          )}
          {phone !== true && (
            <Panel flush className="max-md:hidden">
              {hasBar && <QueueListBar list={list} all={overview.total} />}
              {nothing ? (
                <NothingFound list={list} />
              ) : (
                <QueueTable
                  queues={queues}
                  totals={overview?.sums ?? null}
                  all={overview?.total ?? 0}
                  label={list.view.sort === 'trouble' ? 'Queues, worst first' : 'Queues'}
                />
              )}
              {page && !nothing && <QueueListPages list={list} page={page} />}
            </Panel>
          )}
          <ThroughputPanel points={points} />
          {me && seesMore(me) && (
            <p className="text-faint text-xs">
              Of other queues you see the jobs of some tenants. They are not counted here: find them under
              Dead letters.
            </p>
          )}
        </>
      )}
    </div>
  );
}

'use client';
import { useState } from 'react';
import { LoadError } from '@/components/shared/load-error';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ArrowUp, ScrollText } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Dialog } from '@/components/ui/overlays/lazy-dialogs';
import { Panel } from '@/components/ui/panel';
import { Pagination } from '@/components/ui/tables/pagination';
import { useMe } from '@/lib/browser/access/use-me';
import { useGrant, useMay } from '@/lib/browser/access/use-permissions';
import { isFirstPart } from '@/lib/browser/api/hydration';
import { AUDIT_PAGE_LIMIT, useAuditPage, useNewerThan, useSeesWholeLog } from '@/lib/browser/use-audit';
import { fullNumber } from '@/lib/format/number';
import { count, plural } from '@/lib/format/plural';
import { AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { type AuditRow, toAuditRows } from './operation-rows';
import { useAuditView } from './use-audit-view';

const AuditEventDialog = lazyPart(() =>
  import('./audit-event-dialog').then((module) => module.AuditEventDialog),
);

/** Audit events, newest first. The list does not move while it is read; a button shows new events. */
export function AuditPage() {
  const view = useAuditView();
  const { filter, cursor, setCursor } = view;
  const query = useAuditPage(filter, cursor);
  const { data: page, error, refetch, isFetching, isPlaceholderData } = query;
  const [opened, setOpened] = useState<AuditRow | null>(null);
  if (error && !page) {
    return (
      <LoadError
        title="The audit log could not be loaded"
        query={query}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void query.refetch())}
      />
    );
  }
  const narrowed = Object.keys(filter).length > 0;
  const shown = page?.events.length ?? 0;
  // A search for rare events ran out of its budget before the page was full.
  const early =
    page !== undefined && page.nextCursor !== null && shown < page.scanned && shown < AUDIT_PAGE_LIMIT;
  // The page comes with its first events; the room of the others is kept.
  const isPart = isFirstPart(query);
  const missing = isPart && page?.nextCursor ? Math.max(0, AUDIT_PAGE_LIMIT - shown) : 0;
  const rows = page ? toAuditRows(page.events) : null;
  const isFolded = rows !== null && rows.length < shown;
  const none = page !== undefined && shown === 0 && cursor === null && !narrowed && page.nextCursor === null;
  const further = () => setCursor(page?.nextCursor ?? null);
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      <Sight />
      {error && page && (
        <Callout tone="bad" title="Could not refresh: showing an older page.">
          {error.detail}
        </Callout>
      )}
      <Panel flush>
        {none ? (
          <EmptyState icon={<ScrollText />} title="No audit events">
            Every change by a user or an API token is recorded here: who, what, when, from where and why.
          </EmptyState>
        ) : (
          <>
            <AuditFilters view={view} />
            {page && (
              <NewEntries
                newest={cursor === null ? (page.events[0]?.n ?? 0) : null}
                view={view}
                pending={isFetching}
                onShow={() => void refetch()}
              />
            )}
            <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
              <AuditTable
                rows={rows}
                missing={missing}
                empty={
                  early ? (
                    <>
                      No match in the {fullNumber(page.scanned)} events scanned.{' '}
                      <Button size="sm" onClick={further}>
                        Continue search
                      </Button>
                    </>
                  ) : narrowed ? (
                    'No event matches.'
                  ) : (
                    'No more events.'
                  )
                }
                onOpen={setOpened}
              />
            </div>
            {/* Placeholders are of another height than the events, of which several make one row: below them it would move. */}
            {page && !isPart && (
              <Pagination
                shown={shown}
                noun={`${plural(shown, 'event')}${isFolded ? ` in ${count(rows.length, 'row')}` : ''}`}
                note={
                  <>
                    scanned {fullNumber(page.scanned)} of {fullNumber(page.of)}
                    {page.pending > 0 && `, ${fullNumber(page.pending)} pending`}
                    {early && shown > 0 && (
                      <>
                        {' '}
                        <Button size="sm" variant="ghost" onClick={further}>
                          Continue search
                        </Button>
                      </>
                    )}
                  </>
                }
                isFirst={cursor === null}
                hasNext={page.nextCursor !== null}
                pending={isPlaceholderData}
                onFirst={() => setCursor(null)}
                onNext={further}
              />
            )}
          </>
        )}
      </Panel>
      <Dialog open={opened !== null} onOpenChange={(open) => !open && setOpened(null)}>
        {opened && <AuditEventDialog row={opened} />}
      </Dialog>
    </div>
  );
}

/** Says which part of the log the user sees, unless it is all of it. */
function Sight() {
  const whole = useSeesWholeLog();
  const some = useMay('audit');
  const me = useMe().data;
  const areas = useGrant('audit');
  if (whole || !me) return null;
  const queues = [...new Set(areas.filter(({ tenants }) => tenants === null).map(({ queue }) => queue))];
  return (
    <Callout
      title={some && queues.length > 0 ? 'You see part of the audit log.' : 'You see only your own events.'}
    >
      {some && queues.length > 0
        ? `Events of ${queues.slice(0, 5).join(', ')}${queues.length > 5 ? ' and more' : ''}, and your own.`
        : 'To see events of other users, you need the permission "audit".'}
    </Callout>
  );
}

/** Floats above the table, so that no row moves before the button is pressed. */
function NewEntries({
  newest,
  view: { filter },
  pending,
  onShow,
}: {
  newest: number | null;
  view: ReturnType<typeof useAuditView>;
  pending: boolean;
  onShow: () => void;
}) {
  const { count: n, more } = useNewerThan(filter, newest);
  return (
    <div role="status" className="sticky top-12 z-20 h-0 text-center">
      {n > 0 && (
        <Button
          size="sm"
          className="relative top-0.5 border-accent bg-raised text-fg shadow-sm"
          pending={pending}
          onClick={onShow}
        >
          <ArrowUp aria-hidden />
          {more ? `${n} or more new events` : count(n, 'new event')}: show
        </Button>
      )}
    </div>
  );
}

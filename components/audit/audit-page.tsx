'use client';
import { ArrowUp, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { useMay, useWithin } from '@/lib/client/permissions';
import { useAuditPage, useNewerThan, useSeesWholeLog } from '@/lib/client/use-audit';
import { useMe } from '@/lib/client/use-me';
import type { AuditEntry } from '@/lib/contract/audit';
import { full } from '@/lib/format/number';
import { count, plural } from '@/lib/format/plural';
import { AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { EntryDialog } from './entry-dialog';
import { useAuditView } from './use-audit-view';

/** Who did what, newest first. It holds still while it is read, and says how many came since. */
export function AuditPage() {
  const view = useAuditView();
  const { filter, cursor, setCursor } = view;
  const { data: page, error, refetch, isFetching, isPlaceholderData } = useAuditPage(filter, cursor);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  if (error && !page) {
    return (
      <ErrorState
        title="The audit log could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
      />
    );
  }
  const narrowed = Object.keys(filter).length > 0;
  const shown = page?.entries.length ?? 0;
  // Looking for something rare ends before a page is full: there may be more further back.
  const early = page !== undefined && page.nextCursor !== null && shown < page.scanned && shown < EARLY_BELOW;
  const none = page !== undefined && shown === 0 && cursor === null && !narrowed && page.nextCursor === null;
  const further = () => setCursor(page?.nextCursor ?? null);
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      <Sight />
      {error && page && (
        <Callout tone="bad" title="This is not the newest.">
          {error.detail}
        </Callout>
      )}
      <Panel flush>
        {none ? (
          <EmptyState icon={<ScrollText />} title="Nothing is on record yet">
            Every change by a person or a token is kept here: who, what, when, from where and why.
          </EmptyState>
        ) : (
          <>
            <AuditFilters view={view} />
            {page && (
              <NewEntries
                newest={cursor === null ? (page.entries[0]?.n ?? 0) : null}
                view={view}
                pending={isFetching}
                onShow={() => void refetch()}
              />
            )}
            <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
              <AuditTable
                entries={page?.entries ?? null}
                empty={
                  early ? (
                    <>
                      Nothing matches among the {full(page.scanned)} entries looked at.{' '}
                      <Button size="sm" onClick={further}>
                        Look further
                      </Button>
                    </>
                  ) : narrowed ? (
                    'No entry matches.'
                  ) : (
                    'No more entries.'
                  )
                }
                onOpen={setOpened}
              />
            </div>
            <Pagination
              shown={shown}
              noun={plural(shown, 'entry', 'entries')}
              note={
                page && (
                  <>
                    scanned {full(page.scanned)} of {full(page.of)}
                    {page.pending > 0 && `, ${full(page.pending)} on their way`}
                    {early && shown > 0 && (
                      <>
                        {' '}
                        <Button size="sm" variant="ghost" onClick={further}>
                          Look further
                        </Button>
                      </>
                    )}
                  </>
                )
              }
              isFirst={cursor === null}
              hasNext={page !== undefined && page.nextCursor !== null}
              pending={isPlaceholderData}
              onFirst={() => setCursor(null)}
              onNext={further}
            />
          </>
        )}
      </Panel>
      <Dialog open={opened !== null} onOpenChange={(open) => !open && setOpened(null)}>
        {opened && <EntryDialog entry={opened} />}
      </Dialog>
    </div>
  );
}

/** A page that ends with fewer was not full, but out of time. */
const EARLY_BELOW = 50;

/** What of the log is theirs to see, where it is not all of it. */
function Sight() {
  const whole = useSeesWholeLog();
  const some = useMay('audit');
  const me = useMe().data;
  const areas = useWithin('audit');
  if (whole || !me) return null;
  const queues = [...new Set(areas.filter(({ tenants }) => tenants === null).map(({ queue }) => queue))];
  return (
    <Callout
      title={some && queues.length > 0 ? 'You see part of the log.' : 'You see your own entries only.'}
    >
      {some && queues.length > 0
        ? `What was done to ${queues.slice(0, 5).join(', ')}${queues.length > 5 ? ' and more' : ''}, and what you did yourself.`
        : 'What others did takes the permission "audit", which you do not have.'}
    </Callout>
  );
}

/** Lies over the table and takes no room: nothing that is being read moves before one asks for it. */
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
          {more ? `${n} or more new entries` : count(n, 'new entry', 'new entries')}: show
        </Button>
      )}
    </div>
  );
}

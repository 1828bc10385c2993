'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ColumnHeads, FullRow, Table, TBody, Td, Tr } from '@/components/ui/table';
import { type SessionsPage, useEndAnySession, useSessionsPage } from '@/lib/client/use-access';
import { useMe } from '@/lib/client/use-me';
import { useEndOtherSessions } from '@/lib/client/use-sessions';
import { agentWords } from '@/lib/format/agent';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';
import { useAccessView } from './use-access-view';
import { Whose } from './whose';
import { wayWords } from './words';

type Session = SessionsPage['sessions'][number];

const COLUMNS = [
  { head: 'Person', width: 180 },
  { head: 'Came in by', width: 116 },
  { head: 'Browser', width: undefined },
  { head: 'From', width: 150 },
  { head: 'Began', width: 92 },
  { head: 'Last seen', width: 92 },
  { head: 'Ends by itself', width: 104 },
  { head: 'Actions', width: 84 },
] as const;
const SHOWN_MAX = 300;

/** Where people are signed in. The one that looks comes first, then the latest begun, so that rows keep their place. */
export function SessionsPanel() {
  const { all } = useAccessView();
  const { data: page, error, refetch, isFetching } = useSessionsPage(all);
  if (error && !page) {
    return (
      <ErrorState
        title="The sessions could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const sessions =
    page?.sessions.toSorted(
      (a, b) => Number(b.current) - Number(a.current) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
    ) ?? null;
  return (
    <Panel flush>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-1.5">
        <Whose what="sessions" />
        <p className="text-faint text-xs" aria-live="polite">
          {sessions && count(sessions.length, 'session')}
        </p>
        <span className="ml-auto">
          <EndOthers sessions={sessions} />
        </span>
      </div>
      {sessions?.length === 0 ? (
        <EmptyState title="There is no session">Nobody is asked to sign in here.</EmptyState>
      ) : (
        <Table label="Sessions" className="min-w-[62rem] table-fixed">
          <ColumnHeads columns={COLUMNS} />
          <TBody>
            {sessions === null && <SkeletonRows columns={COLUMNS.length} rows={4} />}
            {sessions?.slice(0, SHOWN_MAX).map((session) => (
              <Row key={session.id} session={session} />
            ))}
            {sessions && sessions.length > SHOWN_MAX && (
              <FullRow span={COLUMNS.length}>
                {full(sessions.length - SHOWN_MAX)} older ones are not shown.
              </FullRow>
            )}
          </TBody>
        </Table>
      )}
    </Panel>
  );
}

function Row({ session }: { session: Session }) {
  const [asked, setAsked] = useState(false);
  const { personName, way, agent, address, createdAt, seenAt, expiresAt, current } = session;
  const words = visible(agentWords(agent));
  return (
    <Tr>
      <Td truncate title={visible(session.personId)}>
        <span className="font-medium">{visible(personName)}</span>
        {current && (
          <Badge tone="accent" className="ml-1.5">
            this one
          </Badge>
        )}
      </Td>
      <Td className="text-muted">{wayWords(way)}</Td>
      <Td truncate title={visible(agent)}>
        {words}
      </Td>
      <Td truncate className="text-muted">
        {visible(address)}
      </Td>
      <Td>
        <RelativeTime at={createdAt} className="text-muted" />
      </Td>
      <Td>
        <RelativeTime at={seenAt} className="text-muted" />
      </Td>
      <Td>
        <RelativeTime at={expiresAt} className="text-muted" />
      </Td>
      <Td>
        <Button
          size="sm"
          blocked={current ? 'This is the one you look with: sign out instead.' : null}
          aria-label={`End the session of ${visible(personName)} with ${words}`}
          onClick={() => setAsked(true)}
        >
          End
        </Button>
        {asked && <EndDialog session={session} onClose={() => setAsked(false)} />}
      </Td>
    </Tr>
  );
}

/** Somebody else's takes a reason: they will ask. */
function EndDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { mutate, isPending, error } = useEndAnySession();
  const { id, personId, personName, agent, address, seenAt } = session;
  const own = useMe().data?.id === personId;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="End this session?"
      description="Whoever uses it is asked to sign in again."
      facts={[
        { label: 'Person', value: visible(personName) },
        { label: 'Browser', value: visible(agentWords(agent)) },
        { label: 'From', value: visible(address) },
        { label: 'Last seen', value: <RelativeTime at={seenAt} /> },
      ]}
      confirmLabel="End session"
      destructive
      reason={own ? 'none' : 'required'}
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id, reason: reason || undefined },
          {
            onSuccess: () => {
              toast.success('Session ended');
              onClose();
            },
          },
        )
      }
    />
  );
}

function EndOthers({ sessions }: { sessions: readonly Session[] | null }) {
  const [asked, setAsked] = useState(false);
  const { mutate, isPending, error } = useEndOtherSessions();
  const me = useMe().data?.id;
  const others = sessions?.filter(({ current, personId }) => !current && personId === me).length ?? 0;
  return (
    <>
      <Button variant="danger-quiet" disabled={others === 0} onClick={() => setAsked(true)}>
        End your others…
      </Button>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title="End all your other sessions?"
          description="You stay signed in here only."
          facts={[{ label: 'Ends', value: count(others, 'session') }]}
          confirmLabel="End them"
          destructive
          pending={isPending}
          error={error?.detail}
          onConfirm={() =>
            mutate(undefined, {
              onSuccess: ({ ended }) => {
                toast.success(`${count(ended, 'other session')} ended`);
                setAsked(false);
              },
            })
          }
        />
      )}
    </>
  );
}

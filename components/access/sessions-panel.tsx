'use client';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { LoadError } from '@/components/shared/load-error';
import { useDialog } from '@/components/shared/use-dialog';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { toast } from '@/components/ui/overlays/toast';
import { pageActions } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useEndOtherSessions, useEndSession, useSessionsPage } from '@/lib/browser/access/use-access';
import { useMe } from '@/lib/browser/access/use-me';
import { methodLabel } from '@/lib/contract/access/access-labels';
import type { SessionView } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { describeUserAgent } from '@/lib/format/user-agent';
import { OwnerFilter } from './owner-filter';
import { useAccessView } from './use-access-view';

const SHOWN_MAX = 300;
const TABLE = 'sessions';

/** Sessions: the current one first, then the newest, so that rows keep their position. */
export function SessionsPanel() {
  const { all } = useAccessView();
  const query = useSessionsPage(all);
  const { data: page, error } = query;
  if (error && !page) {
    return <LoadError title="The sessions could not be loaded" query={query} />;
  }
  const sessions =
    page?.sessions.toSorted(
      (a, b) => Number(b.current) - Number(a.current) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
    ) ?? null;
  return (
    <Panel flush>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-1.5">
        <OwnerFilter what="sessions" />
        <p className="text-faint text-xs" aria-live="polite">
          {sessions && count(sessions.length, 'session')}
        </p>
        <span className="ml-auto flex items-center gap-2">
          <TableViewButton name={TABLE} columns={COLUMNS} />
          <span {...pageActions}>
            <EndOthers sessions={sessions} />
          </span>
        </span>
      </div>
      {sessions?.length === 0 ? (
        <EmptyState title="No sessions">This console has no sign-in.</EmptyState>
      ) : (
        <DataTable
          label="Sessions"
          name={TABLE}
          columns={COLUMNS}
          rows={sessions?.slice(0, SHOWN_MAX) ?? null}
          rowKey={({ id }) => id}
          skeletonRows={4}
          more={
            sessions &&
            sessions.length > SHOWN_MAX &&
            `${fullNumber(sessions.length - SHOWN_MAX)} older sessions are not shown.`
          }
        />
      )}
    </Panel>
  );
}

const END = ['end-session'] as const;
const END_OTHERS = ['end-others'] as const;

function EndSession({ session }: { session: SessionView }) {
  const [asked, ask] = useDialog(END, () => !session.current, session.id);
  return (
    <>
      <Button
        size="sm"
        blocked={session.current ? 'This is your current session: sign out instead.' : null}
        aria-label={`End the session of ${revealHidden(session.userName)} with ${browserOf(session)}`}
        onClick={() => ask('end-session')}
      >
        End
      </Button>
      {asked && <EndDialog session={session} onClose={() => ask(null)} />}
    </>
  );
}

const browserOf = ({ agent }: SessionView): string => revealHidden(describeUserAgent(agent));
const timeColumn = (
  key: 'createdAt' | 'seenAt' | 'expiresAt',
  head: string,
  width: number,
  narrow: string,
): DataColumn<SessionView> => ({
  key,
  head,
  width,
  narrow,
  cell: (session) => <RelativeTime at={session[key]} className="text-muted" />,
});

const COLUMNS: readonly DataColumn<SessionView>[] = [
  {
    key: 'user',
    head: 'User',
    pinned: true,
    title: ({ userId }) => revealHidden(userId),
    cell: ({ userName, current }) => (
      <>
        <span className="font-medium">{revealHidden(userName)}</span>
        {current && (
          <Badge tone="accent" className="ml-1.5">
            current
          </Badge>
        )}
      </>
    ),
  },
  {
    key: 'method',
    head: 'Signed in with',
    width: 116,
    narrow: '@max-4xl:hidden',
    cellClassName: 'text-muted',
    cell: ({ method }) => methodLabel(method),
  },
  { key: 'browser', head: 'Browser', title: ({ agent }) => revealHidden(agent), cell: browserOf },
  {
    key: 'address',
    head: 'Address',
    width: 150,
    narrow: '@max-3xl:hidden',
    cellClassName: 'text-muted',
    cell: ({ address }) => revealHidden(address),
  },
  timeColumn('createdAt', 'Started', 92, '@max-5xl:hidden'),
  timeColumn('seenAt', 'Last seen', 92, '@max-xl:hidden'),
  timeColumn('expiresAt', 'Expires', 104, '@max-5xl:hidden'),
  {
    key: 'actions',
    head: 'Actions',
    width: 84,
    truncate: false,
    cell: (session) => <EndSession session={session} />,
  },
];

/** Ending another user's session needs a reason. */
function EndDialog({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const { id, userId, userName, address, seenAt } = session;
  const own = useMe().data?.id === userId;
  return (
    <ConfirmWrite
      title="End this session?"
      description="The user has to sign in again."
      facts={[
        { label: 'User', value: revealHidden(userName) },
        { label: 'Browser', value: browserOf(session) },
        { label: 'Address', value: revealHidden(address) },
        { label: 'Last seen', value: <RelativeTime at={seenAt} /> },
      ]}
      confirmLabel="End session"
      destructive
      reason={own ? 'none' : 'required'}
      write={useEndSession()}
      input={(reason) => ({ id, reason: reason || undefined })}
      onDone={() => toast.success('Session ended')}
      onClose={onClose}
    />
  );
}

function EndOthers({ sessions }: { sessions: readonly SessionView[] | null }) {
  const me = useMe().data?.id;
  const others = sessions?.filter(({ current, userId }) => !current && userId === me).length ?? 0;
  const [asked, ask] = useDialog(END_OTHERS, () => others > 0);
  return (
    <>
      <Button variant="danger-quiet" disabled={others === 0} onClick={() => ask('end-others')}>
        Sign out other sessions…
      </Button>
      {asked && <EndOthersDialog others={others} onClose={() => ask(null)} />}
    </>
  );
}

function EndOthersDialog({ others, onClose }: { others: number; onClose: () => void }) {
  return (
    <ConfirmWrite
      title="Sign out all your other sessions?"
      description="You stay signed in only in this browser."
      facts={[{ label: 'Signs out', value: count(others, 'session') }]}
      confirmLabel="Sign out other sessions"
      destructive
      write={useEndOtherSessions()}
      input={() => undefined}
      onDone={({ ended }) => toast.success(`${count(ended, 'other session')} ended`)}
      onClose={onClose}
    />
  );
}

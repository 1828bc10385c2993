'use client';
import { LoadError } from '@/components/shared/load-error';
import { useDialog } from '@/components/shared/use-dialog';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { KeyRound, Plus } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { pageActions } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useTokens } from '@/lib/browser/access/use-access';
import { useMe } from '@/lib/browser/access/use-me';
import type { TokenView } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { NarrowGrants, PastTime, ROLES_COLUMN } from './grants-cell';
import { OwnerFilter } from './owner-filter';
import { TokenActions, TokenExpiry } from './token-actions';
import { useAccessView } from './use-access-view';

const NewTokenDialog = lazyPart(() => import('./new-token-dialog').then((module) => module.NewTokenDialog));

const TABLE = 'tokens';

/** API tokens of the user, or of all users. */
export function TokensPanel() {
  const { all } = useAccessView();
  const query = useTokens(all);
  const { data: page, error } = query;
  if (error && !page) {
    return <LoadError title="The tokens could not be loaded" query={query} />;
  }
  const tokens = page?.tokens.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)) ?? null;
  return (
    <Panel flush>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-1.5">
        <OwnerFilter what="tokens" />
        <p className="text-faint text-xs" aria-live="polite">
          {tokens && count(tokens.length, 'token')}
        </p>
        <span className="ml-auto flex items-center gap-2">
          <TableViewButton name={TABLE} columns={COLUMNS} />
          <span {...pageActions}>
            <NewToken />
          </span>
        </span>
      </div>
      {tokens?.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={all ? 'No API tokens' : 'You have no API tokens'}>
          An API token lets a program call the API with some of its owner's permissions until it expires or is
          revoked.
        </EmptyState>
      ) : (
        <DataTable
          label="API tokens"
          name={TABLE}
          columns={COLUMNS}
          rows={tokens}
          rowKey={({ id }) => id}
          skeletonRows={4}
        />
      )}
    </Panel>
  );
}

const DIALOGS = ['new-token'] as const;

function NewToken() {
  const me = useMe().data;
  const [open, setOpen] = useDialog(DIALOGS, () => me !== undefined);
  return (
    <>
      <Button variant="primary" disabled={!me} onClick={() => setOpen('new-token')}>
        <Plus aria-hidden />
        New token
      </Button>
      {open && me && <NewTokenDialog me={me} onClose={() => setOpen(null)} />}
    </>
  );
}

const COLUMNS: readonly DataColumn<TokenView>[] = [
  {
    key: 'token',
    head: 'Token',
    pinned: true,
    cellClassName: 'font-medium',
    title: ({ name }) => revealHidden(name),
    cell: ({ name, grants }) => (
      <>
        <span>{revealHidden(name)}</span>
        <NarrowGrants grants={grants} />
      </>
    ),
  },
  {
    key: 'prefix',
    head: 'Prefix',
    width: 104,
    narrow: '@max-4xl:hidden',
    truncate: false,
    cellClassName: 'font-mono text-xs',
    cell: ({ hint }) => `${hint}…`,
  },
  {
    key: 'owner',
    head: 'Owner',
    width: 120,
    narrow: '@max-2xl:hidden',
    title: ({ owner }) => revealHidden(owner.id),
    cell: ({ owner }) => revealHidden(owner.name),
  },
  ROLES_COLUMN,
  {
    key: 'created',
    head: 'Created',
    width: 88,
    narrow: '@max-5xl:hidden',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-muted" />,
  },
  { key: 'expires', head: 'Expires', width: 88, cell: (token) => <TokenExpiry token={token} /> },
  {
    key: 'used',
    head: 'Last used',
    width: 88,
    narrow: '@max-3xl:hidden',
    cell: ({ lastUsedAt }) => <PastTime at={lastUsedAt} />,
  },
  {
    key: 'address',
    head: 'Address',
    width: 124,
    narrow: '@max-5xl:hidden',
    cellClassName: 'text-muted',
    title: ({ lastAddress }) => lastAddress ?? undefined,
    cell: ({ lastAddress }) => (lastAddress === null ? '–' : revealHidden(lastAddress)),
  },
  {
    key: 'actions',
    head: 'Actions',
    width: 116,
    truncate: false,
    cell: (token) => <TokenActions token={token} />,
  },
];

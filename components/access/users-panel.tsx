'use client';
import { LoadError } from '@/components/shared/load-error';
import { Badge } from '@/components/ui/badge';
import { Input } from '@/components/ui/controls/input';
import { EmptyState } from '@/components/ui/empty-state';
import { Ban, CircleCheck, Search, UsersRound } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
import { Num } from '@/components/ui/text/number';
import { useUsers } from '@/lib/browser/access/use-access';
import { useMe } from '@/lib/browser/access/use-me';
import { describeGrants, methodLabel } from '@/lib/contract/access/access-labels';
import type { UserView } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { NarrowGrants, PastTime, ROLES_COLUMN } from './grants-cell';
import { GRANT_SOURCE_LABELS } from './labels';
import { useAccessView } from './use-access-view';
import { UserActions } from './user-actions';

/** More are found by typing. */
const SHOWN_MAX = 200;
const TABLE = 'users';

/** All users by name, so that rows keep their position. */
export function UsersPanel() {
  const { find, setFind, manages } = useAccessView();
  const query = useUsers(manages);
  const { data: page, error } = query;
  if (error && !page) {
    return <LoadError title="The users could not be loaded" query={query} />;
  }
  const found = page?.users.filter((person) => fits(person, find)).sort(byName) ?? null;
  return (
    <Panel flush>
      {page?.users.length === 0 ? (
        <EmptyState icon={<UsersRound />} title="No users">
          Users come from REDRIVE_USERS_FILE or an identity provider. They are listed here after their first
          sign-in.
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-1.5">
            <span className="w-72 max-sm:w-full">
              <Input
                aria-label="Find a user"
                placeholder="Name, group or role"
                icon={<Search />}
                value={find}
                maxLength={100}
                onChange={({ target }) => setFind(target.value)}
              />
            </span>
            <p className="text-faint text-xs" aria-live="polite">
              {found && count(found.length, 'user')}
            </p>
            <span className="ml-auto">
              <TableViewButton name={TABLE} columns={COLUMNS} />
            </span>
          </div>
          <DataTable
            label="Users"
            name={TABLE}
            columns={COLUMNS}
            rows={found?.slice(0, SHOWN_MAX) ?? null}
            rowKey={({ id }) => id}
            skeletonRows={6}
            empty="No user matches."
            more={
              found &&
              found.length > SHOWN_MAX &&
              `${fullNumber(found.length - SHOWN_MAX)} more users: type a name above to find them.`
            }
          />
        </>
      )}
    </Panel>
  );
}

const byName = (a: UserView, b: UserView): number =>
  a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);

function fits({ name, id, groups, grants }: UserView, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  return [name, id, ...groups, describeGrants(grants)].some((text) => text.toLowerCase().includes(wanted));
}

function UserName({ user: { id, name } }: { user: UserView }) {
  const self = useMe().data?.id === id;
  return (
    <>
      <span className="font-medium">{revealHidden(name)}</span>
      {self && <span className="text-faint"> you</span>}
    </>
  );
}

function UserState({ user: { removed, disabled } }: { user: UserView }) {
  if (removed)
    return (
      <Badge title="No longer a user of this console: cannot sign in and has no valid API tokens. A new user of the same name is a different user.">
        Removed
      </Badge>
    );
  if (disabled)
    return (
      <Badge tone="bad" icon={<Ban aria-hidden />} title={revealHidden(`${disabled.by}: ${disabled.reason}`)}>
        Disabled
      </Badge>
    );
  return (
    <span className="inline-flex items-center gap-1 align-middle text-muted">
      <CircleCheck aria-hidden className="size-3.5 text-good" />
      active
    </span>
  );
}

const COLUMNS: readonly DataColumn<UserView>[] = [
  {
    key: 'user',
    head: 'User',
    pinned: true,
    title: ({ id, groups }) =>
      revealHidden([id, ...groups.map((group) => `group ${group}`)].join('\n'), '\n'),
    cell: (user) => (
      <>
        <UserName user={user} />
        <NarrowGrants grants={user.grants} />
      </>
    ),
  },
  {
    key: 'method',
    head: 'Signs in with',
    width: 116,
    narrow: '@max-3xl:hidden',
    cellClassName: 'text-muted',
    cell: ({ method }) => methodLabel(method),
  },
  ROLES_COLUMN,
  {
    key: 'source',
    head: 'Source',
    width: 84,
    narrow: '@max-4xl:hidden',
    cellClassName: 'text-muted',
    title: ({ grantsFrom }) => GRANT_SOURCE_LABELS[grantsFrom].meaning,
    cell: ({ grantsFrom }) => GRANT_SOURCE_LABELS[grantsFrom].word,
  },
  { key: 'state', head: 'State', width: 104, truncate: false, cell: (user) => <UserState user={user} /> },
  {
    key: 'seen',
    head: 'Last seen',
    width: 92,
    narrow: '@max-3xl:hidden',
    cell: ({ lastSeenAt }) => <PastTime at={lastSeenAt} />,
  },
  {
    key: 'sessions',
    head: 'Sessions',
    width: 74,
    narrow: '@max-3xl:hidden',
    numeric: true,
    cell: ({ sessions }) => <Num value={sessions} dim />,
  },
  {
    key: 'actions',
    head: 'Actions',
    width: 84,
    truncate: false,
    cell: (user) => <UserActions user={user} />,
  },
];

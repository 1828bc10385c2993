'use client';
import { Search, UsersRound } from 'lucide-react';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Input } from '@/components/ui/input';
import { Panel } from '@/components/ui/panel';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ColumnHeads, FullRow, Table, TBody } from '@/components/ui/table';
import { usePeople } from '@/lib/client/use-access';
import type { PersonView } from '@/lib/contract/access';
import { rolesWords } from '@/lib/contract/grant-words';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { PersonRow } from './person-row';
import { useAccessView } from './use-access-view';

const COLUMNS = [
  { head: 'Person', width: 200 },
  { head: 'Comes in by', width: 116 },
  { head: 'May', width: undefined },
  { head: 'From', width: 84 },
  { head: 'State', width: 104 },
  { head: 'Last seen', width: 92 },
  { head: 'Sessions', width: 74, numeric: true },
  { head: 'Actions', width: 84 },
] as const;
/** More are found by typing: a page of thousands is read by nobody. */
const SHOWN_MAX = 200;

/** Everybody who was here or could come, by name, so that rows keep their place. */
export function PeoplePanel() {
  const { find, setFind, manages } = useAccessView();
  const { data: page, error, refetch, isFetching } = usePeople(manages);
  if (error && !page) {
    return (
      <ErrorState
        title="The people could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const found = page?.people.filter((person) => fits(person, find)).sort(byName) ?? null;
  return (
    <Panel flush>
      {page?.people.length === 0 ? (
        <EmptyState icon={<UsersRound />} title="Nobody is known yet">
          Users come from REDRIVE_USERS_FILE or an identity provider; each stands here from their first
          sign-in on.
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-1.5">
            <span className="w-72 max-sm:w-full">
              <Input
                aria-label="Find a person"
                placeholder="Name, group or role"
                icon={<Search />}
                value={find}
                maxLength={100}
                onChange={({ target }) => setFind(target.value)}
              />
            </span>
            <p className="text-faint text-xs" aria-live="polite">
              {found && count(found.length, 'person', 'people')}
            </p>
          </div>
          <Table label="People" className="min-w-[62rem] table-fixed">
            <ColumnHeads columns={COLUMNS} />
            <TBody>
              {found === null && <SkeletonRows columns={COLUMNS.length} rows={6} />}
              {found?.length === 0 && <FullRow span={COLUMNS.length}>Nobody matches.</FullRow>}
              {found?.slice(0, SHOWN_MAX).map((person) => (
                <PersonRow key={person.id} person={person} />
              ))}
              {found && found.length > SHOWN_MAX && (
                <FullRow span={COLUMNS.length}>
                  {full(found.length - SHOWN_MAX)} more: type a name above to find them.
                </FullRow>
              )}
            </TBody>
          </Table>
        </>
      )}
    </Panel>
  );
}

const byName = (a: PersonView, b: PersonView): number =>
  a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);

function fits({ name, id, groups, grants }: PersonView, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  return [name, id, ...groups, rolesWords(grants)].some((text) => text.toLowerCase().includes(wanted));
}

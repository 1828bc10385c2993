import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { DataAge } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { Group, GroupsPage } from '@/lib/contract/dead';
import type { OperationKind } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { countWords } from './bulk';
import { BulkButtons } from './bulk-menu';

export const BAR =
  'flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-3 py-1 text-sm';

/** One line above the groups: how much is failing, or which groups are selected and what can be done about them. */
export function GroupsBar({
  page,
  chosen,
  aside,
  onAct,
  onClear,
}: {
  page: GroupsPage | undefined;
  chosen: readonly Group[];
  /** What is new behind groups that are held still. */
  aside: ReactNode;
  onAct: (kind: OperationKind) => void;
  onClear: () => void;
}) {
  return (
    <div className={BAR}>
      {chosen.length === 0 ? (
        <Summary page={page} />
      ) : (
        <>
          <span role="status" className="font-medium">
            {count(chosen.length, 'group')} selected,{' '}
            {count(
              chosen.reduce((sum, group) => sum + group.count, 0),
              'dead letter',
            )}
          </span>
          <span className="flex items-center gap-1.5">
            <BulkButtons onAct={onAct} />
            <Button size="sm" variant="ghost" onClick={onClear}>
              <X aria-hidden />
              Unselect
            </Button>
          </span>
        </>
      )}
      <span className="ml-auto flex items-center gap-2">
        {aside}
        <DataAge at={page?.at} staleAfterMs={chosen.length > 0 ? Number.POSITIVE_INFINITY : 20_000} />
      </span>
    </div>
  );
}

function Summary({ page }: { page: GroupsPage | undefined }) {
  if (!page) return <Skeleton className="w-52" />;
  return (
    <span>
      <span className="font-medium">{count(page.total, 'failure group')}</span>
      <span className="text-muted">
        , {countWords(page.matching)} dead {page.matching.count === 1 ? 'letter' : 'letters'}
      </span>
      {page.sampled !== null && (
        <span className="text-warn"> · counted among the newest {full(page.sampled)}</span>
      )}
    </span>
  );
}

'use client';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { KeyValue } from '@/components/ui/key-value';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Sparkline } from '@/components/ui/sparkline';
import { useAskOperation } from '@/lib/client/ask-operation';
import { useMay } from '@/lib/client/permissions';
import { useGroup } from '@/lib/client/use-dead';
import type { Group } from '@/lib/contract/dead';
import { CLASS_SAFETY, type OperationKind } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { visible } from '@/lib/format/text';
import { scopeOfQuery } from './bulk';
import { ClassBadge } from './class-badge';
import { StatusBadge } from './group-cell';
import { GroupDialog } from './group-dialog';
import { GroupMenu } from './group-menu';
import { askTitle, tenantWords, titleOf, trendWords } from './group-words';

/** What is known of the failure that the list is about: since when, how often, whom it hits, and what its class advises. */
export function GroupHead({ id, q }: { id: string; q: string }) {
  const { data: group, error } = useGroup(id);
  const ask = useAskOperation();
  const [editing, setEditing] = useState(false);
  const operate = useMay('operate');
  if (error && !group) return null;
  const start = (kind: OperationKind) =>
    ask({ kind, scope: scopeOfQuery(q), ...(group ? { title: askTitle(kind, group) } : {}) });
  return (
    <section aria-label="Failure group" className="border-line border-b px-3 py-2">
      {group ? (
        <>
          <div className="flex items-start gap-2">
            <h2 className="min-w-0 flex-1 break-words font-medium text-base leading-6">
              {visible(titleOf(group))}
            </h2>
            <StatusBadge group={group} />
            {operate && (
              <Button size="sm" onClick={() => start('redrive')}>
                <RotateCcw aria-hidden />
                Re-drive…
              </Button>
            )}
            <GroupMenu group={group} rows={null} onAct={start} onEdit={() => setEditing(true)} />
          </div>
          {group.name !== null && group.message !== null && (
            <p className="break-words text-muted text-sm">{visible(group.message)}</p>
          )}
          <Facts group={group} />
        </>
      ) : (
        <div className="h-26 space-y-3 py-2" aria-hidden>
          <Skeleton className="w-1/2" />
          <Skeleton className="w-1/3" />
          <Skeleton className="w-2/5" />
        </div>
      )}
      {editing && group && <GroupDialog group={group} onClose={() => setEditing(false)} />}
    </section>
  );
}

function Facts({ group }: { group: Group }) {
  const versions = group.versions.map(({ value, count }) => `v${value} (${full(count)})`).join(', ');
  return (
    <div className="mt-1 grid items-start gap-x-8 gap-y-2 lg:grid-cols-[minmax(0,1fr)_auto]">
      <KeyValue
        items={[
          {
            label: 'Class',
            value: (
              <span className="flex flex-wrap items-center gap-x-2">
                <ClassBadge value={group.class} />
                <span className="text-muted">{CLASS_SAFETY[group.class].sentence}</span>
              </span>
            ),
          },
          {
            label: 'Code',
            value: (
              <>
                <span className="font-mono text-xs">{group.code}</span> in {group.type}
                {versions && <span className="text-muted">, {versions}</span>}
              </>
            ),
          },
          { label: 'Hits', value: tenantWords(group) || '–' },
          ...(group.note ? [{ label: 'Note', value: visible(group.note) }] : []),
        ]}
      />
      <div className="text-xs">
        <Sparkline
          points={group.trend}
          label={trendWords(group.trend)}
          color="var(--state-dead)"
          width={220}
          height={36}
        />
        <p className="mt-1 text-muted">{trendWords(group.trend)}</p>
        <p className="text-faint">
          last <RelativeTime at={group.lastSeen} />, first <RelativeTime at={group.firstSeen} />
        </p>
      </div>
    </div>
  );
}

'use client';
import { groupTitle } from '@/components/shared/group-title';
import { ClassLabel } from '@/components/shared/job-lists/class-label';
import { useDialog } from '@/components/shared/use-dialog';
import { Button } from '@/components/ui/controls/button';
import { RotateCcw } from '@/components/ui/icons';
import { KeyValue } from '@/components/ui/key-value';
import { lazyPart } from '@/components/ui/lazy-part';
import { pageActions } from '@/components/ui/page-actions';
import { Skeleton } from '@/components/ui/skeleton';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useMay } from '@/lib/browser/access/use-permissions';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { useGroup } from '@/lib/browser/search/use-dead-letters';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { CLASS_SAFETY } from '@/lib/contract/operations/rerun-safety';
import type { Group } from '@/lib/contract/search/search-schemas';
import { detailText, revealHidden, titleText } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { operationTitle, tenantsLabel, trendLabel } from '../labels';
import { queryScope } from '../query-terms';
import { DeathTrend } from './death-trend';
import { GroupStatusBadge } from './group-cell';
import { GroupMenu } from './group-menu';

const GroupDialog = lazyPart(() => import('./group-dialog').then((module) => module.GroupDialog));

const DIALOGS = ['group'] as const;

/** Summary of the failure group: class and its advice, code, affected tenants, trend. */
export function GroupHead({ id, q }: { id: string; q: string }) {
  const { data: group, error } = useGroup(id);
  const openWizard = useOperationWizard();
  const operate = useMay('operate');
  const [asked, ask] = useDialog(DIALOGS, () => operate && group !== undefined);
  if (error && !group) return null;
  const start = (kind: OperationKind) =>
    openWizard({ kind, scope: queryScope(q), ...(group ? { title: operationTitle(kind, group) } : {}) });
  return (
    <section aria-label="Failure group" className="border-line border-b px-3 py-2">
      {group ? (
        <>
          <div className="flex items-start gap-2" {...pageActions}>
            <h2 className="min-w-0 flex-1 break-words font-medium text-base leading-6">
              {titleText(groupTitle(group))}
            </h2>
            <GroupStatusBadge group={group} />
            {operate && (
              <Button size="sm" onClick={() => start('redrive')}>
                <RotateCcw aria-hidden />
                Re-drive…
              </Button>
            )}
            <GroupMenu group={group} rows={null} onAct={start} onEdit={() => ask('group')} />
          </div>
          {group.name !== null && group.message !== null && (
            <p className="whitespace-pre-wrap break-words text-muted text-sm">{detailText(group.message)}</p>
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
      {asked && group && <GroupDialog group={group} onClose={() => ask(null)} />}
    </section>
  );
}

function Facts({ group }: { group: Group }) {
  const versions = group.versions.map(({ value, count }) => `v${value} (${fullNumber(count)})`).join(', ');
  return (
    <div className="mt-1 grid items-start gap-x-8 gap-y-2 lg:grid-cols-[minmax(0,1fr)_auto]">
      <KeyValue
        items={[
          {
            label: 'Class',
            value: (
              <span className="flex flex-wrap items-center gap-x-2">
                <ClassLabel value={group.class} />
                <span className="text-muted">{CLASS_SAFETY[group.class].sentence}</span>
              </span>
            ),
          },
          {
            label: 'Code',
            value: (
              <>
                <span translate="no" className="font-mono text-xs">
                  {group.code}
                </span>{' '}
                in {group.type}
                {versions && <span className="text-muted">, {versions}</span>}
              </>
            ),
          },
          { label: 'Tenants', value: tenantsLabel(group) || '–' },
          ...(group.note ? [{ label: 'Note', value: revealHidden(group.note) }] : []),
        ]}
      />
      <div className="text-xs">
        <DeathTrend group={group} width={220} height={36} />
        <p className="mt-1 text-muted">{trendLabel(group)}</p>
        <p className="text-faint">
          last <RelativeTime at={group.lastSeen} />, first <RelativeTime at={group.firstSeen} />
        </p>
      </div>
    </div>
  );
}

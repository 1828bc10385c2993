'use client';
import {
  kindsForState,
  OperationMenuItems,
  OperationPageActions,
} from '@/components/shared/job-lists/operation-buttons';
import { Button } from '@/components/ui/controls/button';
import { ChevronDown } from '@/components/ui/icons';
import { Menu, MenuContent, MenuLabel, MenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { stateNoun } from '@/lib/contract/operations/operation-text';

/** Operations on all listed jobs. */
export function JobsOperationMenu({
  queue,
  state,
  q,
  disabled,
}: {
  queue: string;
  state: JobState;
  q: string;
  disabled: boolean;
}) {
  const ask = useOperationWizard();
  const may = usePermits();
  if (!kindsForState(state).some((kind) => may(operationPermission(kind)))) return null;
  const onAct = (kind: OperationKind) => ask({ kind, scope: { state, q, queue } });
  const of = `all ${q === '' ? '' : 'matching '}${stateNoun(state, 2)}`;
  return (
    <Menu>
      {!disabled && <OperationPageActions state={state} queue={queue} onAct={onAct} of={of} />}
      <MenuTrigger asChild>
        <Button size="sm" disabled={disabled}>
          {q === '' ? 'All jobs' : 'All matches'}
          <ChevronDown aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuLabel>
          {q === '' ? `All ${state} jobs of ${queue}` : `All ${state} jobs of ${queue} that match the query`}
        </MenuLabel>
        <OperationMenuItems state={state} queue={queue} onAct={onAct} />
      </MenuContent>
    </Menu>
  );
}

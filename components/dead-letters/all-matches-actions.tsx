'use client';
import { OperationPageActions } from '@/components/shared/job-lists/operation-buttons';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { stateNoun } from '@/lib/contract/operations/operation-text';

/**
 * Every operation on all dead letters that match, for the finder. The page has buttons for a selection only: without one, nothing else
 * would offer them.
 */
export function AllMatchesActions({ q }: { q: string }) {
  const openWizard = useOperationWizard();
  return (
    <OperationPageActions
      state="dead"
      queue={null}
      onAct={(kind) => openWizard({ kind, scope: { state: 'dead', q } })}
      of={`all ${q === '' ? '' : 'matching '}${stateNoun('dead', 2)}`}
    />
  );
}

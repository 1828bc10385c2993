'use client';
import { type ReactNode, useCallback, useState } from 'react';
import { toast } from 'sonner';
import { AskOperationContext, type OperationAsk } from '@/lib/client/ask-operation';
import { missingWords, usePermits } from '@/lib/client/permissions';
import { kindPermission } from '@/lib/contract/action-permissions';
import { OperationWizard } from './operation-wizard';

/** Around all pages: opens the wizard for whichever asks. */
export function WizardHost({ children }: { children: ReactNode }) {
  const [ask, setAsk] = useState<OperationAsk | null>(null);
  const may = usePermits();
  const open = useCallback(
    (next: OperationAsk) => {
      const needs = kindPermission(next.kind);
      // Buttons are not there for who may not; keys are.
      if (may(needs)) setAsk(next);
      else toast.info(missingWords(needs));
    },
    [may],
  );
  return (
    <AskOperationContext value={open}>
      {children}
      {ask && <OperationWizard open onClose={() => setAsk(null)} {...ask} />}
    </AskOperationContext>
  );
}

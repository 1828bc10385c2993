'use client';
import { type ReactNode, useCallback, useState } from 'react';
import { AskOperationContext, type OperationAsk } from '@/lib/client/ask-operation';
import { OperationWizard } from './operation-wizard';

/** Around all pages: opens the wizard for whichever asks. */
export function WizardHost({ children }: { children: ReactNode }) {
  const [ask, setAsk] = useState<OperationAsk | null>(null);
  const open = useCallback((next: OperationAsk) => setAsk(next), []);
  return (
    <AskOperationContext value={open}>
      {children}
      {ask && <OperationWizard open onClose={() => setAsk(null)} {...ask} />}
    </AskOperationContext>
  );
}

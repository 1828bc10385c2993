'use client';
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useState,
} from 'react';
import { toast } from '@/components/ui/overlays/toast';
import { missingPermissionMessage, usePermits } from '@/lib/browser/access/use-permissions';
import { OperationWizardContext, type OperationWizardRequest } from '@/lib/browser/operation-wizard-context';
import { operationPermission } from '@/lib/contract/access/action-permissions';

/** Not in the first load of a page. */
const importWizard = () => import('./operation-wizard');
type Wizard = ComponentType<ComponentProps<Awaited<ReturnType<typeof importWizard>>['OperationWizard']>>;
/** By then the page is complete. The wizard must open even if the console is unreachable later. */
const PRELOAD_AFTER_MS = 3_000;

/** Around all pages: opens the wizard when a page asks for it. */
export function WizardHost({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<OperationWizardRequest | null>(null);
  const [OperationWizard, setWizard] = useState<Wizard | null>(null);
  const may = usePermits();
  const load = useCallback(() => importWizard().then((file) => setWizard(() => file.OperationWizard)), []);
  useEffect(() => {
    // A failure is reported when a user needs the wizard: then it is loaded once more.
    const timer = setTimeout(() => void load().catch(() => undefined), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
  const open = useCallback(
    (next: OperationWizardRequest) => {
      const needs = operationPermission(next.kind);
      // Buttons are hidden without the permission; keyboard shortcuts are not.
      if (!may(needs)) return void toast.info(missingPermissionMessage(needs));
      load().then(
        () => setRequest(next),
        () => toast.error('This part of the page could not be loaded. Check the connection and try again.'),
      );
    },
    [may, load],
  );
  return (
    <OperationWizardContext value={open}>
      {children}
      {request && OperationWizard && <OperationWizard onClose={() => setRequest(null)} {...request} />}
    </OperationWizardContext>
  );
}

'use client';
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useState,
} from 'react';
import { useDialog } from '@/components/shared/use-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useMe } from '@/lib/browser/access/use-me';
import { missingPermissionMessage, usePermits } from '@/lib/browser/access/use-permissions';
import type { Filled } from '@/lib/browser/dialog-link';
import {
  OperationWizardContext,
  type OperationWizardRequest,
  WIZARD_DIALOG,
} from '@/lib/browser/operation-wizard-context';
import { keepForReload, takeKept } from '@/lib/browser/reload-keeper';
import { operationPermission } from '@/lib/contract/access/action-permissions';

const LINKED = [WIZARD_DIALOG] as const;

/** Not in the first load of a page. */
const importWizard = () => import('./operation-wizard');
type Wizard = ComponentType<ComponentProps<Awaited<ReturnType<typeof importWizard>>['OperationWizard']>>;
/** By then the page is complete. The wizard must open even if the console is unreachable later. */
const PRELOAD_AFTER_MS = 3_000;

/** Around all pages: opens the wizard when a page asks for it. */
export function WizardHost({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<(OperationWizardRequest & { filled?: Filled }) | null>(null);
  const [OperationWizard, setWizard] = useState<Wizard | null>(null);
  const may = usePermits();
  const knowsRights = useMe().data !== undefined;
  const [linked, setLinked] = useDialog(LINKED, () => knowsRights);
  const load = useCallback(
    () =>
      importWizard().then((file) => {
        setWizard(() => file.OperationWizard);
        return file;
      }),
    [],
  );
  useEffect(() => {
    // A failure is reported when a user needs the wizard: then it is loaded once more.
    const timer = setTimeout(() => void load().catch(() => undefined), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
  const open = useCallback(
    (next: OperationWizardRequest & { filled?: Filled }) => {
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
  const close = () => {
    setRequest(null);
    keepForReload(WIZARD_DIALOG, null);
    if (linked !== null) setLinked(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is followed once
  useEffect(() => {
    if (linked === null) return;
    const { href } = window.location;
    load().then(
      ({ readWizardLink, readFilled }) => {
        const link = readWizardLink(readFilled(href));
        if (link) open({ kind: link.kind, scope: link.scope, filled: link.draft });
        if (!link || !may(operationPermission(link.kind))) setLinked(null);
      },
      () => setLinked(null),
    );
  }, [linked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reload is undone once, when the rights are known
  useEffect(() => {
    if (!knowsRights || linked !== null) return;
    const kept = takeKept(WIZARD_DIALOG);
    if (kept === null) return;
    load().then(
      ({ readWizardLink }) => {
        const link = readWizardLink(kept as Filled);
        if (link) open({ kind: link.kind, scope: link.scope, filled: link.draft });
      },
      () => undefined,
    );
  }, [knowsRights]);
  return (
    <OperationWizardContext value={open}>
      {children}
      {request && OperationWizard && <OperationWizard onClose={close} {...request} />}
    </OperationWizardContext>
  );
}

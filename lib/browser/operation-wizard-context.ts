'use client';
/** Opens the operation wizard from any page. */
import { createContext, useContext } from 'react';
import type { Operation } from '@/lib/contract/operations/operation';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { Scope } from '@/lib/contract/operations/operation-request';

/** The wizard's name in the address of a page, which a link to it has. */
export const WIZARD_DIALOG = 'operation';

export interface OperationWizardRequest {
  kind: OperationKind;
  /** Null: the wizard asks for the jobs. */
  scope: Scope | null;
  /** Replaces the kind's usual title. */
  title?: string;
  /** Called when the operation is recorded; the wizard then closes. */
  onStarted?: (operation: Operation) => void;
}
export type OpenOperationWizard = (ask: OperationWizardRequest) => void;

/** Provided by the wizard's host. */
export const OperationWizardContext = createContext<OpenOperationWizard>(() => undefined);
/** Opens the wizard. */
export const useOperationWizard = (): OpenOperationWizard => useContext(OperationWizardContext);

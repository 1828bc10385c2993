'use client';
/** How any page asks for the wizard, which stands beside all of them. */
import { createContext, useContext } from 'react';
import type { Operation, OperationKind, Scope } from '@/lib/contract/operations';

export interface OperationAsk {
  kind: OperationKind;
  /** Null: the wizard asks which jobs. */
  scope: Scope | null;
  /** In place of the kind's own words: what is done, and to which failure. */
  title?: string;
  onStarted?: (operation: Operation) => void;
}
export type AskOperation = (ask: OperationAsk) => void;

/** Provided by the wizard's host. */
export const AskOperationContext = createContext<AskOperation>(() => undefined);
/** Opens the wizard. */
export const useAskOperation = (): AskOperation => useContext(AskOperationContext);

'use client';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import {
  OPERATION_KINDS,
  OPERATION_STATUSES,
  type OperationKind,
  type OperationStatus,
} from '@/lib/contract/operations';

const PARSERS = {
  status: parseAsStringLiteral(OPERATION_STATUSES),
  kind: parseAsStringLiteral(OPERATION_KINDS),
  cursor: parseAsString,
};

export interface OperationsView {
  status: OperationStatus | null;
  kind: OperationKind | null;
  cursor: string | null;
  /** Another filter begins at the first page. */
  narrow: (change: { status?: OperationStatus | null; kind?: OperationKind | null }) => void;
  setCursor: (cursor: string | null) => void;
}

/** What the list shows, held by the URL. */
export function useOperationsView(): OperationsView {
  const [view, set] = useQueryStates(PARSERS, { history: 'push' });
  return {
    ...view,
    narrow: (change) => void set({ ...change, cursor: null }),
    setCursor: (cursor) => void set({ cursor }),
  };
}

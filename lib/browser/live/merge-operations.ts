import type { Operation } from '@/lib/contract/operations/operation';

const OPERATIONS_KEPT = 50;

/** Newer versions of operations replace older ones; latest first, bounded. */
export function mergeOperations(
  known: readonly Operation[],
  arrived: readonly Operation[],
): readonly Operation[] {
  if (arrived.length === 0) return known;
  const byId = new Map(known.map((operation) => [operation.id, operation]));
  for (const operation of arrived) byId.set(operation.id, operation);
  return [...byId.values()].sort((a, b) => b.createdAt - a.createdAt).slice(0, OPERATIONS_KEPT);
}

/** Writes a frame into the query cache, which all pages read. */
import type { QueryClient } from '@tanstack/react-query';
import type { LabState } from '@/lib/contract/lab/lab-schemas';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { keys } from '../api/query-keys';

const OPERATIONS_KEPT = 50;

export function applySnapshots(
  client: QueryClient,
  parts: { overview: Overview; workers?: WorkersPage; lab?: LabState | null },
): void {
  const known = client.getQueryData<Overview>(keys.overview());
  client.setQueryData(keys.overview(), withMinutes(parts.overview, known));
  if (parts.workers !== undefined) client.setQueryData(keys.workers(), parts.workers);
  if (parts.lab !== undefined) client.setQueryData(keys.lab(), parts.lab);
}

/** Most frames omit the minutes, which change slowly: the previous ones stay. */
export function withMinutes(arrived: Overview, known: Overview | undefined): Overview {
  const before = new Map(known?.queues.map((queue) => [queue.queue, queue.minutes]));
  const queues = arrived.queues.map((queue) =>
    queue.minutes.length > 0 ? queue : { ...queue, minutes: before.get(queue.queue) ?? [] },
  );
  const { sums } = arrived;
  const minutes = sums.minutes.length > 0 ? sums.minutes : (known?.sums.minutes ?? []);
  return { ...arrived, queues, sums: { ...sums, minutes } };
}

export function applyFrame(client: QueryClient, frame: Frame): void {
  applySnapshots(client, frame);
  const known = client.getQueryData<readonly Operation[]>(keys.operationsLive()) ?? [];
  client.setQueryData(keys.operationsLive(), mergeOperations(known, frame.operations));
  for (const operation of frame.operations) client.setQueryData(keys.operation(operation.id), operation);
  const before = new Map(known.map((operation) => [operation.id, operation.status]));
  const changed = frame.operations.filter((operation) => before.get(operation.id) !== operation.status);
  if (changed.length === 0) return;
  void client.invalidateQueries({ queryKey: keys.operationLists() });
  if (changed.some((operation) => !isOpen(operation.status))) {
    void client.invalidateQueries({ queryKey: keys.dead() });
  }
}

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

/** Writes a frame into the query cache, which all pages read. */
import { notifyManager, type QueryClient } from '@tanstack/react-query';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { keys } from '../api/query-keys';
import { mergeOperations } from './merge-operations';
import { type QueueView, queueView } from './queue-view';

export function applySnapshots(
  client: QueryClient,
  parts: { overview: Overview; workers?: WorkersPage },
): void {
  client.setQueryData(keys.overview(), parts.overview);
  if (parts.workers !== undefined) client.setQueryData(keys.workers(), parts.workers);
}

/** @param watched queues that the frame was to carry every number of */
export function applyFrame(client: QueryClient, frame: Frame, watched: readonly string[] = []): void {
  // Numbers of several queries belong together.
  notifyManager.batch(() => applyParts(client, frame, watched));
}

function applyParts(client: QueryClient, frame: Frame, watched: readonly string[]): void {
  applySnapshots(client, frame);
  applyWatched(client, frame, watched);
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

function applyWatched(client: QueryClient, { overview, watched }: Frame, names: readonly string[]): void {
  const { fresh } = overview;
  for (const name of names) {
    const queryKey = keys.queueNumbers(name);
    const queue = watched.find((snapshot) => snapshot.queue === name);
    if (queue) client.setQueryData<QueueView>(queryKey, queueView(queue, fresh));
    // It was deleted, or cannot be read: its own request says which.
    else if (fresh && client.getQueryData<QueueView>(queryKey)?.queue)
      void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }
}

// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import { completedOperation } from '@/testing/records/completed-operation';
import { keys } from '../api/query-keys';
import { useLiveOperations } from '../use-live-operations';
import { useFollowOperations } from './use-jobs';

afterEach(cleanup);

const operation = (fields: Partial<Operation>) =>
  completedOperation({
    kind: 'edit',
    scope: { state: 'dead', jobs: [{ queue: 'mail', jobId: 'j1' }] },
    moved: 1,
    ...fields,
  });

it('B10: a job is read again as soon as an operation may have changed it, and for no other', async () => {
  const client = new QueryClient();
  const read = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  const wrapper = ({ children }: { children: React.ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      useFollowOperations('mail', 'j1');
      return useLiveOperations();
    },
    { wrapper },
  );
  // Observers are told later, in the order of the changes: one that must not count comes before one that does.
  const arrive = (...operations: Operation[]) =>
    act(() => void client.setQueryData(keys.operationsLive(), operations));
  const readTimes = (times: number) => vi.waitFor(() => expect(read).toHaveBeenCalledTimes(times));
  const other = operation({ id: 'op-2', scope: { state: 'dead', jobs: [{ queue: 'mail', jobId: 'j2' }] } });
  const exported = operation({ id: 'op-3', kind: 'export', scope: { state: 'dead', q: '' } });
  arrive(other, exported);
  await vi.waitFor(() => expect(result.current.length).toBe(2));
  expect(read).not.toHaveBeenCalled();
  const queued = operation({ status: 'paused', moved: 0 });
  arrive(other, exported, queued);
  await readTimes(1);
  arrive(other, exported, operation({}));
  await readTimes(2);
  expect(read).toHaveBeenLastCalledWith({ queryKey: keys.job('mail', 'j1') });
  arrive(operation({}), operation({ id: 'op-4', scope: { state: 'dead', q: 'type:a' } }));
  await readTimes(3);
});

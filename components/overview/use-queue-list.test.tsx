// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { PointerEvent, ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { CALM_QUEUE, rowsOf } from '@/testing/worlds/queue-snapshot';
import { useQueueList } from './use-queue-list';

afterEach(cleanup);

/** Queues in the order of the frame, each with so many ready jobs. */
const overviewOf = (ready: Readonly<Record<string, number>>) =>
  rowsOf(
    Object.entries(ready).map(([queue, count]) => ({
      ...CALM_QUEUE,
      queue,
      counts: { ...CALM_QUEUE.counts, ready: count },
    })),
  ) as unknown as Overview;

it('B9: the rows of the overview keep their order under the pointer, and their numbers go on', () => {
  const client = new QueryClient();
  const { result, rerender } = renderHook(({ overview }) => useQueueList(overview), {
    initialProps: { overview: overviewOf({ mail: 9, bills: 3 }) },
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  const shown = () =>
    result.current.queues?.map(({ queue, counts }) => `${queue} ${counts.ready}`).join(', ');
  expect(shown()).toBe('mail 9, bills 3');
  act(() => result.current.hold.onPointerEnter({ pointerType: 'mouse' } as PointerEvent));
  rerender({ overview: overviewOf({ bills: 8, mail: 2 }) });
  expect(shown()).toBe('mail 2, bills 8');
  act(() => result.current.hold.onPointerLeave());
  expect(shown()).toBe('bills 8, mail 2');
});

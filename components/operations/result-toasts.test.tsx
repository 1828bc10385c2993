// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { notices } from '@/components/ui/overlays/toast';
import { completedOperation, outcomeOf } from '@/testing/records/completed-operation';
import { announceStart, useResultToasts } from './operation-toasts';

const actions = { onOpen: () => undefined, onUndo: () => undefined };
const titles = () => notices.get().map(({ title }) => title);

it('B15: the result in sight follows the jobs that still end, until it is dismissed', () => {
  const running = (diedAgain: number) =>
    completedOperation({
      status: 'running',
      moved: 20,
      outcome: outcomeOf({ diedAgain, waiting: 20 - diedAgain }),
    });
  notices.set([]);
  announceStart(running(0), () => undefined);
  const { rerender } = renderHook(({ died }) => useResultToasts([running(died)], 0, actions), {
    initialProps: { died: 12 },
  });
  rerender({ died: 12 });
  rerender({ died: 17 });
  expect(titles()).toEqual([
    'Re-drive started',
    'Re-drive: running · 12 of 20 died again',
    'Re-drive: running · 17 of 20 died again',
  ]);
  notices
    .get()
    .at(-1)
    ?.options?.onDismiss?.({ id: 'gone' } as never);
  rerender({ died: 20 });
  expect(titles()).toHaveLength(3);
});

/** Poll pile-up: consoles have sent the next question while the last one was still being answered, and drowned their server. */
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryDefaults, REFETCH_MS } from './query-defaults';

beforeEach(() => {
  vi.useFakeTimers();
  // Outside of a browser nothing is polled.
  environmentManager.setIsServer(() => false);
});
afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
});

it('asks again only once the last answer came, however slow it is', async () => {
  const client = new QueryClient();
  const answers: (() => void)[] = [];
  const observer = new QueryObserver(client, {
    ...queryDefaults,
    queryKey: ['slow'],
    refetchInterval: REFETCH_MS,
    queryFn: () => new Promise<number>((resolve) => answers.push(() => resolve(answers.length))),
  });
  const unsubscribe = observer.subscribe(() => undefined);
  try {
    for (let asked = 1; asked <= 5; asked++) {
      await vi.advanceTimersByTimeAsync(10 * REFETCH_MS);
      expect(answers).toHaveLength(asked);
      answers[asked - 1]?.();
      await vi.advanceTimersByTimeAsync(REFETCH_MS);
    }
  } finally {
    unsubscribe();
    client.clear();
  }
});

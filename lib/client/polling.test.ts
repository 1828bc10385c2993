/** Poll pile-up: consoles have sent the next question while the last one was still being answered, and drowned their server. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.useFakeTimers();
  // Outside of a browser nothing is polled.
  vi.stubGlobal('window', globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('asks again only once the last answer came, however slow it is', async () => {
  vi.resetModules();
  const { QueryClient, QueryObserver } = await import('@tanstack/react-query');
  const { queryDefaults, REFETCH_MS } = await import('./query-options');
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

/** What a person does with mouse and keyboard, counted in the page itself: nothing that a test does escapes it. */
import type { Page } from '@playwright/test';

interface Hands {
  readonly clicks: number;
  readonly keys: number;
}
const STORE = 'e2e-hands';

/**
 * Call it before the page is opened; the counts outlive navigation. `seconds` since the call. The log has a line for the table of
 * docs/console/tasks.md.
 */
export async function countHands(page: Page, task: string): Promise<() => Promise<Hands>> {
  await page.addInitScript((store) => {
    const read = (): Record<string, number> => JSON.parse(sessionStorage.getItem(store) ?? '{}');
    for (const type of ['pointerdown', 'keydown'])
      document.addEventListener(
        type,
        ({ isTrusted }) => {
          const counts = read();
          if (isTrusted)
            sessionStorage.setItem(store, JSON.stringify({ ...counts, [type]: (counts[type] ?? 0) + 1 }));
        },
        { capture: true },
      );
  }, STORE);
  const started = Date.now();
  return async () => {
    const counts = (await page.evaluate(
      (store) => JSON.parse(sessionStorage.getItem(store) ?? '{}'),
      STORE,
    )) as {
      pointerdown?: number;
      keydown?: number;
    };
    const hands = { clicks: counts.pointerdown ?? 0, keys: counts.keydown ?? 0 };
    console.log(
      `${task}: ${hands.clicks} clicks, ${hands.keys} keys, ${((Date.now() - started) / 1_000).toFixed(1)} s`,
    );
    return hands;
  };
}

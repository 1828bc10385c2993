/** Waiting for a condition instead of for a time: as fast as the machine allows, and clear about what never came. */

interface UntilOptions {
  /** Ends the sentence "Waited 5 s for …". */
  what: string;
  /** How long a machine may be busy with other things: only a test that fails waits for it. 20 s unless told. */
  timeoutMs?: number;
  everyMs?: number;
}

/** Asks `probe` until it answers something truthy, and returns that. What it throws counts as "not yet". */
export async function until<T>(
  probe: () => T | Promise<T>,
  { what, timeoutMs = 20_000, everyMs = 20 }: UntilOptions,
): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  let last = 'it never answered';
  for (;;) {
    try {
      const value = await answerBefore(probe, Math.max(end - Date.now(), 1));
      if (value) return value;
      last = `last seen: ${JSON.stringify(value)}`;
    } catch (error) {
      if (error !== LATE) last = `last error: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (Date.now() >= end) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}, in vain (${last}).`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

const LATE = new Error('the probe did not answer in time');

async function answerBefore<T>(probe: () => T | Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(LATE), ms);
  });
  try {
    return await Promise.race([probe(), late]);
  } finally {
    clearTimeout(timer);
  }
}

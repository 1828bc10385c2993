/** Waiting, always with a deadline. */

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The promise's value, or an error that says what took too long.
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @param {string} what ends the sentence "Gave up after 3 s waiting for …"
 * @returns {Promise<T>}
 */
export async function within(promise, ms, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Gave up after ${ms / 1000} s waiting for ${what}.`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks `probe` again and again until it answers something truthy.
 * @template T
 * @param {() => T | Promise<T>} probe
 * @param {{timeoutMs: number, everyMs?: number, what: string}} options
 * @returns {Promise<T>}
 */
export async function pollUntil(probe, { timeoutMs, everyMs = 50, what }) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const left = Math.max(end - Date.now(), 1);
    const value = await within(Promise.resolve(probe()), left, what);
    if (value) return value;
    if (Date.now() >= end) throw new Error(`Gave up after ${timeoutMs / 1000} s waiting for ${what}.`);
    await sleep(everyMs);
  }
}

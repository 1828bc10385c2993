/** A user with many searches at once, on a thread of its own: its work must not slow down the clock of the user who is measured. */
import { setTimeout as after } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, headers, atOnce } = workerData;
const answers = /** @type {Record<string, number>} */ ({});
const leave = new AbortController();
parentPort?.once('message', () => leave.abort());

async function searchOn() {
  while (!leave.signal.aborted) {
    const response = await fetch(url, { headers, signal: leave.signal });
    await response.arrayBuffer();
    answers[response.status] = (answers[response.status] ?? 0) + 1;
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    if (seconds > 0) await after(seconds * 1_000, null, { signal: leave.signal });
  }
}

await Promise.all(Array.from({ length: atOnce }, () => searchOn().catch(() => undefined)));
parentPort?.postMessage(answers);

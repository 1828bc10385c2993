/** Promises about time, on a machine that does other things as well. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';

/** A Node process that does nothing takes at most this long on a machine that does nothing else. */
const IDLE_START_MS = 100;
const run = promisify(execFile);

/** How many times longer things take right now: 1 on an idle machine. */
async function slowness(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const startedAtMs = performance.now();
    await run(process.execPath, ['-e', '']);
    times.push(performance.now() - startedAtMs);
  }
  return Math.max(1, Math.max(...times) / IDLE_START_MS);
}

/** `tookMs` is at most `limitMs`, or as much more as this machine is slower than an idle one. */
export async function expectWithin(tookMs: number, limitMs: number): Promise<void> {
  if (tookMs <= limitMs) return;
  expect(tookMs).toBeLessThanOrEqual(limitMs * (await slowness()));
}

/** A processor profile of just what is measured, without start and warm-up. Does nothing unless the harness asked for one. */
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

/** Set by the harness. */
export const PROFILE_DIR = 'REDRIVE_BENCH_PROFILE_DIR';
const INTERVAL_US = 200;

let session: Session | null = null;
let taken = 0;

export async function startProfile(): Promise<void> {
  if (!process.env[PROFILE_DIR]) return;
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
}

export async function stopProfile(): Promise<void> {
  const folder = process.env[PROFILE_DIR];
  if (!session || !folder) return;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  session = null;
  await writeFile(join(folder, `${process.pid}-${++taken}.cpuprofile`), JSON.stringify(profile));
}

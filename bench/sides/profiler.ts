/** A processor profile of just what is measured, without start and warm-up. */
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';

const INTERVAL_US = 200;
let session: Session | null = null;

export async function startProfile(): Promise<void> {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
}

export async function stopProfile({ file }: { file: string }): Promise<void> {
  if (!session) return;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  session = null;
  await writeFile(file, JSON.stringify(profile));
}

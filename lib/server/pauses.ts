import type { Pause } from '@/lib/contract/queue';
import { getBroker } from './broker';

/** The pauses in force in a queue, read now: the answer to a change must show the change. */
export async function pausesOf(queue: string): Promise<Pause[]> {
  const [reading] = await getBroker().inspect.snapshot([queue]);
  return reading?.pauses ?? [];
}

import type { Ledger } from '@/lib/contract/queue';
import type { BrokerContext } from '../context';
import { snapshot } from './snapshot';

/** Checks a queue's ledger in one call: `difference` and `strayRows` are 0, or something is wrong. */
export async function ledger(ctx: BrokerContext, queue: string): Promise<Ledger & { strayRows: number }> {
  const [reading] = await snapshot(ctx, [queue]);
  if (!reading) throw new Error('ledger: no reading');
  return { ...reading.ledger, strayRows: reading.rows - reading.ledger.inStates };
}

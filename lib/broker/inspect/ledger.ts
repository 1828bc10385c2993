import { RedriveError } from '@/lib/contract/errors';
import type { Ledger } from '@/lib/contract/queue';
import type { ShardedContext } from '../shards';
import { snapshot } from './snapshot';

export interface LedgerCheck extends Ledger {
  /** Rows without a place in a state, or places without a row. */
  strayRows: number;
  /** Shards that could not be read: the check is of the others. */
  unavailable: number[];
}

/** Checks a queue's ledger in one call: `difference` and `strayRows` are 0, or something is wrong. */
export async function ledger(ctx: ShardedContext, queue: string): Promise<LedgerCheck> {
  const [reading] = await snapshot(ctx, [queue]);
  if (!reading)
    throw new RedriveError(
      'REDIS_UNAVAILABLE',
      `Nothing of ${queue} can be read: its keys are of another type, or their server is away.`,
    );
  return {
    ...reading.ledger,
    strayRows: reading.rows - reading.ledger.inStates,
    unavailable: reading.shards.unavailable,
  };
}

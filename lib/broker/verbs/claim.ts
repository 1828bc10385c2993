import type { Envelope } from '@/lib/contract/envelope';
import { parseOrThrow } from '@/lib/contract/errors';
import { type ClaimOptions, claimOptionsSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { randomId } from '../id';
import { list, text } from '../reply';
import { decodeRow } from '../row';
import { type FailItem, fail } from './fail';

/** A job in hand. `token` proves the claim to ack, fail, extend and release. */
export interface ClaimedJob {
  readonly queue: string;
  /** What else is in the same lane goes to the same place in Redis, and fails with it: a shard of the queue. Absent: all of it. */
  readonly lane?: string;
  readonly jobId: string;
  readonly token: string;
  /** Which attempt this is, from 1; a released run gives its attempt back. */
  readonly attempt: number;
  /** How many of those attempts ended with a lost lease, which says nothing about the job itself. */
  readonly leaseLosses: number;
  /** How often the job was handed out, from 1; never goes back. */
  readonly delivery: number;
  readonly leaseUntil: number;
  readonly envelope: Envelope;
  readonly payload: Buffer;
}
export interface ClaimResult {
  readonly jobs: readonly ClaimedJob[];
  /** The whole queue is paused: nothing is handed out. */
  readonly paused: boolean;
  /** More jobs are ready than were asked for. */
  readonly more: boolean;
  /** When the next scheduled or retrying job, or the end of a pause, falls due (Redis clock); null: nothing waits. */
  readonly nextAt: number | null;
  readonly now: number;
}

const UNREADABLE: FailItem['failure'] = {
  errorClass: 'malformed',
  errorCode: 'ROW_UNREADABLE',
  message: 'The stored envelope cannot be read.',
  again: false,
};

/**
 * Takes up to `count` ready jobs under a lease. A lost reply: UNKNOWN_OUTCOME, then `abandon` with the same nonce.
 * @param inTokens what the tokens of an indexed call end in; new in each call. A name may come again, a token must not
 */
export async function claim(
  ctx: BrokerContext,
  queue: string,
  input: ClaimOptions,
  inTokens = randomId(16),
): Promise<ClaimResult> {
  const options = parseOrThrow(claimOptionsSchema, input, 'claim options');
  const { nonce: name, unindexed, leaseMs } = options;
  const indexed = name !== undefined && !unindexed;
  const nonce = indexed ? inTokens : (name ?? inTokens);
  const args = [options.count, leaseMs, options.worker, nonce];
  const reply = indexed
    ? await ctx.runBuffer('claim-named', queue, [...args, name])
    : await ctx.runBuffer('claim', queue, args);
  return readClaim(ctx, queue, reply, nonce, leaseMs);
}

/** Turns a script's reply into jobs. */
export async function readClaim(
  ctx: BrokerContext,
  queue: string,
  value: unknown,
  nonce: string,
  leaseMs: number,
): Promise<ClaimResult> {
  const reply = list(value, 'claim');
  const now = Number(reply[3]);
  const jobs: ClaimedJob[] = [];
  const unreadable: FailItem[] = [];
  for (let i = 4; i + 4 < reply.length; i += 5) {
    const jobId = text(reply[i]);
    const delivery = Number(reply[i + 1]);
    const row = reply[i + 4];
    if (!Buffer.isBuffer(row)) throw new Error('claim: a job came without its row');
    const { envelope, payload } = decodeRow(jobId, row);
    if (!envelope) {
      unreadable.push({ jobId, token: `${delivery}-${nonce}`, failure: UNREADABLE });
      continue;
    }
    jobs.push({
      queue,
      jobId,
      token: `${delivery}-${nonce}`,
      attempt: Number(reply[i + 2]),
      leaseLosses: Number(reply[i + 3]),
      delivery,
      leaseUntil: now + leaseMs,
      envelope,
      payload,
    });
  }
  // One bad row must not cost the others their run: it goes where a person can see it.
  if (unreadable.length > 0) await fail(ctx, queue, unreadable);
  return { jobs, paused: reply[0] === 0, more: reply[1] === 1, nextAt: Number(reply[2]) || null, now };
}

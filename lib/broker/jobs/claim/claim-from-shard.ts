/** Claiming from one shard, and giving back claims with a lost reply. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import type { LostClaim } from '@/lib/broker/shards/sharded-context';
import type { ParsedClaimOptions } from '@/lib/contract/jobs/claim-options';
import { randomId } from '../job-id';
import { type ClaimedJob, type ClaimedRows, type ClaimOrigin, claimedRows, StoredJob } from './claimed-job';
import { type FailItem, failInShard } from './fail-jobs';

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

/** The queue of a shard, and the shard's name as workers know it. */
export interface ClaimShard {
  readonly queue: string;
  readonly shardName: string;
}

const UNREADABLE: FailItem['failure'] = {
  errorClass: 'malformed',
  errorCode: 'ROW_UNREADABLE',
  message: 'The stored envelope cannot be read.',
  again: false,
};

/**
 * Takes up to `count` ready jobs under a lease. After a lost reply (UNKNOWN_OUTCOME), call `abandon` with the same nonce.
 * @param inTokens the last part of each claim token, random for each call: a caller may repeat its nonce, but tokens must be unique
 * @param shard the queue and shard that claimed jobs carry; `queue` is then the shard's physical name
 */
export async function claimFromShard(
  ctx: BrokerContext,
  queue: string,
  options: ParsedClaimOptions,
  inTokens?: string,
  shard?: ClaimShard,
): Promise<ClaimResult> {
  const { nonce: name, unindexed, leaseMs } = options;
  const indexed = name !== undefined && !unindexed;
  const nonce = (indexed ? inTokens : (name ?? inTokens)) ?? randomId(16);
  const args = [options.count, leaseMs, options.worker, nonce];
  if (indexed) {
    const reply = await ctx.runBuffer('claim-named', queue, [...args, name]);
    return readClaim(ctx, queue, reply, nonce, leaseMs, shard);
  }
  const plain = await exchangePlain(ctx, queue, [...args, ...NO_ACKS], nonce, leaseMs, shard);
  return plain ?? readClaim(ctx, queue, await ctx.runBuffer('claim', queue, args), nonce, leaseMs, shard);
}
export const NO_ACKS = [0, ''] as const;

/** After `exchange-plain` could not serve a queue, the next N claims use the full script. */
export const CALLS_BEFORE_PLAIN = 16;
/** Queue → claims left that use the full script. A queue that `exchange-plain` serves has no entry. */
const notPlain = perContext(() => new Map<string, number>());

/** Whether this claim uses the full script; counts the claim. @param calls queue → claims left that use the full script */
export function goesBy(calls: Map<string, number>, queue: string): boolean {
  const left = calls.get(queue);
  if (left === undefined) return false;
  if (left > 1) calls.set(queue, left - 1);
  else calls.delete(queue);
  return true;
}

/** Completes all of the jobs and claims, where the queue uses nothing that costs more (ADR 14). Null: nothing was done. */
export async function exchangePlain(
  ctx: BrokerContext,
  queue: string,
  args: (string | number)[],
  nonce: string,
  leaseMs: number,
  shard?: ClaimShard,
): Promise<ClaimResult | null> {
  const waiting = notPlain.of(ctx);
  if (goesBy(waiting, queue)) return null;
  const reply = await ctx.runBuffer('exchange-plain', queue, args);
  if (reply === NOT_PLAIN) {
    waiting.set(queue, CALLS_BEFORE_PLAIN);
    return null;
  }
  return readPlain(ctx, queue, reply, nonce, leaseMs, shard);
}

/** What exchange-plain answers when it did nothing. */
export const NOT_PLAIN = 0;

/** What exchange-plain claimed. */
export function readPlain(
  ctx: BrokerContext,
  queue: string,
  reply: unknown,
  nonce: string,
  leaseMs: number,
  shard?: ClaimShard,
): Promise<ClaimResult> {
  const [more, now, sizes, ...rows] = replyList(reply, 'exchange-plain');
  return readClaim(ctx, queue, [1, more, 0, now, sizes, rows, ''], nonce, leaseMs, shard);
}

/** What a claim's reply says. @param value see claim_jobs.lua */
export async function readClaim(
  ctx: BrokerContext,
  queue: string,
  value: unknown,
  nonce: string,
  leaseMs: number,
  shard?: ClaimShard,
): Promise<ClaimResult> {
  const reply = replyList(value, 'claim');
  const now = Number(reply[3]);
  const origin = {
    queue: shard?.queue ?? queue,
    shardName: shard?.shardName,
    leaseUntil: now + leaseMs,
  };
  const { jobs, unreadable } = reply.length > 4 ? readJobs(reply, origin, nonce) : NO_JOBS;
  // One bad row must not cost the others their run: it goes where a person can see it.
  if (unreadable.length > 0) await failInShard(ctx, queue, unreadable);
  return { jobs, paused: reply[0] === 0, more: reply[1] === 1, nextAt: Number(reply[2]) || null, now };
}

const NO_JOBS: { jobs: ClaimedJob[]; unreadable: FailItem[] } = { jobs: [], unreadable: [] };

/** Rows come one behind the other, in pieces: see claim_jobs.lua. */
function readJobs(reply: unknown[], origin: ClaimOrigin, nonce: string): typeof NO_JOBS {
  const sizes = replyText(reply[4]).split(' ');
  const pieces = replyList(reply[5], 'claim').values();
  const again = replyText(reply[6]).split(' ').map(Number);
  const firstToken = `1-${nonce}`;
  const jobs: ClaimedJob[] = [];
  const unreadable: FailItem[] = [];
  let rows: ClaimedRows | undefined;
  let start = 0;
  let known = 0;
  for (let i = 0; i + 1 < sizes.length; i += 2) {
    if (!rows || start === rows.bytes.length) {
      const bytes: unknown = pieces.next().value;
      if (!Buffer.isBuffer(bytes)) throw new Error('claim: jobs came without their rows');
      rows = claimedRows(bytes);
      start = 0;
    }
    const end = start + Number(sizes[i + 1]);
    if (end > rows.bytes.length) throw new Error('claim: a row is longer than its piece');
    const isAgain = again[known] === i / 2 + 1;
    const [delivery = 1, attempt = 1, leaseLosses = 0] = isAgain ? again.slice(known + 1, known + 4) : [];
    if (isAgain) known += 4;
    const token = delivery === 1 ? firstToken : `${delivery}-${nonce}`;
    const id = sizes[i] ?? '';
    const job = new StoredJob(origin, id, token, delivery, attempt, leaseLosses, rows, start, end);
    if (job.isReadable) jobs.push(job);
    else unreadable.push({ jobId: job.jobId, token, failure: UNREADABLE });
    start = end;
  }
  return { jobs, unreadable };
}

/** Gives back the jobs of a nonce's claim calls, without using up an attempt. */
export async function abandonInShard(
  ctx: BrokerContext,
  queue: string,
  nonce: string,
  { unindexed = false, only = '' }: Omit<LostClaim, 'nonce'> = {},
): Promise<number> {
  if (!unindexed) return Number(await ctx.run('claim-abandon-named', queue, [nonce, only]));
  let cursor = '0';
  let released = 0;
  do {
    const reply = replyList(await ctx.run('claim-abandon', queue, [nonce, cursor]), 'claim-abandon');
    cursor = replyText(reply[0]);
    released += Number(reply[1]);
  } while (cursor !== '0');
  return released;
}

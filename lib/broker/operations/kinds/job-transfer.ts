/**
 * Moves jobs to another queue, maybe on another node: transfer-send takes them out, transfer-arrive enters them, fenced by operation and batch,
 * transfer-settle puts refused ones back. Any runner may finish a transfer, and each part may be repeated.
 */

import { actorJson } from '@/lib/broker/access/actor';
import { decodeEnvelope } from '@/lib/broker/jobs/job-row';
import { registerQueue } from '@/lib/broker/queues/register-queue';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyText } from '@/lib/broker/redis/script-reply';
import type { Arg } from '@/lib/broker/redis/script-runner';
import { groupWithPositions } from '@/lib/broker/shards/fan-out';
import { parseLayout, shardingText, shardOfJob, singleShard } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { MoveSpec } from './move-spec';
import { parseChunkReply, type ShardProgress, transferField } from './shard-progress';

type Sender = Pick<MoveSpec, 'id' | 'kind' | 'by' | 'target' | 'summary'>;

/** The sharding of the target, stored with the batch, so that every runner sends a job to the same shard. */
export async function targetSharding(ctx: ShardedContext, { target }: Sender): Promise<string> {
  if (target === null) throw new Error('move: no target');
  // A bad name, or a full memory, must stop the move before a job leaves its queue.
  ctx.checkQueue(target);
  await registerQueue(ctx, target);
  return shardingText(ctx.shards.recent(target) ?? (await ctx.shards.of(target)));
}

interface Transfer {
  readonly batch: string;
  readonly sharding: string;
  readonly jobs: readonly TransferredJob[];
}
interface TransferredJob {
  readonly jobId: string;
  readonly row: Buffer;
  readonly log: Buffer;
  readonly deliveries: number;
  readonly redrives: number;
  /** Its row of `deaths`; empty when that was lost. */
  readonly death: string;
}

/** Finishes the transfer under way. Null: there is none. */
export async function finishTransfer(
  ctx: ShardedContext,
  name: string,
  spec: Sender,
): Promise<ShardProgress | null> {
  const stored = await ctx.plain((redis) =>
    redis.hgetBuffer(ctx.keys.column(name, 'operations'), transferField(spec.id)),
  );
  if (stored === null) return null;
  const transfer = parseTransfer(stored);
  const codes = await deliver(ctx, name, spec, transfer);
  const args = [spec.id, transfer.batch, noteOf(spec), spec.kind, codes, spec.summary ?? ''];
  return parseChunkReply(await ctx.run('transfer-settle', name, args), 'transfer-settle').progress;
}

const noteOf = (spec: Sender): string => actorJson({ ...spec.by, requestId: spec.id });

/** Enters the jobs in the target. @returns a digit a job, in their order */
async function deliver(
  ctx: BrokerContext,
  origin: string,
  spec: Sender,
  transfer: Transfer,
): Promise<string> {
  const target = spec.target ?? '';
  // The name was entered before; when memory is full now, the jobs must still arrive.
  await registerQueue(ctx, target)?.catch(() => undefined);
  const layout = parseLayout(target, transfer.sharding) ?? singleShard(target);
  const parts = groupWithPositions(transfer.jobs, ({ jobId, row }) => {
    const envelope = decodeEnvelope(jobId, headOf(row));
    return shardOfJob(layout, {
      jobId,
      tenantId: envelope?.tenantId ?? '',
      unique: envelope?.unique ?? undefined,
    });
  });
  const codes: string[] = new Array(transfer.jobs.length).fill('');
  for (const [shard, { at, items }] of parts) {
    const args: Arg[] = [spec.id, origin, transfer.batch, transfer.sharding, noteOf(spec)];
    for (const job of items) args.push(job.jobId, job.row, job.log, job.deliveries, job.redrives, job.death);
    const outcomes = replyText(await ctx.run('transfer-arrive', layout.names[shard] ?? target, args));
    at.forEach((position, i) => {
      // No reply: a later batch came from here, so this one is settled.
      codes[position] = outcomes[i] ?? '1';
    });
  }
  return codes.join('');
}

const headOf = (row: Buffer): string => {
  const second = row.indexOf(10, row.indexOf(10) + 1);
  return row.toString('utf8', 0, second === -1 ? row.length : second);
};

/** See lua/transfers/transfer.lua for the same format from the other side. */
export function parseTransfer(stored: Buffer): Transfer {
  const lines: string[] = [];
  let at = 0;
  const line = (): string => {
    const end = stored.indexOf(10, at);
    const found = stored.toString('utf8', at, end);
    at = end + 1;
    return found;
  };
  const [batch = '', count = '0', ...sharding] = line().split(' ');
  for (let i = 0; i < Number(count); i++) lines.push(line());
  const jobs = lines.map((one) => {
    const [jobId = '', , , rowBytes, logBytes, , deliveries, , redrives, , ...death] = one.split(' ');
    const row = stored.subarray(at, at + Number(rowBytes));
    const log = stored.subarray(at + row.length, at + row.length + Number(logBytes));
    at += row.length + log.length;
    return {
      jobId,
      row,
      log,
      deliveries: Number(deliveries),
      redrives: Number(redrives),
      death: death.length === 1 ? '' : death.join(' '),
    };
  });
  return { batch, sharding: sharding.join(' '), jobs };
}

/**
 * Moving jobs to another queue, which no one script can do: they may be on different nodes. First they leave their queue into its
 * outbox (bulk-outbox), then they are entered in the other, fenced by operation and batch (bulk-arrive), then the outbox is emptied
 * and the refused come back (bulk-settle). Whoever finds an outbox finishes it; each part may be done again without harm.
 */
import type { BrokerContext } from '../context';
import { actorNote } from '../note';
import { text } from '../reply';
import { decodeHead } from '../row';
import type { Arg } from '../script';
import { grouped } from '../sharded/fan-out';
import { layoutFrom, placeOf, shardingText, unsharded } from '../sharded/layout';
import type { ShardedContext } from '../shards';
import { register } from '../verbs/enqueue';
import type { MoveSpec } from './move';
import { chunkReply, outboxField, type Progress } from './progress';

type Sender = Pick<MoveSpec, 'id' | 'kind' | 'by' | 'target' | 'about'>;

/** How the other queue is spread over shards just now: kept with the batch, so that whoever finishes it sends each job to the same. */
export async function targetSharding(ctx: ShardedContext, { target }: Sender): Promise<string> {
  if (target === null) throw new Error('move: no target');
  // Before anything leaves its queue: a full memory refuses a new name, and a name that is none must stop it here.
  ctx.checkQueue(target);
  await register(ctx, target);
  return shardingText(ctx.shards.recent(target) ?? (await ctx.shards.of(target)));
}

interface Outbox {
  readonly batch: string;
  readonly sharding: string;
  readonly jobs: readonly Travelling[];
}
interface Travelling {
  readonly jobId: string;
  readonly row: Buffer;
  readonly log: Buffer;
  readonly deliveries: number;
  readonly redrives: number;
  /** Its row of `deaths`; empty when it was lost. */
  readonly death: string;
}

/** Brings what is on its way to its end. Null: nothing is. */
export async function finishOutbox(
  ctx: ShardedContext,
  name: string,
  spec: Sender,
): Promise<Progress | null> {
  const stored = await ctx.plain((redis) =>
    redis.hgetBuffer(ctx.keys.column(name, 'operations'), outboxField(spec.id)),
  );
  if (stored === null) return null;
  const outbox = readOutbox(stored);
  const codes = await deliver(ctx, name, spec, outbox);
  const args = [spec.id, outbox.batch, noteOf(spec), spec.kind, codes, spec.about ?? ''];
  return chunkReply(await ctx.run('bulk-settle', name, args), 'bulk-settle').progress;
}

const noteOf = (spec: Sender): string => actorNote({ ...spec.by, requestId: spec.id });

/** Enters them where they belong. A digit a job, in their order. */
async function deliver(ctx: BrokerContext, origin: string, spec: Sender, outbox: Outbox): Promise<string> {
  const target = spec.target ?? '';
  // It was entered before anything left its queue; a full memory refuses to do so again, and must not keep them from arriving.
  await register(ctx, target)?.catch(() => undefined);
  const layout = layoutFrom(target, outbox.sharding) ?? unsharded(target);
  const parts = grouped(outbox.jobs, ({ jobId, row }) => {
    const envelope = decodeHead(jobId, headOf(row));
    return placeOf(layout, {
      jobId,
      tenantId: envelope?.tenantId ?? '',
      unique: envelope?.unique ?? undefined,
    });
  });
  const codes: string[] = new Array(outbox.jobs.length).fill('');
  for (const [shard, { at, items }] of parts) {
    const args: Arg[] = [spec.id, origin, outbox.batch, outbox.sharding, noteOf(spec)];
    for (const job of items) args.push(job.jobId, job.row, job.log, job.deliveries, job.redrives, job.death);
    const told = text(await ctx.run('bulk-arrive', layout.names[shard] ?? target, args));
    at.forEach((place, i) => {
      // Nothing is told when a later batch came from here: then this one was settled long ago, and nobody listens.
      codes[place] = told[i] ?? '1';
    });
  }
  return codes.join('');
}

const headOf = (row: Buffer): string => {
  const second = row.indexOf(10, row.indexOf(10) + 1);
  return row.toString('utf8', 0, second === -1 ? row.length : second);
};

/** See lua/include/outbox.lua for the same format from the other side. */
export function readOutbox(stored: Buffer): Outbox {
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

/** Sending jobs to the shard they belong to: usual ones by enqueue-new.lua or enqueue-keyed.lua, which know no rare feature, all others by enqueue.lua. */
import { type Actor, actorJson } from '@/lib/broker/access/actor';
import { registerQueue } from '@/lib/broker/queues/register-queue';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import type { Arg } from '@/lib/broker/redis/script-runner';
import type { AuditObjectKind } from '@/lib/contract/audit/audit-objects';
import type { EnqueueJob } from '@/lib/contract/jobs/envelope';
import { uniqueSpec } from '../job-row';
import { shareScripts } from '../share-scripts';
import { type EnqueueEntry, entryBytes, entryRow, partsOf, SCRIPT_MAX_BYTES } from './enqueue-entries';
import { batchFailure, type EnqueueReply, readReply } from './enqueue-replies';

/** So many scripts of a batch are under way: bounds what lies in the socket. */
const PARTS_AT_ONCE = 8;
/** Jobs of a queue with limits go to enqueue.lua directly; after this time one call tries the short script again. */
const LIMITED_FOR_MS = 10_000;
const LIMITED_REMEMBERED = 10_000;

/** Who enqueues, for the audit log; and as what, when it is not the jobs themselves that this is about. */
export interface EnqueueAudit {
  readonly by: Actor;
  readonly event?: { readonly action: string; readonly kind: AuditObjectKind; readonly id: string };
}

/** Shards that refused the short scripts, and until when that is believed, by the monotonic clock. */
const limitedUntilMs = perContext(() => new Map<string, number>());

/**
 * Sends entries in as many scripts as their number and size need. With a `note` each script leaves a pending audit event.
 * Scripts are prepared and sent while Redis still runs those before them, so a later one may succeed though an earlier one failed.
 * @param sharding `shardingText` of the layout that placed the entries; empty: never sharded
 */
export async function sendEntries(
  ctx: BrokerContext,
  queue: string,
  entries: readonly EnqueueEntry[],
  sharding = '',
  note?: EnqueueAudit,
): Promise<EnqueueReply[]> {
  if (entries.length === 0) return [];
  ctx.checkQueue(queue);
  const registering = registerQueue(ctx, queue, note?.by);
  if (registering !== null) await registering;
  const parts = partsOf(entries);
  // All parts by the short scripts, or none: one that they refuse and that is sent again would stand in line behind the others.
  const areUsual = note === undefined && entries.every(isUsual);
  if (parts.length === 1) return sendPart(ctx, queue, entries, sharding, areUsual, note);
  const results: EnqueueReply[] = [];
  for (let i = 0; i < parts.length; i += PARTS_AT_ONCE) {
    const sent = parts
      .slice(i, i + PARTS_AT_ONCE)
      .map(([from, to]) => sendPart(ctx, queue, entries.slice(from, to), sharding, areUsual, note));
    const failures: unknown[] = [];
    for (const end of await Promise.allSettled(sent))
      if (end.status === 'fulfilled') results.push(...end.value);
      else failures.push(end.reason);
    if (failures.length > 0) throw batchFailure(failures, results.length, entries.length);
  }
  return results;
}

/** Sends a single job: at once, or with others to the same queue by the same sharding. */
export const sendSingly = shareScripts<EnqueueEntry, EnqueueReply>({
  fullItems: 50,
  maxSize: SCRIPT_MAX_BYTES,
  sizeOf: entryBytes,
  send: (ctx, queue, sharding, entries) => sendEntries(ctx, queue, entries, sharding),
});

async function sendPart(
  ctx: BrokerContext,
  queue: string,
  part: readonly EnqueueEntry[],
  sharding: string,
  areUsual: boolean,
  note: EnqueueAudit | undefined,
): Promise<EnqueueReply[]> {
  if (areUsual && !isLimited(ctx, queue)) {
    const script = part.some(({ job }) => job.idempotencyKey !== undefined) ? 'enqueue-keyed' : 'enqueue-new';
    const reply = await ctx.run(script, queue, newArgs(part, sharding));
    if (reply === 1) return part.map(({ jobId }) => ({ jobId, outcome: 'ready' }));
    if (reply !== 0) throw new Error(`${script}: unknown reply ${reply}`);
    rememberLimited(ctx, queue);
  }
  const args: Arg[] = [];
  for (const entry of part) pushArgs(args, entry);
  args.push((part.every(({ isNew }) => isNew) ? 'n' : 'r') + sharding);
  if (note) args.push(...noteArgs(note));
  return readReply(await ctx.run(note ? 'enqueue-audited' : 'enqueue', queue, args), part);
}

/** Under a new id, for now, and taken by any queue that takes jobs: the short scripts can enter it. */
const isUsual = ({ isNew, job }: EnqueueEntry): boolean =>
  isNew && job.critical && job.unique === undefined && !job.delayMs && job.notBefore === undefined;

function isLimited(ctx: BrokerContext, queue: string): boolean {
  const limited = limitedUntilMs.of(ctx);
  return limited.size > 0 && (limited.get(queue) ?? 0) > performance.now();
}

function rememberLimited(ctx: BrokerContext, queue: string): void {
  const limited = limitedUntilMs.of(ctx);
  if (limited.size >= LIMITED_REMEMBERED) limited.clear();
  limited.set(queue, performance.now() + LIMITED_FOR_MS);
}

function newArgs(part: readonly EnqueueEntry[], sharding: string): Arg[] {
  const hasPriorities = part.some(({ job }) => job.priority !== 0);
  const priorities = hasPriorities ? part.map(({ job }) => job.priority).join(' ') : '';
  const args: Arg[] = [sharding || '0', priorities];
  for (const entry of part) args.push(entry.jobId, entryRow(entry));
  return args;
}

function pushArgs(args: Arg[], entry: EnqueueEntry): void {
  const { jobId, job } = entry;
  const due = dueOf(job);
  const age = entry.ageMs === null ? '' : `t${Math.ceil(entry.ageMs)},`;
  const key = job.idempotencyKey === undefined ? '' : 'k';
  const extra = age + key + (job.critical ? '' : 'n') + (job.unique ? uniqueSpec(job.unique) : '');
  const ordinary = job.priority === 0 && due === '0' && extra === '';
  args.push(jobId, entryRow(entry), ordinary ? '' : `${job.priority} ${due} ${extra}`);
}

function dueOf(job: EnqueueJob): string {
  if (job.delayMs !== undefined && job.delayMs > 0) return `+${job.delayMs}`;
  return String(job.notBefore ?? 0);
}

const noteArgs = ({ by, event }: EnqueueAudit): Arg[] => [
  actorJson(by),
  event?.action ?? 'job.enqueue',
  event?.kind ?? '',
  event?.id ?? '',
];

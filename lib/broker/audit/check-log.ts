/** Checks the audit log as it stands in Redis: all of it, or the newest part that a budget allows. */
import type { AuditCheck } from '@/lib/contract/audit/audit-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { serverNow } from '../redis/server-info';
import { type HashChain, readEntry } from './hash-chain';
import { type ChainEnd, type LogHead, readLogHead } from './log-head';
import { readEntriesBackward, readEntriesForward } from './read-entries';
import { type ChainVerdict, verifyChain } from './verify-chain';

/** Trimming during a check starts the check anew. */
const TRIES = 3;

/** @param most the newest entries to check; `first` of the result is the oldest of them */
export async function checkLog(
  ctx: BrokerContext,
  chain: HashChain,
  { most = Number.POSITIVE_INFINITY }: { most?: number } = {},
): Promise<AuditCheck> {
  for (let tries = 1; ; tries++) {
    // Read before the head, so that entries appended meanwhile do not look like too many.
    const newest = await newestPlace(ctx);
    const { head } = await readLogHead(ctx);
    const verdict = await checkUpTo(ctx, chain, head, most);
    if (newest > head.n)
      verdict.problems.push({
        n: newest,
        sentence: `The head of the log says that entry ${head.n} is the newest, but there are entries up to ${newest}.`,
      });
    const after = await readLogHead(ctx);
    if (after.head.base.n !== head.base.n && tries < TRIES) continue;
    return { at: await serverNow(ctx), ...verdict, ok: verdict.problems.length === 0 };
  }
}

async function checkUpTo(
  ctx: BrokerContext,
  chain: HashChain,
  head: LogHead,
  most: number,
): Promise<ChainVerdict> {
  const ends: ChainEnd = { n: head.n, hash: head.hash };
  const from = head.n - most;
  if (from <= head.base.n)
    return verifyChain(chain, readEntriesForward(ctx, head.base.n + 1, head.n), {
      begins: head.base,
      base: head.base.n,
      ends,
      whole: true,
    });
  const begins = { n: from, hash: await readEntryHash(ctx, from) };
  return verifyChain(chain, readEntriesForward(ctx, from + 1, head.n), {
    begins,
    base: null,
    ends,
    whole: true,
  });
}

async function newestPlace(ctx: BrokerContext): Promise<number> {
  for await (const { n } of readEntriesBackward(ctx)) if (Number.isFinite(n)) return n;
  return 0;
}

export async function readEntryHash(ctx: BrokerContext, n: number): Promise<string | null> {
  for await (const { text } of readEntriesForward(ctx, n, n)) return readEntry(text)?.hash ?? null;
  return null;
}

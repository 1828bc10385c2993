/** Checks the audit log as it stands in Redis: all of it, or the newest part that a budget allows. */
import type { AuditCheck } from '@/lib/contract/audit';
import type { BrokerContext } from '../context';
import { serverNow } from '../now';
import { type Chain, readEntry } from './chain';
import { entriesDown, entriesUp } from './entries';
import { type End, type Head, readHead } from './head';
import { type Verdict, verifyChain } from './verify';

/** While it is checked, the oldest entries may be let go of: then the check begins anew. */
const TRIES = 3;

/** @param most entries, the newest ones; `first` of what is returned says where it began */
export async function checkAudit(
  ctx: BrokerContext,
  chain: Chain,
  { most = Number.POSITIVE_INFINITY }: { most?: number } = {},
): Promise<AuditCheck> {
  for (let tries = 1; ; tries++) {
    // Before the head: what is appended meanwhile is then never taken for more than the head knows of.
    const newest = await newestPlace(ctx);
    const { head } = await readHead(ctx);
    const verdict = await checkUpTo(ctx, chain, head, most);
    if (newest > head.n)
      verdict.problems.push({
        n: newest,
        sentence: `The head of the log says that entry ${head.n} is the newest, but there are entries up to ${newest}.`,
      });
    const after = await readHead(ctx);
    if (after.head.base.n !== head.base.n && tries < TRIES) continue;
    return { at: await serverNow(ctx), ...verdict, ok: verdict.problems.length === 0 };
  }
}

async function checkUpTo(ctx: BrokerContext, chain: Chain, head: Head, most: number): Promise<Verdict> {
  const ends: End = { n: head.n, hash: head.hash };
  const from = head.n - most;
  if (from <= head.base.n)
    return verifyChain(chain, entriesUp(ctx, head.base.n + 1, head.n), {
      begins: head.base,
      base: head.base.n,
      ends,
      whole: true,
    });
  const begins = { n: from, hash: await hashAt(ctx, from) };
  return verifyChain(chain, entriesUp(ctx, from + 1, head.n), { begins, base: null, ends, whole: true });
}

async function newestPlace(ctx: BrokerContext): Promise<number> {
  for await (const { n } of entriesDown(ctx)) if (Number.isFinite(n)) return n;
  return 0;
}

export async function hashAt(ctx: BrokerContext, n: number): Promise<string | null> {
  for await (const { text } of entriesUp(ctx, n, n)) return readEntry(text)?.hash ?? null;
  return null;
}

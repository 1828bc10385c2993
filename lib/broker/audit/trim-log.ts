/** Lets go of the oldest entries of the audit log: by age, and by number. That it did is an entry itself. */
import type { BrokerContext } from '../redis/broker-context';
import { serverNow } from '../redis/server-info';
import { appendEntries, logEventDraft } from './append-entries';
import { type HashChain, readEntry } from './hash-chain';
import { type ChainEnd, readLogHead } from './log-head';
import { readEntriesForward } from './read-entries';

export const AUDIT_ENTRIES_MAX = 200_000;
const DAY_MS = 86_400_000;
/** At most so many go in one script … */
export const TRIM_STEP = 500;
/** … and not fewer, unless the oldest is overdue by a day: else each day would leave as many entries as it takes. */
const OVERDUE_MS = DAY_MS;
const STEPS_MAX = 100;

export interface Trimmed {
  readonly gone: number;
  /** Of these, how many would have been kept for their age: there were too many. */
  readonly early: number;
}
const NONE: Trimmed = { gone: 0, early: 0 };

export async function trimAudit(
  ctx: BrokerContext,
  chain: HashChain,
  keepDays: number,
  keepEntries = AUDIT_ENTRIES_MAX,
): Promise<Trimmed> {
  let [gone, early] = [0, 0];
  for (let step = 0; step < STEPS_MAX; step++) {
    const dropped = await trimStep(ctx, chain, keepDays * DAY_MS, keepEntries);
    if (dropped.gone === 0) break;
    gone += dropped.gone;
    early += dropped.early;
  }
  return { gone, early };
}

async function trimStep(
  ctx: BrokerContext,
  chain: HashChain,
  keepMs: number,
  keepEntries: number,
): Promise<Trimmed> {
  const { head } = await readLogHead(ctx);
  // Without the key of the log nothing can be appended; see collect-events.ts.
  if (head.key !== chain.keyName) return NONE;
  const now = await serverNow(ctx);
  const tooMany = head.n - head.base.n - keepEntries;
  let [last, oldest, early]: [ChainEnd | null, number, number] = [null, now, 0];
  for await (const { n, text } of readEntriesForward(ctx, head.base.n + 1, head.base.n + TRIM_STEP)) {
    const entry = readEntry(text);
    // An entry that was changed stays, and so does all behind it: the check is to find it.
    if (entry === null || (n - head.base.n > tooMany && now - entry.at <= keepMs)) break;
    last = { n, hash: entry.hash };
    oldest = Math.min(oldest, entry.at);
    if (now - entry.at <= keepMs) early += 1;
  }
  const drops = last === null ? 0 : last.n - head.base.n;
  if (last === null || (drops < TRIM_STEP && now - oldest < keepMs + OVERDUE_MS)) return NONE;
  const event = logEventDraft(
    head,
    {
      action: 'audit.trim',
      count: drops,
      after: JSON.stringify({ upTo: last.n, keepMs, keepEntries, early }),
    },
    now,
  );
  return (await appendEntries(ctx, chain, head, { drafts: [event], base: last })) === null
    ? NONE
    : { gone: drops, early };
}

/** Lets go of the oldest entries of the audit log: by age, and by number. That it did is an entry itself. */
import type { BrokerContext } from '../context';
import { serverNow } from '../now';
import { append, ownDraft } from './append';
import { type Chain, readEntry } from './chain';
import { entriesUp } from './entries';
import { type End, readHead } from './head';

export const AUDIT_ENTRIES_MAX = 200_000;
const DAY_MS = 86_400_000;
/** At most so many go in one script … */
export const TRIM_STEP = 500;
const STEP = TRIM_STEP;
/** … and not fewer, unless the oldest is overdue by a day: else each day would leave as many entries as it takes. */
const OVERDUE_MS = DAY_MS;
const STEPS_MAX = 100;

export interface Retention {
  readonly keepMs: number;
  readonly keepEntries: number;
}
export const retentionOf = (keepDays: number, keepEntries = AUDIT_ENTRIES_MAX): Retention => ({
  keepMs: keepDays * DAY_MS,
  keepEntries,
});

export interface Trimmed {
  readonly gone: number;
  /** Of these, how many would have been kept for their age: there were too many. */
  readonly early: number;
}
const NONE: Trimmed = { gone: 0, early: 0 };

export async function trimAudit(ctx: BrokerContext, chain: Chain, retention: Retention): Promise<Trimmed> {
  let [gone, early] = [0, 0];
  for (let step = 0; step < STEPS_MAX; step++) {
    const dropped = await trimStep(ctx, chain, retention);
    if (dropped.gone === 0) break;
    gone += dropped.gone;
    early += dropped.early;
  }
  return { gone, early };
}

async function trimStep(
  ctx: BrokerContext,
  chain: Chain,
  { keepMs, keepEntries }: Retention,
): Promise<Trimmed> {
  const { head } = await readHead(ctx);
  // Whose key is not known here keeps the log; see collect.
  if (head.key !== chain.keyName) return NONE;
  const now = await serverNow(ctx);
  const tooMany = head.n - head.base.n - keepEntries;
  let [last, oldest, early]: [End | null, number, number] = [null, now, 0];
  for await (const { n, text } of entriesUp(ctx, head.base.n + 1, head.base.n + STEP)) {
    const entry = readEntry(text);
    // One that somebody changed stays where it is, and so does all behind it: the check is to find it.
    if (entry === null || (n - head.base.n > tooMany && now - entry.at <= keepMs)) break;
    last = { n, hash: entry.hash };
    oldest = Math.min(oldest, entry.at);
    if (now - entry.at <= keepMs) early += 1;
  }
  const drops = last === null ? 0 : last.n - head.base.n;
  if (last === null || (drops < STEP && now - oldest < keepMs + OVERDUE_MS)) return NONE;
  const note = ownDraft(
    head,
    {
      action: 'audit.trim',
      count: drops,
      after: JSON.stringify({ upTo: last.n, keepMs, keepEntries, early }),
    },
    now,
  );
  return (await append(ctx, chain, head, { drafts: [note], base: last })) === null
    ? NONE
    : { gone: drops, early };
}

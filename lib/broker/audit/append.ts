/** Puts entries behind the newest of the audit log, in one script: all of them, with what was taken for them, or none. */
import type { AuditEntry } from '@/lib/contract/audit';
import type { BrokerContext } from '../context';
import { numbers } from '../reply';
import { type Chain, entryText } from './chain';
import { type End, type Head, type Taken, takenText } from './head';
import type { Draft } from './outboxes';

/** Their script touches no queue, but every script call names one. */
const NO_QUEUE = 'none';
/** What Redrive itself has to say about the log. */
const REDRIVE = 'redrive';

export interface Append {
  readonly drafts: readonly Draft[];
  readonly taken?: ReadonlyMap<string, Taken>;
  /** Where the log begins from now on. */
  readonly base?: End;
}

/** The head as it is then; null: somebody else has appended meanwhile. */
export async function append(
  ctx: BrokerContext,
  chain: Chain,
  head: Head,
  { drafts, taken = new Map(), base }: Append,
): Promise<Head | null> {
  const first = await tryAppend(ctx, chain, head, head.n, drafts, taken, base);
  if (!('behind' in first)) return first.head;
  const lost = ownDraft(
    head,
    {
      action: 'audit.gap',
      after: `The log ended with entry ${head.n}, but had entries up to ${first.behind}: those between are gone.`,
      count: first.behind - head.n,
    },
    drafts[0]?.at ?? 0,
  );
  const second = await tryAppend(ctx, chain, head, first.behind, [lost, ...drafts], taken, base);
  return 'behind' in second ? null : second.head;
}

async function tryAppend(
  ctx: BrokerContext,
  chain: Chain,
  head: Head,
  start: number,
  drafts: readonly Draft[],
  taken: ReadonlyMap<string, Taken>,
  base: End | undefined,
): Promise<{ head: Head | null } | { behind: number }> {
  const entries = chained(chain, { n: start, hash: head.hash }, drafts);
  const last = entries.at(-1) ?? { n: start, hash: head.hash };
  const froms = [...taken].flatMap(([place, one]) => [place, takenText(one)]);
  const reply = await ctx.run('audit-append', NO_QUEUE, [
    ...head.stored,
    last.n,
    last.hash,
    chain.keyName,
    base?.n ?? '',
    base?.hash ?? '',
    froms.length / 2,
    ...froms,
    ...entries.map(entryText),
  ]);
  const [code = 0, behind = 0] = numbers(reply, 'audit-append');
  if (code < 0) return { behind };
  if (code === 0) return { head: null };
  return {
    head: {
      n: last.n,
      hash: last.hash,
      key: chain.keyName,
      base: base ?? head.base,
      stored: [String(last.n), last.hash],
    },
  };
}

function chained(chain: Chain, after: End, drafts: readonly Draft[]): AuditEntry[] {
  let { n, hash: prev } = after;
  return drafts.map((draft) => {
    n += 1;
    const unhashed = { ...draft, n, prev };
    const entry: AuditEntry = { ...unhashed, hash: chain.hash(unhashed) };
    prev = entry.hash;
    return entry;
  });
}

/** An entry about the log itself. */
export const ownDraft = (
  head: Pick<Head, 'n'>,
  { action, queue, before, after, count }: Partial<Draft> & Pick<Draft, 'action'>,
  at: number,
): Draft => ({
  at,
  actor: REDRIVE,
  actorId: null,
  way: null,
  via: null,
  address: null,
  action,
  result: 'done',
  code: null,
  object: { kind: 'audit', id: 'log' },
  queue: queue ?? null,
  shard: null,
  filter: null,
  reason: null,
  before: before ?? null,
  after: after ?? null,
  count: count ?? null,
  requestId: null,
  source: `.audit ${head.n}`,
});

/** Puts entries behind the newest of the audit log, in one script: all of them, with what was taken for them, or none. */
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { replyNumbers } from '../redis/script-reply';
import { entryText, type HashChain } from './hash-chain';
import {
  type ChainEnd,
  type CollectedUpTo,
  collectedText,
  type LogHead,
  roomField,
  takenField,
} from './log-head';
import type { EntryDraft } from './pending-events';

const REDRIVE = 'redrive';

export interface AppendRequest {
  readonly drafts: readonly EntryDraft[];
  readonly taken?: ReadonlyMap<string, CollectedUpTo>;
  /** Queue → how much room its events have left: see intake/source-rooms.ts. */
  readonly rooms?: ReadonlyMap<string, string>;
  /** Where the log begins from now on. */
  readonly base?: ChainEnd;
}

/** The head as it is then; null: somebody else has appended meanwhile. */
export async function appendEntries(
  ctx: BrokerContext,
  chain: HashChain,
  head: LogHead,
  { drafts, taken = new Map(), rooms = new Map(), base }: AppendRequest,
): Promise<LogHead | null> {
  const append = async (start: number, added: readonly EntryDraft[]) => {
    const entries = chained(chain, { n: start, hash: head.hash }, added);
    const { n, hash } = entries.at(-1) ?? { n: start, hash: head.hash };
    const fields = [
      ...[...taken].flatMap(([source, one]) => [takenField(source), collectedText(one)]),
      ...[...rooms].flatMap(([queue, room]) => [roomField(queue), room]),
    ];
    const reply = await ctx.run('audit-append', null, [
      ...head.stored,
      n,
      hash,
      chain.keyName,
      base?.n ?? '',
      base?.hash ?? '',
      fields.length / 2,
      ...fields,
      ...entries.map(entryText),
    ]);
    const [code = 0, behind = 0] = replyNumbers(reply, 'audit-append');
    const writing = String(Number(head.stored[2]) + 1);
    const stored = [String(n), hash, writing] as const;
    const next: LogHead = { n, hash, key: chain.keyName, base: base ?? head.base, stored };
    return { head: code > 0 ? next : null, behind: code < 0 ? behind : null };
  };
  const first = await append(head.n, drafts);
  if (first.behind === null) return first.head;
  const lost = logEventDraft(
    head,
    {
      action: 'audit.gap',
      after: `The log ended with entry ${head.n}, but had entries up to ${first.behind}: those between are gone.`,
      count: first.behind - head.n,
    },
    drafts[0]?.at ?? 0,
  );
  return (await append(first.behind, [lost, ...drafts])).head;
}

function chained(chain: HashChain, after: ChainEnd, drafts: readonly EntryDraft[]): AuditEventView[] {
  let { n, hash: prev } = after;
  return drafts.map((draft) => {
    n += 1;
    const unhashed = { ...draft, n, prev };
    const entry: AuditEventView = { ...unhashed, hash: chain.hash(unhashed) };
    prev = entry.hash;
    return entry;
  });
}

export const logEventDraft = (
  head: Pick<LogHead, 'n'>,
  { action, queue, before, after, count }: Partial<EntryDraft> & Pick<EntryDraft, 'action'>,
  at: number,
): EntryDraft => ({
  at,
  actor: REDRIVE,
  actorId: null,
  method: null,
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

/** The key of the audit log: the first entry under another key says so. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { serverNow } from '../redis/server-info';
import type { ShardedContext } from '../shards/sharded-context';
import { appendEntries, logEventDraft } from './append-entries';
import type { HashChain } from './hash-chain';
import { type LogHead, readLogHead } from './log-head';
import type { EntryDraft } from './pending-events';

/** Enters a new key at once, to tell a keyed log from one written without the key. */
export async function turnKey(ctx: ShardedContext, chain: HashChain): Promise<void> {
  const { head } = await readLogHead(ctx);
  const drafts = await turnOfKey(ctx, chain, head);
  if (drafts.length > 0) await appendEntries(ctx, chain, head, { drafts });
}

/** The first entry under another key says so. @throws RedriveError WRONG_STATE */
export async function turnOfKey(ctx: ShardedContext, chain: HashChain, head: LogHead): Promise<EntryDraft[]> {
  if (head.key === chain.keyName) return [];
  if (head.key !== '' && !chain.knows(head.key))
    throw new RedriveError(
      'WRONG_STATE',
      chain.keyName === ''
        ? 'The audit log is keyed, and this console has no REDRIVE_AUDIT_KEY. Give it the key of the others; until then it enters nothing, and records wait.'
        : 'The audit log is kept under another key than REDRIVE_AUDIT_KEY of this console. To change keys, give the new one and, on the next line of the file, the old one.',
    );
  const [before, after] = [head.key || 'none', chain.keyName];
  return [logEventDraft(head, { action: 'audit.key', before, after }, await serverNow(ctx))];
}

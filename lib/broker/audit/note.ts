/** Enters what changes nothing in Redis, and yet belongs into the log: refused attempts, exports, looks at what is hidden. */
import type { AuditEntry, AuditObjectKind } from '@/lib/contract/audit';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { changeText } from './change-text';

/** Their script touches no queue, but every script call names one. */
const NO_QUEUE = 'none';
const ACTION_MAX_CHARS = 100;
const ID_MAX_CHARS = 200;
const FILTER_MAX_CHARS = 2_000;

export interface AuditNote {
  /** Such as `audit.export`, or of a refused attempt what was attempted. */
  readonly action: string;
  readonly object?: { readonly kind: AuditObjectKind; readonly id: string };
  readonly queue?: string;
  /** Short texts, JSON by preference; never a payload. */
  readonly before?: string;
  readonly after?: string;
  readonly count?: number;
  readonly filter?: string;
  /** `done` unless it says otherwise. */
  readonly result?: AuditEntry['result'];
  /** Of what was refused: the code of the error table. */
  readonly code?: string;
}

/** @throws RedriveError REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function noteAudit(ctx: BrokerContext, note: AuditNote, by: Actor): Promise<void> {
  const { action, object, queue, before, after, count, filter, result, code } = note;
  await ctx.run('audit-note', NO_QUEUE, [
    action.slice(0, ACTION_MAX_CHARS),
    actorNote(by),
    object?.kind ?? '',
    object?.id.slice(0, ID_MAX_CHARS) ?? '',
    queue?.slice(0, ID_MAX_CHARS) ?? '',
    changeText(before),
    changeText(after),
    count ?? '',
    filter?.slice(0, FILTER_MAX_CHARS) ?? '',
    result ?? '',
    code ?? '',
  ]);
}

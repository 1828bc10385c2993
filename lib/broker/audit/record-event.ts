/** Records events that change nothing in Redis: refusals, exports, looks at hidden values. */

import type { AuditObjectKind } from '@/lib/contract/audit/audit-objects';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { type Actor, actorJson } from '../access/actor';
import type { BrokerContext } from '../redis/broker-context';
import { changeText } from './change-text';

const ACTION_MAX_CHARS = 100;
const ID_MAX_CHARS = 200;
const FILTER_MAX_CHARS = 2_000;

export interface AuditEvent {
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
  readonly result?: AuditEventView['result'];
  /** Of what was refused: the code of the error table. */
  readonly code?: string;
}

/** @throws RedriveError REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function recordAuditEvent(ctx: BrokerContext, event: AuditEvent, by: Actor): Promise<void> {
  const { action, object, queue, before, after, count, filter, result, code } = event;
  await ctx.run('audit-note', null, [
    action.slice(0, ACTION_MAX_CHARS),
    actorJson(by),
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

/** Who makes a change, and the JSON of history entries: who did it, why, and the error of a failure. */
import type { SignInMethod } from '@/lib/contract/access/access-limits';
import type { QuotaOwner } from '@/lib/contract/access/quotas';
import { ERROR_MESSAGE_MAX_CHARS, ERROR_STACK_MAX_CHARS } from '@/lib/contract/jobs/error-classes';
import type { OperationRights } from '@/lib/contract/operations/operation-rights';
import { withoutEscapeCodes } from '@/lib/format/escape-codes';
import { parseJsonObject } from '../redis/parse-json';

export interface Actor {
  actor: string;
  /** Stable id of the user or token, and the sign-in method: only for changes over HTTP. */
  actorId?: string;
  /** Of a token: its owner. */
  ownerId?: string;
  method?: SignInMethod;
  /** The session or token, as lists name it: it opens nothing. */
  via?: string;
  address?: string;
  reason?: string;
  /** Ties the change to a request, operation or audit entry. */
  requestId?: string;
  /** Takes its share of quotas; left out: the library. */
  quotaOwner?: QuotaOwner;
}

/** The rights an operation or schedule goes on with; null: a call of the library. */
export const toOperationRights = ({
  actor,
  actorId,
  ownerId,
  method,
  via,
  address,
}: Actor): OperationRights | null =>
  actorId === undefined || method === undefined ? null : { actor, actorId, ownerId, method, via, address };

export const SYSTEM: Actor = { actor: 'system' };

export const actorJson = (by: Actor): string =>
  JSON.stringify({
    actor: by.actor.slice(0, 100),
    reason: by.reason?.slice(0, 300),
    requestId: by.requestId?.slice(0, 100),
    actorId: by.actorId?.slice(0, 200),
    ownerId: by.ownerId?.slice(0, 200),
    method: by.method,
    via: by.via?.slice(0, 100),
    address: by.address?.slice(0, 60),
  });

/** Letters that JSON must escape take up to six bytes each; two notes of this size fit into one history. */
const ENTRY_MAX_BYTES = 8_000;

/**
 * Cut to size, so that no error text bloats Redis, and without the colours of terminals, which no page and no search can use. The print
 * comes first: no text of an error can stand where scripts look for it.
 */
export function errorJson(message: string, stack: string | undefined, print?: string): string {
  const [said, frames] = [
    withoutEscapeCodes(message),
    stack === undefined ? undefined : withoutEscapeCodes(stack),
  ];
  let [messageChars, stackChars] = [ERROR_MESSAGE_MAX_CHARS, ERROR_STACK_MAX_CHARS];
  for (;;) {
    const fields = JSON.stringify({
      print,
      message: said.slice(0, messageChars),
      stack: frames?.slice(0, stackChars),
    });
    if (Buffer.byteLength(fields) <= ENTRY_MAX_BYTES) return fields;
    messageChars = Math.floor(messageChars * 0.75);
    stackChars = Math.floor(stackChars * 0.75);
  }
}

const HISTORY_FIELDS = [
  'actor',
  'reason',
  'requestId',
  'actorId',
  'ownerId',
  'method',
  'via',
  'address',
  'message',
  'stack',
] as const;
export type HistoryFields = Partial<Record<(typeof HISTORY_FIELDS)[number], string>>;

/** Only fields that are text; none of an entry that cannot be read. */
export function parseHistoryFields(json: string): HistoryFields {
  const stored = parseJsonObject(json);
  return Object.fromEntries(
    HISTORY_FIELDS.flatMap((field) => {
      const text = stored?.[field];
      // Errors stored by earlier versions have the colours still in them.
      return typeof text === 'string' ? [[field, withoutEscapeCodes(text)]] : [];
    }),
  );
}

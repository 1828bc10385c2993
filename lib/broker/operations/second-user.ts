/** Whether an operation needs a second user now, and who is one. */

import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { Actor } from '../access/actor';
import type { ShardedContext } from '../shards/sharded-context';
import { queueAskingApproval } from './preview/operation-checks';

/** The queue that now asks for a second user; null: none. The runner sees a setting that changes right after, before the next job. */
export const askingQueue = (ctx: ShardedContext, record: OperationRecord): Promise<string | null> =>
  queueAskingApproval(
    ctx,
    record,
    record.shards.map(({ queue }) => queue),
  );

/** By id where users sign in, since names repeat and a user may have tokens. With AUTH=none all users have one id. */
export const isSamePerson = ({ principal: rights, actor }: OperationRecord, by: Actor): boolean =>
  rights && rights.method !== 'none' && by.actorId !== undefined
    ? userOf(rights) === userOf(by) || isNamesake(rights, by)
    : actor === by.actor;

const userOf = ({ actorId = '', ownerId }: Pick<Actor, 'actorId' | 'ownerId'>): string => ownerId ?? actorId;
const methodOf = (by: Pick<Actor, 'actorId' | 'ownerId'>): string => userOf(by).split(':')[0] ?? '';
/** A token's name ends in its owner's. */
const nameOf = ({ actor, method }: Pick<Actor, 'actor' | 'method'>): string =>
  (method === 'token' ? actor.replace(/^.* \(token of (.*)\)$/s, '$1') : actor)
    .normalize('NFC')
    .toLowerCase();

/** The same name by another sign-in method is most likely one person with two identities. */
const isNamesake = (one: Actor, other: Actor): boolean =>
  methodOf(one) !== methodOf(other) && nameOf(one) === nameOf(other);

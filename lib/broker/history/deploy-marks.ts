/** Deploys, as a pipeline tells of them: marks in the charts. */
import { randomUUID } from 'node:crypto';
import { DEPLOY_MARKS_KEPT, MARKS_MAX } from '@/lib/contract/history/history-ranges';
import type { HistoryMark, MarkRequest } from '@/lib/contract/history/history-schemas';
import { type Actor, actorJson, parseHistoryFields } from '../access/actor';
import type { BrokerContext } from '../redis/broker-context';
import { replyNumber, replyPairs } from '../redis/script-reply';
import type { HistoryRange } from './read-history';

const textOf = (text: string, version: string | undefined, actor: string | undefined): string =>
  `Deploy${version ? ` ${version}` : ''}: ${text}${actor ? ` by ${actor}` : ''}`;

/** @param id of the request: sent again it adds nothing */
export async function addMark(
  ctx: BrokerContext,
  mark: MarkRequest,
  by: Actor,
  id: string = randomUUID(),
): Promise<HistoryMark> {
  const { kind, text, version, queues = [] } = mark;
  const reply = await ctx.run('mark-add', null, [
    id,
    kind,
    text,
    version ?? '',
    queues.join(' '),
    actorJson(by),
    DEPLOY_MARKS_KEPT,
    JSON.stringify({ text, version, queues: mark.queues }),
    queues.length === 1 ? (queues[0] ?? '') : '',
  ]);
  return { at: replyNumber(reply, 'mark-add'), kind, text: textOf(text, version, by.actor) };
}

/** Of these queues, and of all: the newest in the range, oldest first. */
export async function readDeployMarks(
  ctx: BrokerContext,
  queues: readonly string[],
  { from, to }: HistoryRange,
): Promise<HistoryMark[]> {
  if (to <= from) return [];
  const key = ctx.keys.global('queuesMarks');
  const entries = await ctx.plain((redis) =>
    redis.xrevrange(key, String(to - 1), String(from), 'COUNT', MARKS_MAX),
  );
  const shown = new Set(queues);
  return entries.reverse().flatMap(([id, flat]): HistoryMark[] => {
    const fields = replyPairs(flat, 'marks');
    const concerned = fields.get('queues') || null;
    if (concerned && !concerned.split(' ').some((queue) => shown.has(queue))) return [];
    const { actor } = parseHistoryFields(fields.get('by') ?? '');
    const text = textOf(fields.get('text') ?? '', fields.get('version'), actor);
    return [{ at: Number.parseInt(id, 10), kind: 'deploy', text }];
  });
}

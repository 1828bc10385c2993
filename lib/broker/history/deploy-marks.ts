/** Deploys, as a pipeline tells of them: marks in the charts. */
import { randomUUID } from 'node:crypto';
import { keepFairly } from '@/lib/contract/access/keep-fairly';
import { LIBRARY_OWNER } from '@/lib/contract/access/quotas';
import { DEPLOY_MARKS_KEPT, MARKS_MAX } from '@/lib/contract/history/history-ranges';
import type { HistoryMark, MarkRequest } from '@/lib/contract/history/history-schemas';
import { reusedKey } from '@/lib/contract/reused-key-error';
import { type Actor, actorJson, parseHistoryFields } from '../access/actor';
import type { BrokerContext } from '../redis/broker-context';
import { replyNumbers, replyPairs } from '../redis/script-reply';
import type { HistoryRange } from './read-history';

const textOf = (text: string, version: string | undefined, actor: string | undefined): string =>
  `Deploy${version ? ` ${version}` : ''}: ${text}${actor ? ` by ${actor}` : ''}`;

/** So many more than Redis keeps may pile up before a call cuts the list: few calls then read all of it. */
const SLACK = 50;
/** Redis itself cuts the list here, if no process does before. */
const MOST = 2 * DEPLOY_MARKS_KEPT;
const PAGE = 500;

/** @param id of the request: sent again it adds nothing @throws RedriveError ID_CONFLICT: the id is of another mark */
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
    MOST,
    JSON.stringify({ text, version, queues: mark.queues }),
    queues.length === 1 ? (queues[0] ?? '') : '',
  ]);
  const [at = 0, there = 0] = replyNumbers(reply, 'mark-add');
  if (at < 0) throw reusedKey('mark');
  // The mark is added, whether or not the list can be cut: the next one tries again.
  if (there > DEPLOY_MARKS_KEPT + SLACK) await cutMarks(ctx).catch(() => undefined);
  return { at, kind, text: textOf(text, version, by.actor) };
}

/** Of these queues, and of all: the newest in the range, oldest first, and of each user a fair share. */
export async function readDeployMarks(
  ctx: BrokerContext,
  queues: readonly string[],
  { from, to }: HistoryRange,
): Promise<HistoryMark[]> {
  if (to <= from) return [];
  const shown = new Set(queues);
  const concerned = (await readAll(ctx, String(from), String(to - 1))).filter(({ fields }) => {
    const named = fields.get('queues') || null;
    return named === null || named.split(' ').some((queue) => shown.has(queue));
  });
  return keepFairly(concerned, MARKS_MAX, holderOf).map(({ id, fields }): HistoryMark => {
    const { actor } = parseHistoryFields(fields.get('by') ?? '');
    const text = textOf(fields.get('text') ?? '', fields.get('version'), actor);
    return { at: Number.parseInt(id, 10), kind: 'deploy', text };
  });
}

interface StoredMark {
  readonly id: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** The user, with all sessions and tokens. */
function holderOf({ fields }: StoredMark): string {
  const { ownerId, actorId } = parseHistoryFields(fields.get('by') ?? '');
  return ownerId ?? actorId ?? LIBRARY_OWNER;
}

/** The user with most marks loses the oldest. */
async function cutMarks(ctx: BrokerContext): Promise<void> {
  const all = await readAll(ctx, '-', '+');
  const kept = new Set(keepFairly(all, DEPLOY_MARKS_KEPT, holderOf));
  const gone = all.filter((mark) => !kept.has(mark)).map(({ id }) => id);
  if (gone.length === 0) return;
  await ctx.plain((redis) => redis.xdel(ctx.keys.global('queuesMarks'), ...gone));
}

/** Oldest first. */
async function readAll(ctx: BrokerContext, first: string, last: string): Promise<StoredMark[]> {
  const key = ctx.keys.global('queuesMarks');
  const marks: StoredMark[] = [];
  for (let from = first; marks.length < MOST; ) {
    const page = await ctx.plain((redis) => redis.xrange(key, from, last, 'COUNT', PAGE));
    marks.push(...page.map(([id, flat]) => ({ id, fields: replyPairs(flat, 'marks') })));
    if (page.length < PAGE) break;
    from = `(${page.at(-1)?.[0]}`;
  }
  return marks;
}

/** Marks of a chart: deploys, and what users changed about queues, from the record that the scripts of the changes write. */
import { keepFairly } from '@/lib/contract/access/keep-fairly';
import { MARKS_MAX, type MarkKind } from '@/lib/contract/history/history-ranges';
import type { HistoryMark } from '@/lib/contract/history/history-schemas';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { count } from '@/lib/format/plural';
import { parseHistoryFields } from '../access/actor';
import { runPipelines } from '../redis/run-pipelines';
import { replyPairs } from '../redis/script-reply';
import type { ShardedContext } from '../shards/sharded-context';
import { readDeployMarks } from './deploy-marks';
import type { HistoryRange } from './read-history';

/** Of so many queues. */
const QUEUES_MAX = 200;
/** Changes of a queue in the first reading, mostly all that a chart shows, and in each after it. */
const FIRST_CHANGES = 30;
const MORE_CHANGES = 200;
/** For one chart: twenty queues with all the changes they keep. */
const CHANGES_MAX = 20_000;

const KINDS: Readonly<Record<string, MarkKind>> = {
  pause: 'pause',
  resume: 'pause',
  drain: 'pause',
  undrain: 'pause',
  operation: 'operation',
  config: 'settings',
  sharding: 'settings',
};
const WORDS: Readonly<Record<string, string>> = {
  pause: 'Paused',
  resume: 'Resumed',
  drain: 'Draining',
  undrain: 'Accepts jobs again',
  config: 'Settings changed',
  sharding: 'Sharding changed',
};

/** Oldest first; where there are more than `MARKS_MAX`, the newest of each kind. A queue that cannot be read has none. */
export async function readMarks(
  ctx: ShardedContext,
  queues: readonly string[],
  range: HistoryRange,
): Promise<HistoryMark[]> {
  const [deploys, changes] = await Promise.all([
    readDeployMarks(ctx, queues, range),
    readChangeMarks(ctx, queues, range),
  ]);
  // Changes come newest first: reversed, changes of one moment keep their order.
  const marks = [...deploys, ...changes.toReversed()].sort((a, b) => a.at - b.at);
  return [...keepFairly(marks, MARKS_MAX, ({ kind }) => kind)];
}

/** From the newest change of each queue back to the beginning of the range: the times of their ids are not those of a test's clock. */
async function readChangeMarks(
  ctx: ShardedContext,
  queues: readonly string[],
  range: HistoryRange,
): Promise<HistoryMark[]> {
  const marks: HistoryMark[] = [];
  let open = new Map(
    queues.slice(0, QUEUES_MAX).map((queue) => [ctx.keys.column(queue, 'changes'), { queue, before: '+' }]),
  );
  let left = CHANGES_MAX;
  for (let size = FIRST_CHANGES; open.size > 0 && left >= size; size = MORE_CHANGES) {
    const turn = [...open].slice(0, Math.floor(left / size));
    left -= turn.length * size;
    const replies = await runPipelines(
      ctx,
      turn.map(([key]) => key),
      (pipeline, key) => {
        pipeline.xrevrange(key, open.get(key)?.before ?? '+', '-', 'COUNT', size);
      },
    );
    const unfinished = turn.flatMap(([key, { queue }], i) => {
      const changes = changesIn(replies[i]);
      marks.push(...changes.flatMap((change) => markOf(queue, change, range)));
      const last = changes.at(-1);
      return last && changes.length === size && last.at >= range.from
        ? [[key, { queue, before: `(${last.id}` }] as const]
        : [];
    });
    open = new Map(unfinished);
  }
  return marks;
}

interface Change {
  readonly id: string;
  readonly at: number;
  readonly what: string;
  readonly by: string;
  /** The scope of a pause; "<kind> <id>" of an operation. */
  readonly before: string;
  /** "ended: 12 moved, 3 left alone", of an operation. */
  readonly after: string;
}

function changesIn(reply: unknown): Change[] {
  return (Array.isArray(reply) ? reply : []).map((entry: unknown) => {
    const [id, flat] = Array.isArray(entry) ? entry : [];
    const fields = replyPairs(flat ?? [], 'changes');
    const text = (field: string) => fields.get(field) ?? '';
    const [what, by, before, after] = [text('what'), text('by'), text('before'), text('after')];
    return { id: String(id), at: Number(text('at')), what, by, before, after };
  });
}

function markOf(queue: string, change: Change, { from, to }: HistoryRange): HistoryMark[] {
  const { at, what, by } = change;
  const kind = KINDS[what];
  if (!kind || at < from || at >= to) return [];
  const { actor } = parseHistoryFields(by);
  return [{ at, kind, text: `${queue}: ${wordsOf(change)}${actor ? ` by ${actor}` : ''}` }];
}

/** "Paused", "Paused tenant acme", "Re-drive began", "Re-drive ended, 12 jobs". */
function wordsOf({ what, before, after }: Change): string {
  if (what === 'operation') {
    const label = KIND_LABELS[before.split(' ')[0] as OperationKind]?.verb ?? 'Operation';
    const [, how = 'began', moved] = /^(\w+)(?:: (\d+) moved)?/.exec(after) ?? [];
    // Jobs that arrive from another queue have a line of their own.
    return moved === undefined ? `${label} began` : `${label} ${how}, ${count(Number(moved), 'job')}`;
  }
  const words = WORDS[what] ?? what;
  const [, scope, name] = /^(tenant|type):(.+)$/.exec(before) ?? [];
  return scope && KINDS[what] === 'pause'
    ? `${words} ${scope === 'type' ? 'job type' : scope} ${name}`
    : words;
}

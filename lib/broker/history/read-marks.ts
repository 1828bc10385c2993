/** Marks of a chart: deploys, and what users changed about queues, from the record that the scripts of the changes write. */
import { MARKS_MAX, type MarkKind } from '@/lib/contract/history/history-ranges';
import type { HistoryMark } from '@/lib/contract/history/history-schemas';
import { parseHistoryFields } from '../access/actor';
import { runPipelines } from '../redis/run-pipelines';
import { replyPairs } from '../redis/script-reply';
import type { ShardedContext } from '../shards/sharded-context';
import { readDeployMarks } from './deploy-marks';
import type { HistoryRange } from './read-history';

/** Of so many queues, and the latest of each. */
const QUEUES_MAX = 200;
const CHANGES_PER_QUEUE = 30;

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

/** Oldest first; the newest where there are more than `MARKS_MAX`. A queue that cannot be read has none. */
export async function readMarks(
  ctx: ShardedContext,
  queues: readonly string[],
  range: HistoryRange,
): Promise<HistoryMark[]> {
  const [deploys, changes] = await Promise.all([
    readDeployMarks(ctx, queues, range),
    readChangeMarks(ctx, queues, range),
  ]);
  return [...deploys, ...changes].sort((a, b) => a.at - b.at).slice(-MARKS_MAX);
}

async function readChangeMarks(
  ctx: ShardedContext,
  queues: readonly string[],
  { from, to }: HistoryRange,
): Promise<HistoryMark[]> {
  const some = queues.slice(0, QUEUES_MAX);
  const keys = some.map((queue) => ctx.keys.column(queue, 'changes'));
  const replies = await runPipelines(ctx, keys, (pipeline, key) => {
    pipeline.xrevrange(key, '+', '-', 'COUNT', CHANGES_PER_QUEUE);
  });
  return replies.flatMap((reply, i) =>
    (Array.isArray(reply) ? reply : []).flatMap((entry: unknown): HistoryMark[] => {
      const fields = replyPairs(Array.isArray(entry) ? entry[1] : [], 'changes');
      const what = fields.get('what') ?? '';
      const [at, kind] = [Number(fields.get('at') ?? 0), KINDS[what]];
      if (!kind || at < from || at >= to) return [];
      const { actor } = parseHistoryFields(fields.get('by') ?? '');
      return [{ at, kind, text: `${some[i]}: ${WORDS[what] ?? 'Operation'}${actor ? ` by ${actor}` : ''}` }];
    }),
  );
}

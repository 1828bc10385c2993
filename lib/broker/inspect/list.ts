import { parseOrThrow } from '@/lib/contract/errors';
import type { JobPage } from '@/lib/contract/job';
import { type ListOptions, listOptionsSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { STATE_COLUMN } from '../keys';
import { list as asList, text } from '../reply';
import { decodePosition, encodePosition } from './cursor';
import { summaries } from './summaries';

/** Waiting states read from the front of the line; ended ones from the newest. */
const NEWEST_FIRST = new Set(['completed', 'dead', 'suppressed', 'trashed']);

/**
 * A page of a queue's jobs in one state. Keyset paging: no job is shown twice or skipped because others came or went,
 * and the last page costs what the first does.
 * @throws RedriveError BAD_CURSOR
 */
export async function list(ctx: BrokerContext, queue: string, input: ListOptions): Promise<JobPage> {
  const { state, cursor, limit } = parseOrThrow(listOptionsSchema, input, 'list options');
  const from = cursor === undefined ? null : decodePosition(cursor);
  const direction = NEWEST_FIRST.has(state) ? 'desc' : 'asc';
  const reply = asList(
    await ctx.run('page', queue, [limit, direction, from?.score ?? '', from?.jobId ?? ''], {
      index: STATE_COLUMN[state],
    }),
    'page',
  );
  const entries: { jobId: string; score: number; raw: string }[] = [];
  for (let i = 2; i + 1 < reply.length; i += 2) {
    const raw = text(reply[i + 1]);
    entries.push({ jobId: text(reply[i]), raw, score: Number(raw) });
  }
  const last = entries.at(-1);
  return {
    at: Number(reply[0]),
    total: Number(reply[1]),
    jobs: await summaries(ctx, queue, state, entries),
    nextCursor:
      last && entries.length === limit ? encodePosition({ score: last.raw, jobId: last.jobId }) : null,
  };
}

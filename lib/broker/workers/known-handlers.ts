/** What live workers can run, and what payloads they take, from what they report. */
import { type HandlerSchema, handlerSchemasSchema } from '@/lib/contract/workers/handler-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { perContext } from '../redis/context-cache';
import { parseJsonRow } from '../redis/parse-json';
import { listWorkers } from './worker-registry';

export interface KnownHandler {
  readonly workers: number;
  readonly queues: ReadonlySet<string>;
  /** Null: not told, or workers do not agree, as they may while a new release is rolled out. */
  readonly schema: HandlerSchema | null;
}
/** By `<type> <version>`. */
export type KnownHandlers = ReadonlyMap<string, KnownHandler>;

/** So long an answer is used again. A worker beats every second, and is missed after six. */
const FRESH_MS = 5_000;
const answers = perContext((): { at: number; known: Promise<KnownHandlers> | null } => ({
  at: 0,
  known: null,
}));

/** Handlers of workers that take jobs now (draining workers do not). At most some seconds old. */
export async function knownHandlers(ctx: BrokerContext): Promise<KnownHandlers> {
  const answer = answers.of(ctx);
  if (answer.known && performance.now() - answer.at < FRESH_MS) return answer.known;
  const known = readHandlers(ctx);
  Object.assign(answer, { at: performance.now(), known });
  known.catch(() => {
    if (answer.known === known) answer.known = null;
  });
  return known;
}

/** When the data of this Redis are gone. */
export const forgetHandlers = answers.forget;

async function readHandlers(ctx: BrokerContext): Promise<KnownHandlers> {
  const { workers } = await listWorkers(ctx);
  const live = workers.filter(({ status }) => status === 'running');
  const schemas = await readSchemas(ctx, live);
  const known = new Map<
    string,
    { workers: number; queues: Set<string>; schema: HandlerSchema | null; json: string }
  >();
  for (const worker of live) {
    const told = schemas.get(worker.schemasDigest);
    for (const { type, versions } of worker.handlers)
      for (const version of versions) {
        const name = `${type} ${version}`;
        const schema = told?.get(name) ?? null;
        const json = JSON.stringify(schema);
        const before = known.get(name) ?? { workers: 0, queues: new Set(), schema, json };
        for (const queue of Object.keys(worker.queues)) before.queues.add(queue);
        known.set(name, {
          ...before,
          workers: before.workers + 1,
          schema: before.json === json ? before.schema : null,
          json: before.json === json ? json : 'null',
        });
      }
  }
  return known;
}

/** Workers of one release tell the same: of those with one digest, one is read. */
async function readSchemas(
  ctx: BrokerContext,
  live: readonly Worker[],
): Promise<Map<string, Map<string, HandlerSchema | null>>> {
  const byDigest = new Map<string, string>();
  for (const { schemasDigest, workerId } of live)
    if (schemasDigest !== '') byDigest.set(schemasDigest, workerId);
  const digests = [...byDigest.keys()];
  if (digests.length === 0) return new Map();
  const rows = await ctx.plain((redis) =>
    redis.hmget(ctx.keys.global('workersSchemas'), ...byDigest.values()),
  );
  return new Map(digests.map((digest, i) => [digest, byName(rows[i])]));
}

const byName = (row: string | null | undefined): Map<string, HandlerSchema | null> =>
  new Map(
    parseJsonRow(handlerSchemasSchema, row)?.flatMap(({ type, versions, schema }) =>
      versions.map((version): [string, HandlerSchema | null] => [`${type} ${version}`, schema]),
    ),
  );

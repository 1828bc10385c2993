/** What live workers can run, and what payloads they take, from what they report. */
import { type HandlerSchema, handlerSchemasSchema } from '@/lib/contract/workers/handler-schemas';
import { HANDLER_SCHEMA_MAX_CHARS } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { readFields } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import { perContext } from '../redis/context-cache';
import { parseJsonRow } from '../redis/parse-json';
import { listWorkers } from './worker-registry';

export interface KnownHandler {
  readonly workers: number;
  readonly queues: ReadonlySet<string>;
  /**
   * What a payload of a job of this queue must be, as the workers that serve the queue report. Null: not told, or the workers do not agree,
   * as they may while a new release is rolled out.
   */
  schemaFor(queue: string): HandlerSchema | null;
}
/** By `<type> <version>`. */
export type KnownHandlers = ReadonlyMap<string, KnownHandler>;

/** Types and versions of all workers together: every worker's Redis user can write reports of other workers. */
const REPORTED_MAX = 50_000;
/** One report of schemas, and all of them. */
const SCHEMAS = { eachBytes: 1_000_000, allBytes: 8_000_000 };

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
  const known = new Map<string, HandlerReports>();
  let left = REPORTED_MAX;
  for (const worker of live) {
    const told = schemas.get(worker.schemasDigest);
    const queues = Object.keys(worker.queues);
    for (const { type, versions } of worker.handlers)
      for (const version of versions) {
        left -= 1;
        if (left < 0) return known;
        const name = `${type} ${version}`;
        const reports = known.get(name) ?? new HandlerReports();
        known.set(name, reports.add(queues, told?.get(name) ?? null));
      }
  }
  return known;
}

interface ReportedSchema {
  readonly schema: HandlerSchema;
  readonly json: string;
}

class HandlerReports implements KnownHandler {
  private readonly reports: { queues: readonly string[]; told: ReportedSchema | null }[] = [];

  add(queues: readonly string[], told: ReportedSchema | null): this {
    this.reports.push({ queues, told });
    return this;
  }

  get workers(): number {
    return this.reports.length;
  }

  get queues(): ReadonlySet<string> {
    return new Set(this.reports.flatMap(({ queues }) => queues));
  }

  schemaFor(queue: string): HandlerSchema | null {
    const [first, ...others] = this.reports.filter(({ queues }) => queues.includes(queue));
    return others.every(({ told }) => told?.json === first?.told?.json)
      ? (first?.told?.schema ?? null)
      : null;
  }
}

/** Workers of one release tell the same: of those with one digest, one is read. */
async function readSchemas(
  ctx: BrokerContext,
  live: readonly Worker[],
): Promise<Map<string, Map<string, ReportedSchema>>> {
  const byDigest = new Map<string, string>();
  for (const { schemasDigest, workerId } of live)
    if (schemasDigest !== '') byDigest.set(schemasDigest, workerId);
  const digests = [...byDigest.keys()];
  if (digests.length === 0) return new Map();
  const key = { queue: null, index: 'workersSchemas' } as const;
  const rows = await readFields(ctx, key, [...byDigest.values()], SCHEMAS);
  return new Map(digests.map((digest, i) => [digest, byName(rows[i])]));
}

function byName(row: string | null | undefined): Map<string, ReportedSchema> {
  const schemas = new Map<string, ReportedSchema>();
  for (const { type, versions, schema } of parseJsonRow(handlerSchemasSchema, row) ?? []) {
    if (schema === null) continue;
    const told = { schema, json: JSON.stringify(schema) };
    if (told.json.length > HANDLER_SCHEMA_MAX_CHARS) continue;
    for (const version of versions) schemas.set(`${type} ${version}`, told);
  }
  return schemas;
}

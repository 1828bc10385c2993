/** What a worker reports about its handlers: types, versions and payload schemas. */

import { createHash } from 'node:crypto';
import type { ReportedRelease } from '@/lib/broker/application';
import { describeSchema, type HandlerSchemas } from '@/lib/contract/workers/handler-schemas';
import { HANDLER_VERSIONS_MAX, HANDLERS_MAX } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import type { Handler } from './handler';

/** All schemas of a worker together; further ones are not reported. */
export const SCHEMAS_MAX_CHARS = 65_536;

export interface HandlerReport {
  /** Part of each report. */
  readonly handlers: Worker['handlers'];
  /** Names `schemas`: equal for workers with equal schemas. Empty: no schemas. */
  readonly schemasDigest: string;
  /** HandlerSchemas as JSON; sent now and then. */
  readonly schemas: string;
}

/** What is told of all workers with these handlers, this version and these queues. */
export function releaseReport(
  version: string,
  queues: readonly string[],
  { handlers, schemas }: HandlerReport,
): ReportedRelease {
  const told: unknown =
    schemas === '' ? handlers.map((one) => ({ ...one, schema: null })) : JSON.parse(schemas);
  const json = JSON.stringify({ version, queues: [...queues].sort(), handlers: told });
  return { digest: createHash('sha256').update(json).digest('hex').slice(0, 16), json };
}

/** Made once, when a worker is created: a schema may be a long time in the making. */
export function handlerReport(handlers: readonly Handler[]): HandlerReport {
  // A partial list would make the rest look unsupported.
  if (
    handlers.length > HANDLERS_MAX ||
    handlers.some(({ versions }) => versions.length > HANDLER_VERSIONS_MAX)
  )
    return { handlers: [], schemasDigest: '', schemas: '' };
  const reported: HandlerSchemas = [];
  let chars = 0;
  for (const handler of handlers) {
    const { type } = handler;
    const versions = [...handler.versions];
    const described = handler.schema === undefined ? null : describeSchema(handler.schema);
    const length = described === null ? 0 : JSON.stringify(described).length;
    const fits = chars + length <= SCHEMAS_MAX_CHARS;
    if (fits) chars += length;
    reported.push({ type, versions, schema: fits ? described : null });
  }
  const names = reported.map(({ type, versions }) => ({ type, versions }));
  if (!reported.some(({ schema }) => schema !== null))
    return { handlers: names, schemasDigest: '', schemas: '' };
  const schemas = JSON.stringify(reported);
  return {
    handlers: names,
    schemasDigest: createHash('sha256').update(schemas).digest('hex').slice(0, 16),
    schemas,
  };
}

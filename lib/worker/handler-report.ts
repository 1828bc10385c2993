/** What a worker tells about its handlers: which types and versions it runs, and what payloads they take. */
import { createHash } from 'node:crypto';
import {
  describeSchema,
  HANDLER_VERSIONS_MAX,
  HANDLERS_MAX,
  type HandlerSchemas,
} from '@/lib/contract/handlers';
import type { Worker } from '@/lib/contract/workers';
import type { Handler } from './handler';

/** All schemas of a worker together; beyond that further ones are not told. */
export const SCHEMAS_MAX_CHARS = 65_536;

export interface HandlerReport {
  /** Part of each report. */
  readonly handlers: Worker['handlers'];
  /** Names `schemas`: equal for workers that tell the same. Empty: nothing to tell. */
  readonly schemasDigest: string;
  /** HandlerSchemas as JSON; sent now and then. */
  readonly schemas: string;
}

/** Made once, when a worker is created: a schema may be a long time in the making. */
export function handlerReport(handlers: readonly Handler[]): HandlerReport {
  // Told in part, the rest would seem to be run by nobody.
  if (
    handlers.length > HANDLERS_MAX ||
    handlers.some(({ versions }) => versions.length > HANDLER_VERSIONS_MAX)
  )
    return { handlers: [], schemasDigest: '', schemas: '' };
  const told: HandlerSchemas = [];
  let chars = 0;
  for (const handler of handlers) {
    const { type } = handler;
    const versions = [...handler.versions];
    const described = handler.schema === undefined ? null : describeSchema(handler.schema);
    const length = described === null ? 0 : JSON.stringify(described).length;
    const fits = chars + length <= SCHEMAS_MAX_CHARS;
    if (fits) chars += length;
    told.push({ type, versions, schema: fits ? described : null });
  }
  const names = told.map(({ type, versions }) => ({ type, versions }));
  if (!told.some(({ schema }) => schema !== null)) return { handlers: names, schemasDigest: '', schemas: '' };
  const schemas = JSON.stringify(told);
  return {
    handlers: names,
    schemasDigest: createHash('sha256').update(schemas).digest('hex').slice(0, 16),
    schemas,
  };
}

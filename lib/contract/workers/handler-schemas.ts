/**
 * The payloads of a worker's handlers as JSON Schema, to check an edit of payloads before it is made. The schema may accept a payload that
 * the handler refuses, never the other way round. So it has the shape only: fields, types and ranges; patterns and formats are left out
 * (they would be foreign regular expressions in the console).
 */

import { z } from 'zod';
import { jsonFault } from '../json-fault';
import { validationError } from '../parse-or-throw';
import { isCheckable } from './schema-steps';
import { HANDLER_SCHEMA_MAX_CHARS, HANDLER_VERSIONS_MAX, HANDLERS_MAX } from './worker-limits';

export type HandlerSchema = { readonly [key: string]: unknown };
/** The payloads of one handler; null: unknown. */
export const handlerSchemasSchema = z
  .array(
    z.object({
      type: z.string(),
      versions: z.array(z.number()).max(HANDLER_VERSIONS_MAX),
      schema: z.record(z.string(), z.unknown()).nullable(),
    }),
  )
  .max(HANDLERS_MAX);
export type HandlerSchemas = { type: string; versions: number[]; schema: Record<string, unknown> | null }[];
/** What all workers of one release can run. */
export const workerReleaseSchema = z.object({
  version: z.string(),
  queues: z.array(z.string()),
  /** Empty: it has more handlers than are told. */
  handlers: handlerSchemasSchema,
});

/** Null: it cannot be written as JSON Schema, or is too long. */
export function describeSchema(schema: z.ZodType): HandlerSchema | null {
  try {
    const told = z.toJSONSchema(schema, {
      unrepresentable: 'any',
      io: 'input',
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod;
        // These take what their JSON Schema would refuse.
        const preprocessed = def.type === 'pipe' && def.in._zod.def.type === 'transform';
        if (def.type === 'catch' || preprocessed || ('coerce' in def && def.coerce)) keepOnly(jsonSchema, []);
        // Trimmed first, then measured: what comes in may be longer.
        if (def.checks?.some((check) => check._zod.def.check === 'overwrite')) keepOnly(jsonSchema, ['type']);
      },
    });
    const loose = loosened(told);
    return JSON.stringify(loose).length > HANDLER_SCHEMA_MAX_CHARS ? null : loose;
  } catch {
    // Then only the worker checks payloads.
    return null;
  }
}

function keepOnly(schema: object, words: readonly string[]): void {
  for (const word of Object.keys(schema)) if (!words.includes(word)) Reflect.deleteProperty(schema, word);
}

/** Words of JSON Schema that hold further schemas: one, a list of them, or some by name. */
const NESTED = new Set(['items', 'prefixItems', 'additionalItems', 'additionalProperties', 'allOf', 'anyOf']);
const NAMED = new Set(['properties', '$defs', 'definitions']);
/** Words that stay as they are. Others are dropped. */
const PLAIN = new Set([
  ...['type', 'const', 'enum', 'required', '$ref', 'default'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
]);

function loosened(schema: object): HandlerSchema {
  const kept: Record<string, unknown> = {};
  for (const [word, value] of Object.entries(schema)) {
    if (PLAIN.has(word)) kept[word] = value;
    // Of several that fit, loosened, more than one may.
    else if (word === 'oneOf') kept.anyOf = each(value);
    else if (NESTED.has(word)) kept[word] = each(value);
    else if (NAMED.has(word) && value instanceof Object)
      kept[word] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one)]));
    // Nothing fits; any other exception could, loosened, except too much.
    else if (word === 'not' && value instanceof Object && Object.keys(value).length === 0) kept.not = {};
  }
  // What may be anything may be missing, too.
  const { properties, required } = kept;
  if (properties instanceof Object && Array.isArray(required))
    kept.required = required.filter((name) => {
      const property: unknown = Reflect.get(properties, name);
      return !(property instanceof Object) || Object.keys(property).length > 0;
    });
  return kept;
}
const each = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(each) : value instanceof Object ? loosened(value) : value;

/** Redrive reports none that is longer. */
const isReadable = (schema: HandlerSchema): boolean => {
  const known = readable.get(schema) ?? JSON.stringify(schema).length <= HANDLER_SCHEMA_MAX_CHARS;
  readable.set(schema, known);
  return known;
};
const readable = new WeakMap<HandlerSchema, boolean>();

const read = new WeakMap<HandlerSchema, z.ZodType | null>();
function readSchema(schema: HandlerSchema): z.ZodType | null {
  const known = read.get(schema);
  if (known !== undefined) return known;
  let made: z.ZodType | null = null;
  try {
    made = z.fromJSONSchema(loosened(schema));
  } catch {
    // A schema we cannot read refuses nothing.
  }
  read.set(schema, made);
  return made;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Why a handler would not take a payload; null: nothing known speaks against it, as of no payload. Never throws. */
export function payloadProblem(schema: HandlerSchema, payload: string): string | null {
  // Whether a payload may be missing is no part of a JSON Schema.
  if (payload === '') return null;
  const text = payload.charCodeAt(0) === BYTE_ORDER_MARK ? payload.slice(1) : payload;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `The payload is not JSON: ${jsonFault(text)}.`;
  }
  try {
    // A check that would take too long is left to the worker.
    if (!isReadable(schema) || !isCheckable(schema, value)) return null;
    const parsed = readSchema(schema)?.safeParse(value);
    return !parsed || parsed.success ? null : validationError(parsed.error, 'payload').message;
  } catch {
    // Nested deeper than the check can follow: the worker checks it.
    return null;
  }
}

/** Reads values with a schema again and again. Pure, but for what it remembers. */
import type { z } from 'zod';

type Read = (value: unknown) => unknown;

/**
 * Throws where `schema.parse` would, and returns what it would. A part of a value, at any depth, that was read before and is the same
 * object still is neither read nor made again: what comes out has the identity of what went in.
 */
export function createKeptReader<Schema extends z.ZodType>(
  schema: Schema,
): (value: unknown) => z.output<Schema> {
  return keptReader(schema) as (value: unknown) => z.output<Schema>;
}

function keptReader(schema: z.ZodType): Read {
  const readNew = newReader(schema);
  const known = new WeakMap<object, unknown>();
  return (value) => {
    if (typeof value !== 'object' || value === null) return schema.parse(value);
    const before = known.get(value);
    if (before !== undefined) return before;
    const read = readNew(value);
    known.set(value, read);
    return read;
  };
}

/** For arrays and objects that were not read before. A schema that may look at several parts at once reads them together. */
function newReader(schema: z.ZodType): Read {
  const { def } = schema as z.ZodType & { def: z.core.$ZodTypes['_zod']['def'] };
  if (def.checks?.length) return (value) => schema.parse(value);
  switch (def.type) {
    case 'nullable':
    case 'optional':
      return keptReader(def.innerType as z.ZodType);
    case 'array': {
      const read = keptReader(def.element as z.ZodType);
      return (value) => (Array.isArray(value) ? value.map(read) : schema.parse(value));
    }
    case 'object': {
      if (def.catchall) return (value) => schema.parse(value);
      const fields = Object.entries(def.shape).map(
        ([name, field]) => [name, keptReader(field as z.ZodType)] as const,
      );
      return (value) => (Array.isArray(value) ? schema.parse(value) : readFields(fields, value as object));
    }
    default:
      return (value) => schema.parse(value);
  }
}

function readFields(fields: readonly (readonly [string, Read])[], value: object): object {
  const read: [string, unknown][] = [];
  for (const [name, readField] of fields) {
    const field = readField((value as Record<string, unknown>)[name]);
    if (field !== undefined || name in value) read.push([name, field]);
  }
  return Object.fromEntries(read);
}

/** Half of a surrogate pair has no bytes: a field that would store it changed must refuse it, also a field that is new. */
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { API } from './api';
import { parseOrThrow } from './parse-or-throw';
import { wholeText } from './whole-text';

/** Fields that may hold it, and why. */
const MAY: Readonly<Record<string, string>> = {
  payload: 'JSON: written as an escape',
  result: 'JSON: written as an escape',
  value: 'JSON: written as an escape',
  tables: 'kept as JSON: written as an escape',
  q: 'a query: what it cannot match is said by its parser; kept as JSON',
  message: 'of a failure: cut by libraries, and a report must not be refused for it',
  stack: 'of a failure',
  previewToken: 'compared with what was given out',
  typedName: 'compared with a name',
  code: 'compared with what was given out',
};
const HALVES = ['\ud800', 'a\ud800', '\udfffb', 'abcdefghijkl\ud800abcdefghijkl'];

type Def = { type: string } & Record<string, unknown>;
const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

/** Paths of all texts of a schema, and whether each takes half of a character. */
function textsOf(schema: z.ZodType, path: string, seen = new Set<z.ZodType>()): [string, boolean][] {
  const def = defOf(schema);
  const at = (inner: unknown, name = '') => textsOf(inner as z.ZodType, `${path}${name}`, seen);
  switch (def.type) {
    case 'string':
      return [[path, HALVES.some((text) => schema.safeParse(text).success)]];
    case 'object':
      return Object.entries(def.shape as object).flatMap(([name, inner]) => at(inner, `.${name}`));
    case 'array':
      return at(def.element, '[]');
    case 'union':
      return (def.options as z.ZodType[]).flatMap((option) => at(option));
    case 'record':
      return [...at(def.keyType, '{}'), ...at(def.valueType, '{}')];
    case 'pipe':
      return at(def.in);
    case 'lazy': {
      const inner = (def.getter as () => z.ZodType)();
      if (seen.has(inner)) return [];
      seen.add(inner);
      return at(inner);
    }
    default:
      return def.innerType ? at(def.innerType) : [];
  }
}

const bodies = Object.entries(API).flatMap(([name, description]) =>
  'body' in description && description.body ? [[name, description.body as z.ZodType] as const] : [],
);

it('no body of the API takes half of a character where it would be changed', () => {
  const texts = bodies.flatMap(([name, body]) => textsOf(body, name));
  expect(texts.length).toBeGreaterThan(80);
  const takes = texts.filter(([, takesHalf]) => takesHalf).map(([path]) => path);
  const field = (path: string) =>
    path
      .split('.')
      .slice(1)
      .map((part) => part.replace(/\W/g, ''));
  expect(takes.filter((path) => !field(path).some((part) => Object.hasOwn(MAY, part)))).toEqual([]);
});

it('the refusal names the field', () => {
  const text = wholeText();
  expect(parseOrThrow(text, 'a😀', 'job')).toBe('a😀');
  expect(() => parseOrThrow(text, 'a\ud800b', 'payloadText')).toThrow(
    /payloadText: holds half of a character/,
  );
});

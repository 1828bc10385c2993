/** Reading stored JSON. Redrive writes it, but anybody may have changed it: readers skip what does not fit. */

import { isDeepStrictEqual } from 'node:util';

/** Undefined: the text is no JSON. */
export function parseJson(text: string | null | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface JsonSchema<T> {
  safeParse(value: unknown): { data?: T };
}

/** Null: there is no row, or it does not fit the schema. */
export function parseJsonRow<T>(schema: JsonSchema<T>, row: string | null | undefined): T | null {
  try {
    return schema.safeParse(parseJson(row)).data ?? null;
  } catch {
    // Zod compares the length of whatever has one, which `{"length": {"toString": 1}}` does not survive.
    return null;
  }
}

/** Null: the text is no JSON object. */
export function parseJsonObject(text: string | null | undefined): Record<string, unknown> | null {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/** Whether both are stored as the same JSON, whatever the order of their members. */
export const isSameJson = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(parseJson(JSON.stringify(a)), parseJson(JSON.stringify(b)));

/** Reads a request made of typed text; pure. */
import type { z } from 'zod';

export type Problems<Field extends string> = Partial<Record<Field, string>>;

/**
 * The contract's schema decides whether the request is valid. `sentences` names, for a path of the request, the form's field
 * and what to show there. The request is null while a field has a problem.
 */
export function readTyped<S extends z.ZodType, Request extends z.input<S>, Field extends string>(
  schema: S,
  request: Request,
  sentences: Readonly<Record<string, readonly [field: Field, sentence: string]>>,
): { request: Request | null; problems: Problems<Field> } {
  const problems: Problems<Field> = {};
  const { error } = schema.safeParse(request);
  if (!error) return { request, problems };
  for (const { path } of error.issues) {
    const [, entry] = Object.entries(sentences).find(([start]) => path.join('.').startsWith(start)) ?? [];
    if (entry) problems[entry[0]] ??= entry[1];
  }
  return { request: null, problems };
}

/** A number that the schema refuses when the text is none. */
export const orInvalid = (value: number | undefined): number => value ?? Number.NaN;

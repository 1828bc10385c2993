/** Settings that hold JSON, in a variable or in a file. */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { readSmallFile } from '@/lib/process/read-small-file';

/** Mistakes of one setting that are named at once. */
const NAMED_MAX = 20;

type Read<T extends z.ZodType> =
  | { readonly data: z.output<T> }
  /** Ends of sentences that begin with the setting. They name the field, never the value: secrets must stay out of logs. */
  | { readonly problems: readonly string[] };

function readJson<T extends z.ZodType>(text: string, schema: T, what: string): Read<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problems: [`is not JSON: it must be ${what}`] };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { data: parsed.data };
  return {
    problems: parsed.error.issues
      .slice(0, NAMED_MAX)
      .map(({ path, message }) => `at ${path.join('.') || 'its top'}: ${message}`),
  };
}

/** A variable that holds JSON. @param what ends the sentence "it must be …" */
export const jsonOf = <T extends z.ZodType>(schema: T, what: string) =>
  z.string().transform((text, ctx): z.output<T> => {
    const read = readJson(text, schema, what);
    if ('data' in read) return read.data;
    for (const message of read.problems) ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/**
 * The JSON in the file that a setting names.
 * @throws Error with a sentence that names setting, file and field, but none of the file's values
 */
export function readJsonFile<T extends z.ZodType>(
  setting: string,
  path: string,
  schema: T,
  { what, maxBytes }: { readonly what: string; readonly maxBytes: number },
): z.output<T> {
  let text: string;
  try {
    if (statSync(path).size > maxBytes) throw new Error('too large');
    text = readSmallFile(path, maxBytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new Error(
      code === undefined
        ? `${setting} ${path} is larger than ${maxBytes} bytes.`
        : `${setting} ${path} cannot be read (${code}).`,
    );
  }
  const read = readJson(text, schema, what);
  if ('data' in read) return read.data;
  throw new Error(`${setting} ${path} is not valid: ${read.problems.join('; ')}.`);
}

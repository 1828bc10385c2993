/** Parses input, or throws a RedriveError that names every wrong field. And the problem document that an error becomes. */
import { z } from 'zod';
import { RedriveError } from './redrive-error';

/** An RFC 9457 problem document. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string().optional(),
  /** One entry a field that was wrong: where, and what to do. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

type Issue = z.core.$ZodIssue;

/**
 * How far a value is from a branch of a union. A complaint deep inside says that what stands above it fits; each field that the
 * branch does not know counts alone.
 */
function distanceOf(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    const complaints = issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
    return sum + complaints / (1 + issue.path.length);
  }, 0);
}

/** Reports the errors of the union branch with the best match, or of the first among equals. */
function fieldsOf(
  issues: readonly Issue[],
  prefix: readonly PropertyKey[],
  what: string,
): { field: string; message: string }[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    const field = path.map(String).join('.');
    if (issue.code === 'invalid_union') {
      const closest = [...issue.errors].sort((a, b) => distanceOf(a) - distanceOf(b))[0];
      if (closest) return fieldsOf(closest, path, what);
    }
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        field: field ? `${field}.${key}` : key,
        message: 'is not a field here',
      }));
    return [{ field: field || what, message: issue.message }];
  });
}

/** Turns a failed zod parse into one error that names every field. */
export function validationError(error: z.ZodError, what: string): RedriveError {
  const fields = fieldsOf(error.issues, [], what).slice(0, 20);
  const detail = fields.map((f) => `${f.field}: ${f.message}`).join('; ');
  return new RedriveError('VALIDATION', `${what} is not valid: ${detail}.`, { fields, cause: error });
}

/** A check of a text's length also looks at what is no text, and `{"length": {"toString": {}}}` cannot be compared with a number. */
function safely<T extends z.ZodType>(
  schema: T,
  value: unknown,
  what: string,
): z.ZodSafeParseResult<z.output<T>> {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const message = 'holds a value that cannot be read';
    throw new RedriveError('VALIDATION', `${what}: ${message}.`, {
      cause,
      fields: [{ field: what, message }],
    });
  }
}

/** Parses or throws a designed error. */
export function parseOrThrow<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const parsed = safely(schema, value, what);
  if (!parsed.success) throw validationError(parsed.error, what);
  return parsed.data;
}

/**
 * Names that end up in keys, index members or label values.
 * One pattern for all of them, so that no name can carry a brace, colon, newline, glob or separator into Redis.
 */
import { z } from 'zod';
import { NAME_PATTERN } from './name-pattern';
import { wholeText } from './whole-text';

const NAME_RULE =
  'must start with a letter or digit and hold only letters, digits, "_", "." and "-" (at most 100 characters)';

export const nameSchema = z.string().regex(NAME_PATTERN, NAME_RULE);
export const queueNameSchema = nameSchema.describe('Queue name');
export const jobIdSchema = nameSchema.describe('Job id');
export const jobTypeSchema = nameSchema.describe('Job type');
export const tenantIdSchema = nameSchema.describe('Tenant id');
export const workerIdSchema = nameSchema.describe('Worker id');
/** Error codes are facet values, so they obey the same pattern as names: `HTTP_503`, `SMTP.4.2.1`. */
export const errorCodeSchema = nameSchema.describe('Error code');

/** A person's words: reasons, actor names, notes. Bounded, one line, no control characters. */
export const sentenceSchema = (maxChars: number) =>
  wholeText()
    .trim()
    .min(1, 'must not be empty')
    .max(maxChars, `must be at most ${maxChars} characters`)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters');
export const reasonSchema = sentenceSchema(300).describe('Why; shown with what it changed');

/** A reference a producer chose: idempotency key, correlation id, trace id. Opaque to Redrive. */
export const referenceSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(200, 'must be at most 200 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

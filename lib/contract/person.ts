/** Names of people; and under AUTH=none who sits at the console, as a person on this machine says themselves. */
import { z } from 'zod';
import { sentenceSchema } from './names';

export const PERSON_DEFAULT = 'local operator';
export const PERSON_MAX_CHARS = 60;
/** What the record says of what no person did: nobody may sign as these. */
const RESERVED: ReadonlySet<string> = new Set(['system', 'redrive', 'canary', 'died-again', 'scheduler']);

export const personNameSchema = sentenceSchema(PERSON_MAX_CHARS)
  // Letters that cannot be seen, or turn the direction of others, make one name look like another.
  .regex(/^[^\p{Cf}\p{Co}\p{Cs}]*$/u, 'must not hold invisible characters')
  .refine((name) => !RESERVED.has(name.toLowerCase()), 'is what Redrive calls itself: take another');

export const personSchema = z.object({
  name: z.string(),
  /** False: nobody said so; it is the default. */
  chosen: z.boolean(),
});
export type Person = z.infer<typeof personSchema>;
export const personChangeSchema = z.strictObject({ name: personNameSchema });

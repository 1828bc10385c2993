/** User names; with AUTH=none the name that the user of this machine gave. */
import { z } from 'zod';
import { sentenceSchema } from '../name-schemas';
import { USER_NAME_MAX_CHARS } from './access-limits';

/** Actors of automatic changes: reserved. */
const RESERVED: ReadonlySet<string> = new Set([
  'system',
  'redrive',
  'canary',
  'died-again',
  'rights',
  'approval',
  'scheduler',
]);

export const userNameSchema = sentenceSchema(USER_NAME_MAX_CHARS)
  // Letters that cannot be seen, or turn the direction of others, make one name look like another.
  .regex(/^[^\p{Cf}\p{Co}\p{Cs}]*$/u, 'must not hold invisible characters')
  .refine((name) => !RESERVED.has(name.toLowerCase()), 'is what Redrive calls itself: take another');

export const consoleUserSchema = z.object({
  name: z.string(),
  /** False: the default name. */
  chosen: z.boolean(),
});
export type ConsoleUser = z.infer<typeof consoleUserSchema>;
export const consoleUserChangeSchema = z.strictObject({ name: userNameSchema });

/** What is stored of sessions, people and tokens besides the numbers scripts read: written by the broker, and never trusted when read. */
import { z } from 'zod';
import { wayInSchema } from './access';
import { grantsSchema } from './permissions';

/** SHA-256, in hex, of what a browser or program holds: that itself is never stored. */
export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

const PERSON_ID_MAX_CHARS = 300;
export const personIdSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(PERSON_ID_MAX_CHARS, `must be at most ${PERSON_ID_MAX_CHARS} characters`)
  // A row is made of lines.
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must not hold control characters');

/** They stand whole in a record of the audit log, where what is longer would be cut. */
const GRANTS_MAX_CHARS = 1_500;
export const storedGrantsSchema = grantsSchema.refine(
  (grants) => JSON.stringify(grants).length <= GRANTS_MAX_CHARS,
  `are too long: at most ${GRANTS_MAX_CHARS} characters as JSON. Use prefixes such as mail* in place of many queues`,
);

const DAY_MS = 86_400_000;
export const sessionDurationsSchema = z.object({
  idleMs: z.number().int().min(1_000).max(DAY_MS),
  maxMs: z
    .number()
    .int()
    .min(1_000)
    .max(90 * DAY_MS),
});

export const aboutSessionSchema = z.object({
  name: z.string(),
  way: wayInSchema,
  address: z.string(),
  agent: z.string(),
});
export const aboutPersonSchema = z.object({
  name: z.string(),
  way: wayInSchema,
  /** Of the identity provider, as of the last sign-in. */
  groups: z.array(z.string()),
});
/** Of somebody who is not let in. */
export const disabledBySchema = z.object({ by: z.string(), reason: z.string() });
export const aboutTokenSchema = z.object({
  name: z.string(),
  /** Its first letters. */
  hint: z.string(),
  ownerName: z.string(),
  ownerWay: wayInSchema,
  /** Of a local owner: the number that their tokens had when it was made. */
  ownerGeneration: z.number().int().min(1).default(1),
  grants: grantsSchema,
});
export type AboutSession = z.infer<typeof aboutSessionSchema>;
export type AboutPerson = z.infer<typeof aboutPersonSchema>;
export type AboutToken = z.infer<typeof aboutTokenSchema>;

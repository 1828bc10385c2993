/** Stored details of sessions, users and tokens, besides the numbers that scripts read. They are checked whenever they are read. */
import { z } from 'zod';
import { DAY_MS } from '../time-units';
import { signInMethodSchema } from './access-schemas';
import { grantsSchema } from './grant-schemas';

/** SHA-256, in hex, of the secret that a browser or program holds; the secret itself is never stored. */
export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

const PERSON_ID_MAX_CHARS = 300;
export const userIdSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(PERSON_ID_MAX_CHARS, `must be at most ${PERSON_ID_MAX_CHARS} characters`)
  // Rows are stored in lines.
  .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'must not hold control characters');

/** The audit log records them whole, and would cut longer ones. */
const GRANTS_MAX_CHARS = 1_500;
export const storedGrantsSchema = grantsSchema.refine(
  (grants) => JSON.stringify(grants).length <= GRANTS_MAX_CHARS,
  `are too long: at most ${GRANTS_MAX_CHARS} characters as JSON. Use prefixes such as mail* instead of many queues`,
);

const SESSION_MAX_MS = 90 * DAY_MS;
export const sessionDurationsSchema = z.object({
  idleMs: z.number().int().min(1_000).max(DAY_MS),
  maxMs: z.number().int().min(1_000).max(SESSION_MAX_MS),
});

export const sessionDetailsSchema = z.object({
  name: z.string(),
  method: signInMethodSchema,
  address: z.string(),
  agent: z.string(),
});
export const userDetailsSchema = z.object({
  name: z.string(),
  method: signInMethodSchema,
  /** Of the identity provider, as of the last sign-in. */
  groups: z.array(z.string()),
});
/** Of a user who cannot sign in. */
export const disabledBySchema = z.object({ by: z.string(), reason: z.string() });
export const tokenDetailsSchema = z.object({
  name: z.string(),
  /** Its first letters. */
  hint: z.string(),
  ownerName: z.string(),
  ownerMethod: signInMethodSchema,
  /** Of a local owner: the number that their tokens had when this one was created. */
  ownerGeneration: z.number().int().min(1).default(1),
  grants: grantsSchema,
});
export type SessionDetails = z.infer<typeof sessionDetailsSchema>;
export type UserDetails = z.infer<typeof userDetailsSchema>;
export type TokenDetails = z.infer<typeof tokenDetailsSchema>;

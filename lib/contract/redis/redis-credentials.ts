import { z } from 'zod';

const textSchema = z.string().min(1, 'must not be empty').max(10_000, 'must have at most 10000 characters');

/** What the option `credentials` holds, or its function returns. */
export const redisCredentialsSchema = z.strictObject(
  {
    /** Default: the user `default`. */
    username: textSchema.optional(),
    password: textSchema,
    /** For the Sentinels, if they have users. */
    sentinelUsername: textSchema.optional(),
    sentinelPassword: textSchema.optional(),
  },
  'must be { username, password }, or a function that returns that',
);

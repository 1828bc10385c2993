/** The environment, checked as a whole: every problem is named at once, before anything starts. */
import { z } from 'zod';
import { redisUrlProblem } from '@/lib/broker/redis-url';
import { nameSchema } from '@/lib/contract/names';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

const schema = z.object({
  REDIS_URL: z
    .string({ error: 'is missing: set it to the Redis that holds the jobs, such as redis://127.0.0.1:6379' })
    .superRefine((url, ctx) => {
      const message = redisUrlProblem(url);
      if (message) ctx.addIssue({ code: 'custom', message });
    }),
  /** Authorities to trust for rediss:// instead of the system's; the broker reads it, too. */
  REDIS_CA_FILE: z.string().regex(/^\//, 'must be the whole path of a file').optional(),
  HOST: z
    .string()
    .regex(
      LOOPBACK,
      'must be a loopback address (127.0.0.1, ::1 or localhost): this version has no sign-in, so the console is not offered to other machines',
    )
    .default('127.0.0.1'),
  PORT: z.coerce.number('must be a number').int().min(1).max(65_535).default(3000),
  REDRIVE_PREFIX: nameSchema.default('rd'),
  /** Offers the lab page, which can crash the demo worker. */
  REDRIVE_LAB: z.enum(['on', 'off'], 'must be on or off').default('off'),
  REDRIVE_ALLOW_EVICTION: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'must be trace, debug, info, warn, error or silent',
    )
    .default('info'),
});
export type Env = z.infer<typeof schema>;

/** @throws Error whose message lists every variable that is wrong and how to mend it */
export function readEnv(source: Record<string, string | undefined>): Env {
  // An empty variable is one that was not set.
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`);
  throw new Error(`The environment is not usable:\n${problems.join('\n')}`);
}

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname);

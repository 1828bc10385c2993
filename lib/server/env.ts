/** The environment, checked as a whole: every problem is named at once, before anything starts. */
import { z } from 'zod';
import { redisUrlProblem } from '@/lib/broker/redis-url';
import { nameSchema } from '@/lib/contract/names';
import { accessProblems, accessShape, waysOf } from './access/settings';
import { singleton } from './singleton';

export { isLoopbackHost } from './loopback';

/** A configuration that cannot be used, one sentence a problem: the process that has it ends. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  constructor(readonly problems: readonly string[]) {
    super(`The environment is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

const PORT_RULE = 'must be a number from 1 to 65535';
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
    .regex(/^[A-Za-z0-9.:[\]-]{1,255}$/, 'must be a name or an address, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1'),
  PORT: z.coerce.number(PORT_RULE).int(PORT_RULE).min(1, PORT_RULE).max(65_535, PORT_RULE).default(3000),
  REDRIVE_PREFIX: nameSchema.default('rd'),
  /** Offers the lab page, which can crash the demo worker. */
  REDRIVE_LAB: z.enum(['on', 'off'], 'must be on or off').default('off'),
  REDRIVE_ALLOW_EVICTION: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  /** Multiplies what one person may ask a second: for a console that many programs use in one person's name. */
  REDRIVE_RATE_FACTOR: z.coerce
    .number('must be a number')
    .min(0.1, 'must be at least 0.1')
    .max(1_000, 'must be at most 1000')
    .default(1),
  /** Whether browsers are promised TLS for the names below PUBLIC_URL's, too. */
  REDRIVE_HSTS: z.enum(['host', 'subdomains'], 'must be host or subdomains').default('host'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'must be trace, debug, info, warn, error or silent',
    )
    .default('info'),
  ...accessShape,
});
type Parsed = z.infer<typeof schema>;
/** AUTH is what is in force: given, or what follows from the rest. */
export type Env = Omit<Parsed, 'AUTH'> & { AUTH: ReturnType<typeof waysOf> };

const NAMES = Object.keys(schema.shape) as (keyof Parsed)[];
/** Of a console that has started: its variables do not change any more. */
const settled = singleton('settled-env', (): { env: Env | null } => ({ env: null }));
let last: { values: (string | undefined)[]; env: Env } | null = null;

/**
 * Asked for with every request, so the same values are not checked twice; and once they are settled, not even read.
 * @throws ConfigurationError that lists every variable that is wrong and how to mend it
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { env: own } = settled();
  if (own && source === process.env) return own;
  const values = NAMES.map((name) => source[name]);
  if (last?.values.every((value, i) => value === values[i])) return last.env;
  const env = check(source);
  last = { values, env };
  return env;
}

/** Each look at process.env asks the operating system, for dozens of names: as much as all else that a request needs to be let in. */
export function settleEnv(): void {
  settled().env = readEnv(process.env);
}

function check(source: Record<string, string | undefined>): Env {
  // An empty variable is one that was not set.
  const given: Record<string, string | undefined> = {};
  for (const name of NAMES) if (source[name] !== '') given[name] = source[name];
  const parsed = schema.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}`),
    ...accessProblems(given),
  ];
  if (parsed.success && problems.length === 0) return { ...parsed.data, AUTH: waysOf(given) };
  // The words of a list are complained about one by one; the variable's sentence is the same.
  throw new ConfigurationError([...new Set(problems)]);
}

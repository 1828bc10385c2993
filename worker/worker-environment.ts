/** The environment of the demo worker, checked before anything starts. */
import { z } from 'zod';
import { redisUrlProblem } from '@/lib/broker/redis/redis-address';
import { queueNameSchema } from '@/lib/contract/name-schemas';
import { readTracingSettings } from '@/lib/tracing/tracing-settings';

const envSchema = z.object({
  REDIS_URL: z
    .string(
      'is not set. Give the address of the Redis that holds the jobs, such as REDIS_URL=redis://127.0.0.1:6379',
    )
    .superRefine((url, ctx) => {
      const message = redisUrlProblem(url);
      if (message) ctx.addIssue({ code: 'custom', message });
    }),
  REDRIVE_PREFIX: queueNameSchema.default('rd'),
  /** As for the console: accept a Redis that deletes keys when its memory is full. */
  REDRIVE_ALLOW_EVICTION: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
});

export interface WorkerEnvironment {
  redisUrl: string;
  prefix: string;
  allowEviction: boolean;
  logLevel: z.output<typeof envSchema>['LOG_LEVEL'];
}

/** Every problem at once, one sentence each; never the value, which may hold a password. */
export function readWorkerEnvironment(env: NodeJS.ProcessEnv): WorkerEnvironment | { problems: string[] } {
  // An empty variable is one that a shell script failed to fill in.
  const filled = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = envSchema.safeParse(filled);
  // Each process of the worker reads them again for itself; here they are named with the others, before any of these starts.
  const tracing = readTracingSettings(env, '');
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}.`),
    ...('problems' in tracing ? tracing.problems : []),
  ];
  if (!parsed.success || problems.length > 0) return { problems };
  const { REDIS_URL, REDRIVE_PREFIX, REDRIVE_ALLOW_EVICTION, LOG_LEVEL } = parsed.data;
  return {
    redisUrl: REDIS_URL,
    prefix: REDRIVE_PREFIX,
    allowEviction: REDRIVE_ALLOW_EVICTION === 'yes',
    logLevel: LOG_LEVEL,
  };
}

/** Ends the process with one sentence a problem. */
export function refuseEnvironment(problems: readonly string[]): never {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}

/** The environment, or the end of the process with a clear sentence. */
export function workerEnvironmentOrExit(): WorkerEnvironment {
  const env = readWorkerEnvironment(process.env);
  return 'problems' in env ? refuseEnvironment(env.problems) : env;
}

/** The environment of the demo worker, checked before anything starts. */
import { z } from 'zod';
import { type RedisSetting, redisSetting } from '@/lib/broker/redis/connection/redis-setting';
import { queueNameSchema } from '@/lib/contract/name-schemas';
import { readTracingSettings } from '@/lib/tracing/tracing-settings';

const envSchema = z.object({
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
  redis: RedisSetting;
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
  const redis = redisSetting(filled);
  const problems = [
    ...('problem' in redis ? [`${redis.problem}.`] : []),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}.`),
    ...('problems' in tracing ? tracing.problems : []),
  ];
  if (!parsed.success || 'problem' in redis || problems.length > 0) return { problems };
  const { REDRIVE_PREFIX, REDRIVE_ALLOW_EVICTION, LOG_LEVEL } = parsed.data;
  return {
    redis,
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

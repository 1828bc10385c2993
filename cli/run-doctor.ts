/** `redrive doctor`: what is wrong with a configuration and its Redis, before anything is started. */
import { openBroker } from '@/lib/broker';
import { redisSetting } from '@/lib/broker/redis/connection/redis-setting';
import type { RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import { type CheckVerdict, worstVerdict } from '@/lib/contract/redis/redis-check-verdicts';
import { RedriveError } from '@/lib/contract/redrive-error';
import { count } from '@/lib/format/plural';
import { alertConfig } from '@/lib/server/alerts/alert-config';
import { channelProblems } from '@/lib/server/alerts/channel-check';
import { ConfigurationError, readEnv } from '@/lib/server/environment';
import { refuseUnusableFiles } from '@/lib/server/start/configuration-files';

export interface DoctorOptions {
  /** One JSON object instead of text. */
  readonly json?: boolean;
  /** Warnings, and checks that the Redis user may not make, count as wrong. */
  readonly strict?: boolean;
  /** Only the Redis: for a machine that runs workers and no console. */
  readonly redisOnly?: boolean;
  /** Also checks that are fine. */
  readonly all?: boolean;
  readonly say: (line: string) => void;
}

interface Findings {
  /** Of the configuration; null: not asked for. */
  readonly configuration: readonly string[] | null;
  readonly redis: RedisChecks | null;
  /** Why the Redis could not be checked. */
  readonly redisError: string | null;
}

const MARKS: Readonly<Record<CheckVerdict, string>> = {
  bad: 'BAD ',
  warn: 'WARN',
  unknown: '?   ',
  ok: 'ok  ',
};

/** The settings are those of `process.env`. @returns the exit code: 0 nothing is wrong, 1 something is */
export async function runDoctor(options: DoctorOptions): Promise<number> {
  const { json, strict, redisOnly, say } = options;
  const findings: Findings = {
    configuration: redisOnly ? null : await configurationProblems(),
    ...(await examineRedis()),
  };
  const verdict = verdictOf(findings);
  if (json) say(JSON.stringify({ verdict, ...findings }, null, 2));
  else for (const line of report(findings, options)) say(line);
  return verdict === 'bad' || (strict && verdict !== 'ok') ? 1 : 0;
}

const verdictOf = ({ configuration, redis, redisError }: Findings): CheckVerdict =>
  worstVerdict([
    configuration !== null && configuration.length > 0 ? 'bad' : 'ok',
    redisError === null ? 'ok' : 'bad',
    redis?.verdict ?? 'ok',
  ]);

async function configurationProblems(): Promise<string[]> {
  try {
    readEnv(process.env);
    refuseUnusableFiles();
    return await channelProblems(alertConfig());
  } catch (error) {
    if (error instanceof ConfigurationError) return error.sentences;
    throw error;
  }
}

async function examineRedis(): Promise<Pick<Findings, 'redis' | 'redisError'>> {
  const setting = redisSetting(process.env);
  if ('problem' in setting) return { redis: null, redisError: `${setting.problem}.` };
  try {
    // One that evicts keys is a finding here, not a refusal.
    const broker = openBroker({ ...setting, allowEviction: true, connectionName: 'redrive-doctor' });
    try {
      return { redis: await broker.inspect.redis(), redisError: null };
    } finally {
      broker.close();
    }
  } catch (error) {
    if (error instanceof RedriveError) return { redis: null, redisError: error.message };
    throw error;
  }
}

function* report(
  { configuration, redis, redisError }: Findings,
  { all, strict }: DoctorOptions,
): Generator<string> {
  if (configuration !== null) {
    yield configuration.length === 0
      ? 'Configuration: nothing wrong.'
      : `Configuration: ${count(configuration.length, 'mistake')}.`;
    for (const problem of configuration) yield `  ${MARKS.bad} ${problem}`;
  }
  if (redisError !== null) {
    yield 'Redis: not checked.';
    yield `  ${MARKS.bad} ${redisError}`;
  }
  for (const { node, version, checks } of redis?.servers ?? []) {
    const [bad, warn, unknown] = (['bad', 'warn', 'unknown'] as const).map(
      (verdict) => checks.filter((check) => check.verdict === verdict).length,
    );
    yield `${version.startsWith('Valkey') ? '' : 'Redis '}${version}${node === null ? '' : ` at ${node}`}: ${count(checks.length, 'check')}, ${bad} bad, ${count(warn, 'warning')}, ${unknown} unknown.`;
    for (const { verdict, title, value, why, fix } of checks) {
      if (verdict === 'ok' && !all) continue;
      yield `  ${MARKS[verdict]} ${title}: ${value}`;
      if (verdict === 'bad' || verdict === 'warn') yield `       ${why}`;
      if (fix !== null) yield `       ${fix}`;
    }
  }
  if (!strict && redis?.verdict === 'warn') yield 'Warnings do not count; with --strict they do.';
}

/** The environment, checked as a whole: all problems are named at once, before anything starts. */
import { z } from 'zod';
import { type RedisSetting, redisSetting } from '@/lib/broker/redis/connection/redis-setting';
import { type ConsoleEnvironment, ENVIRONMENT_COLORS } from '@/lib/contract/environment-colors';
import { nameSchema } from '@/lib/contract/name-schemas';
import { readTracingSettings } from '@/lib/tracing/tracing-settings';
import { CONSOLE_SETTINGS, misspelledSettings } from './environment-table';
import { ALERT_CONFIG_FORM, alertConfigSchema } from './settings/alert-config-schema';
import {
  authenticationProblems,
  authenticationShape,
  configuredMethods,
} from './settings/authentication-settings';
import { jsonOf } from './settings/json-setting';
import { singleton } from './singleton';

/** An unusable configuration, one sentence a problem: the process ends. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  constructor(readonly problems: readonly string[]) {
    super(`The environment is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
  /** One a problem, for operators. */
  get sentences(): string[] {
    return this.problems.map((problem) => (problem.endsWith('.') ? problem : `${problem}.`));
  }
}

const PORT_RULE = 'must be a number from 1 to 65535';
/** Each has a row in environment-table.ts, which the docs show. */
export const environmentSchema = z.object({
  /** One of the two; `redisSetting` checks them. */
  REDIS_URL: z.string().optional(),
  REDIS_URL_FILE: z.string().optional(),
  /** Authorities to trust for rediss:// instead of the system's; the broker reads it, too. */
  REDIS_CA_FILE: z.string().regex(/^\//, 'must be the whole path of a file').optional(),
  HOST: z
    .string()
    .regex(
      /^[A-Za-z0-9.:[\]-]{1,255}$/,
      'must be a name or an address, such as 127.0.0.1 or 0.0.0.0; some shells set it by themselves (conda, tcsh): run `unset HOST`',
    )
    .default('127.0.0.1'),
  PORT: z.coerce.number(PORT_RULE).int(PORT_RULE).min(1, PORT_RULE).max(65_535, PORT_RULE).default(3000),
  REDRIVE_PREFIX: nameSchema.default('rd'),
  /** Offers the lab page, which can crash the demo worker. */
  REDRIVE_LAB: z.enum(['on', 'off'], 'must be on or off').default('off'),
  REDRIVE_ALLOW_EVICTION: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  /** Multiplies the rate limits: for a console that many programs use in one user's name. */
  REDRIVE_RATE_FACTOR: z.coerce
    .number('must be a number')
    .min(0.1, 'must be at least 0.1')
    .max(1_000, 'must be at most 1000')
    .default(1),
  /** Where trace ids lead: an address of a tracing tool with `{traceId}` in it. */
  REDRIVE_TRACE_URL: z
    .string()
    .max(500, 'must have at most 500 characters')
    .regex(
      /^https?:\/\/[^\s{}]+\{traceId\}[^\s{}]*$/,
      'must be an http address that contains {traceId} once, such as https://traces.example.com/trace/{traceId}',
    )
    .optional(),
  /** Shown in the top bar and in titles, so that users do not mistake production for staging. */
  REDRIVE_ENVIRONMENT: z
    .string()
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,23}$/u,
      'must be 1 to 24 letters, digits, spaces, dots, hyphens or underscores, such as production',
    )
    .optional(),
  REDRIVE_ENVIRONMENT_COLOR: z
    .enum(ENVIRONMENT_COLORS, `must be one of ${ENVIRONMENT_COLORS.join(', ')}`)
    .default('gray'),
  /** Whether HSTS covers subdomains of PUBLIC_URL. */
  REDRIVE_HSTS: z.enum(['host', 'subdomains'], 'must be host or subdomains').default('host'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'must be trace, debug, info, warn, error or silent',
    )
    .default('info'),
  /** Where alerts are sent, and after how long; read by `alertConfig()`, which knows the file, too. */
  REDRIVE_ALERTS: jsonOf(alertConfigSchema, ALERT_CONFIG_FORM).optional(),
  REDRIVE_ALERTS_FILE: z.string().optional(),
  ...authenticationShape,
} satisfies Record<keyof typeof CONSOLE_SETTINGS, z.ZodType>);
type Parsed = z.infer<typeof environmentSchema>;
/** AUTH: as given, or as it follows from the other variables. */
export type Env = Omit<Parsed, 'AUTH' | 'REDIS_URL' | 'REDIS_URL_FILE'> & {
  AUTH: ReturnType<typeof configuredMethods>;
  redis: RedisSetting;
};

const NAMES = Object.keys(CONSOLE_SETTINGS) as (keyof typeof CONSOLE_SETTINGS)[];
/** Set once the console has started: its variables no longer change. */
const settled = singleton('settled-env', (): { env: Env | null } => ({ env: null }));
let last: { source: object; values: (string | undefined)[]; env: Env } | null = null;

/**
 * Called with every request, so the same values are not checked twice, and after `freezeEnvironment` not even read.
 * @throws ConfigurationError that lists every wrong variable and its fix
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { env: own } = settled();
  if (own && source === process.env) return own;
  const values = NAMES.map((name) => source[name]);
  if (last?.source === source && last.values.every((value, i) => value === values[i])) return last.env;
  const env = check(source);
  last = { source, values, env };
  return env;
}

/** Reading process.env calls the operating system for each of dozens of names, as much work as the rest of a request's checks. */
export function freezeEnvironment(): void {
  settled().env = readEnv(process.env);
}

function check(source: Record<string, string | undefined>): Env {
  // Empty counts as not set.
  const given: Record<string, string | undefined> = {};
  for (const name of NAMES) if (source[name] !== '') given[name] = source[name];
  const parsed = environmentSchema.safeParse(given);
  const redis = redisSetting(given);
  const problems = [
    ...('problem' in redis ? [redis.problem] : []),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}`),
    ...authenticationProblems(given),
    ...misspelledSettings(source),
    ...tracingProblems(source),
  ];
  if (parsed.success && problems.length === 0 && !('problem' in redis)) {
    const { REDIS_URL: _url, REDIS_URL_FILE: _file, ...settings } = parsed.data;
    return { ...settings, redis, AUTH: configuredMethods(given) };
  }
  // Several wrong words of one list give the same sentence.
  throw new ConfigurationError([...new Set(problems)]);
}

/** The variables of OpenTelemetry are no settings of ours; startTraceExport reads them. */
function tracingProblems(source: Record<string, string | undefined>): readonly string[] {
  const choice = readTracingSettings(source, '');
  return 'problems' in choice ? choice.problems : [];
}

/** Whether the lab, which can crash the demo worker, is offered. */
export const labEnabled = (): boolean => readEnv(process.env).REDRIVE_LAB === 'on';

/** The installation's name and colour; null: none is set. */
export function consoleEnvironment(): ConsoleEnvironment | null {
  const { REDRIVE_ENVIRONMENT: name, REDRIVE_ENVIRONMENT_COLOR: color } = readEnv(process.env);
  return name === undefined ? null : { name, color };
}

/** What ends the title of every page. */
export function productTitle(): string {
  const environment = consoleEnvironment();
  return environment ? `${environment.name} · Redrive` : 'Redrive';
}

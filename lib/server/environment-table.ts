/**
 * Every variable that the console, its commands and the demo read: what it holds, in which unit, and what for. Defaults and allowed values
 * come from the schema in environment.ts; docs/deploy/configuration.md shows both together.
 */

export interface SettingRow {
  /** What the value is. Left out: one of the words that the schema allows. */
  readonly type?: 'text' | 'number' | 'address' | 'path' | 'list' | 'JSON' | 'words';
  readonly unit?: 'minutes' | 'hours' | 'days';
  /** The value, or a part of it, must stay out of logs and of manifests that many can read. */
  readonly secret?: true;
  /** What holds when it is not set, where that follows from other settings. */
  readonly otherwise?: string;
  readonly meaning: string;
}

/** Of the console; the schema's type asks for a row for each of its variables. */
export const CONSOLE_SETTINGS = {
  REDIS_URL: {
    type: 'address',
    secret: true,
    meaning:
      'The Redis that holds the jobs: one server, a unix socket, Sentinels or a Cluster, see [addresses](../connections.md). Required, here or as a file.',
  },
  REDIS_URL_FILE: {
    type: 'path',
    meaning:
      'A file with that address. Its user and password are read anew at each connect, so that [rotated ones](../connections.md#passwords-and-certificates-that-change) hold without a restart.',
  },
  REDIS_CA_FILE: {
    type: 'path',
    otherwise: 'those of the system',
    meaning: 'Authorities to trust for `rediss://`, PEM. Read anew at each connect.',
  },
  HOST: { type: 'text', meaning: 'The address to listen on. Other than loopback it needs a sign-in method.' },
  PORT: { type: 'number', meaning: 'The port to listen on.' },
  REDRIVE_PREFIX: { type: 'text', meaning: 'First part of every key in Redis.' },
  REDRIVE_LAB: { meaning: 'Offers the lab, which can crash the demo worker. `npm run demo` sets it.' },
  REDRIVE_ALLOW_EVICTION: {
    meaning: 'Accepts a Redis that deletes keys when its memory is full. It can delete jobs.',
  },
  REDRIVE_RATE_FACTOR: { type: 'number', meaning: 'Multiplies the [rate limits](../security-http.md).' },
  REDRIVE_TRACE_URL: {
    type: 'address',
    meaning: 'Makes trace ids links, such as `https://traces.example.com/trace/{traceId}`.',
  },
  REDRIVE_ENVIRONMENT: {
    type: 'text',
    meaning: 'Name of this installation in the top bar and in titles, such as `production`.',
  },
  REDRIVE_ENVIRONMENT_COLOR: { meaning: 'Its colour.' },
  REDRIVE_HSTS: { meaning: 'Whether HSTS also covers names below that of `PUBLIC_URL`.' },
  LOG_LEVEL: { meaning: 'Least important line of the log that is written.' },
  REDRIVE_ALERTS: {
    type: 'JSON',
    secret: true,
    meaning:
      'Where [alerts](../operate/alerts.md#channels) are sent, and how long a finding must stand before it is one.',
  },
  REDRIVE_ALERTS_FILE: { type: 'path', meaning: 'The same as a file. A change holds without a restart.' },
  AUTH: {
    type: 'words',
    otherwise: 'the configured methods; with none and a loopback `HOST`, `link`',
    meaning: '[Sign-in methods](../sign-in.md), with commas: `local`, `oidc`, `link`, `none`.',
  },
  PUBLIC_URL: {
    type: 'address',
    meaning:
      'The address that users type, also [below a path](below-a-path.md). Required with a `HOST` that other machines reach.',
  },
  REDRIVE_ALLOW_HTTP: {
    meaning: 'Accepts a `PUBLIC_URL` with `http://`: passwords and cookies cross the network readable.',
  },
  TRUST_PROXY: { type: 'number', meaning: 'How many [proxies](../security-http.md) stand in front.' },
  REDRIVE_ALLOWED_HOSTS: { type: 'list', meaning: 'Other names that the console answers to, with commas.' },
  REDRIVE_USERS: {
    type: 'JSON',
    secret: true,
    meaning: 'Local users with password hashes, as `npm run user` writes them.',
  },
  REDRIVE_USERS_FILE: { type: 'path', meaning: 'The same as a file. A change holds without a restart.' },
  OIDC_ISSUER: { type: 'address', meaning: 'The identity provider.' },
  OIDC_CLIENT_ID: { type: 'text', meaning: 'The id that the provider knows the console by.' },
  OIDC_CLIENT_SECRET: { type: 'text', secret: true, meaning: 'Its secret.' },
  OIDC_CLIENT_SECRET_FILE: { type: 'path', meaning: 'A file with the secret, read anew at each sign-in.' },
  OIDC_CLIENT_AUTH: { meaning: 'How the console sends its secret: in a header, or in the body.' },
  OIDC_NAME: { type: 'text', meaning: 'Label of the sign-in button.' },
  OIDC_SCOPES: { type: 'text', meaning: 'Scopes to ask for, with spaces; `openid` among them.' },
  OIDC_GROUPS_CLAIM: { type: 'text', meaning: 'The claim that holds the groups of a user, or a path to it.' },
  OIDC_GRANTS: { type: 'JSON', meaning: 'What the members of each group may do.' },
  OIDC_AUTH_TIME: {
    meaning: 'Whether a re-authentication needs the time at which the provider says it asked (`auth_time`).',
  },
  OIDC_SIGN_OUT: { meaning: 'Where signing out ends: at the provider, too, or in the console only.' },
  REDRIVE_SESSION_IDLE_MINUTES: {
    type: 'number',
    unit: 'minutes',
    meaning: 'A session ends after this time without a request.',
  },
  REDRIVE_SESSION_MAX_HOURS: { type: 'number', unit: 'hours', meaning: 'Longest session.' },
  REDRIVE_REAUTHENTICATION_MINUTES: {
    type: 'number',
    unit: 'minutes',
    meaning: 'Destructive actions ask for the password again after this time.',
  },
  REDRIVE_AUDIT_KEY: {
    type: 'text',
    secret: true,
    meaning: 'Key of the [audit log](../audit.md), 32 characters or more.',
  },
  REDRIVE_AUDIT_KEY_FILE: { type: 'path', meaning: 'A file with that key, read anew at each use.' },
  REDRIVE_AUDIT_KEEP_DAYS: {
    type: 'number',
    unit: 'days',
    meaning: 'How long audit events are kept.',
  },
  REDRIVE_METRICS_TOKEN_HASH: {
    type: 'text',
    meaning:
      'SHA-256 of a random token with which a monitoring system reads [metrics](../operate/metrics.md), and nothing else.',
  },
} as const satisfies Record<string, SettingRow>;

/** Read by scripts and commands, not by the console itself. */
export const OTHER_SETTINGS = {
  REDRIVE_CONFIG_FILE: {
    type: 'path',
    otherwise: '`.env` in the project’s folder',
    meaning: 'A file of settings, read at the start. What the environment sets wins over it.',
  },
  REDRIVE_URL: { type: 'address', meaning: 'The console that the command `redrive` talks to.' },
  REDRIVE_TOKEN: { type: 'text', secret: true, meaning: 'The API token of the command `redrive`.' },
  REDRIVE_DATA_DIR: {
    type: 'path',
    otherwise: '`.data`',
    meaning: 'Where `npm run demo` keeps jobs and logs.',
  },
  REDIS_SERVER_BIN: { type: 'path', meaning: 'The redis-server of the demo, the tests and the benchmarks.' },
  REDRIVE_CHROMIUM: { type: 'path', meaning: 'The Chromium of the browser tests.' },
} as const satisfies Record<string, SettingRow>;

/** Of spans, read by lib/tracing: the names and meanings are those of OpenTelemetry. Without an endpoint nothing is sent. */
export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'address',
    meaning: 'Address of the collector, such as `http://collector:4318`; `/v1/traces` is added.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { type: 'address', meaning: 'The whole address, used as it is.' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: 'list',
    secret: true,
    meaning: '`name=value,…`, percent-encoded; for tokens.',
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: { type: 'list', secret: true, meaning: 'The same, for spans only.' },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    type: 'text',
    otherwise: '`http/json`',
    meaning:
      '`http/json`, or `http/protobuf`, which collectors take at the same port: JSON is sent either way. `grpc` is refused.',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { type: 'text', meaning: 'The same, for spans only.' },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    type: 'number',
    otherwise: '`10000`',
    meaning: 'Deadline of a request, in milliseconds, at most 60,000.',
  },
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: { type: 'number', meaning: 'The same, for spans only.' },
  OTEL_BSP_SCHEDULE_DELAY: {
    type: 'number',
    otherwise: '`5000`',
    meaning: 'Time between two requests, in milliseconds, at most 60,000.',
  },
  OTEL_SERVICE_NAME: {
    type: 'text',
    otherwise: '`redrive-console`, of the demo worker `redrive-worker`',
    meaning: '`service.name` of the spans.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    type: 'list',
    meaning: '`name=value,…`, such as `deployment.environment.name=production`.',
  },
  OTEL_TRACES_SAMPLER: {
    type: 'text',
    otherwise: '`parentbased_always_on`',
    meaning: '`always_on`, `always_off` or `traceidratio`, alone or after `parentbased_`.',
  },
  OTEL_TRACES_SAMPLER_ARG: { type: 'number', otherwise: '`1`', meaning: 'The share of traces, 0 to 1.' },
  OTEL_TRACES_EXPORTER: { type: 'text', otherwise: '`otlp`', meaning: '`otlp`, or `none`: no spans.' },
  OTEL_SDK_DISABLED: { type: 'text', meaning: '`true`: no spans.' },
} satisfies Record<string, SettingRow>;

const NAMES = [...Object.keys(CONSOLE_SETTINGS), ...Object.keys(OTHER_SETTINGS)];
/** As many letters may be wrong, missing or too many for a name to count as a misspelled setting. */
const MISSPELLED_BY = 2;

/**
 * One sentence for each variable that is a misspelled setting: it would have no effect. Other variables with our first letters pass, since
 * programs beside us may have their own (Kubernetes sets REDRIVE_PORT for a service of that name).
 */
export function misspelledSettings(given: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(given)
    .filter((name) => /^(?:REDRIVE|OIDC)_/.test(name) && !NAMES.includes(name))
    .flatMap((name) => {
      const meant = NAMES.find((known) => distance(name, known) <= MISSPELLED_BY);
      return meant ? [`${name} is not a setting: write ${meant}, or remove it`] : [];
    });
}

/** Letters to change, add or remove to make one name of the other. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MISSPELLED_BY) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

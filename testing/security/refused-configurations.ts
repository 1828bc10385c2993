/** Configurations of the console that cannot be used: what each is, its variables beside REDIS_URL, and the sentence that refuses it. */

export const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'c2FsdHNhbHRzYWx0'}$${'A'.repeat(43)}`;
export const USERS = JSON.stringify({ users: [{ name: 'Ann', hash: HASH, grants: [{ role: 'admin' }] }] });
export const OIDC = { OIDC_ISSUER: 'https://id.example.com/realm', OIDC_CLIENT_ID: 'redrive' };
export const OUTSIDE = { HOST: '0.0.0.0', PUBLIC_URL: 'https://redrive.example.com' };

export const REFUSED: [title: string, variables: Record<string, string>, sentence: string][] = [
  ['no way in for others', OUTSIDE, 'there is no sign-in method. Configure one: users'],
  ['nobody asked, for others', { ...OUTSIDE, AUTH: 'none' }, 'AUTH=none is for this machine only'],
  ['a link for others', { ...OUTSIDE, AUTH: 'link' }, 'AUTH=link is for this machine only'],
  [
    'a link beside users, for others',
    { ...OUTSIDE, AUTH: 'link,local', REDRIVE_USERS: USERS },
    'AUTH=link is for this machine only',
  ],
  [
    'nobody asked, behind a proxy for others',
    { AUTH: 'none', PUBLIC_URL: 'https://redrive.example.com' },
    'PUBLIC_URL says that other machines reach the console',
  ],
  [
    'the default link behind a proxy',
    { TRUST_PROXY: '1' },
    'TRUST_PROXY says that a proxy serves other machines',
  ],
  [
    'nobody asked, under names of others',
    { AUTH: 'none', REDRIVE_ALLOWED_HOSTS: 'localhost:8080,redrive.internal' },
    'REDRIVE_ALLOWED_HOSTS may then hold loopback names only',
  ],
  [
    'spans over gRPC',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json',
  ],
  ['none with another', { AUTH: 'none,local', REDRIVE_USERS: USERS }, 'AUTH=none cannot be combined'],
  ['local without users', { AUTH: 'local' }, 'REDRIVE_USERS_FILE is missing'],
  ['oidc without an issuer', { AUTH: 'oidc' }, 'OIDC_ISSUER is missing'],
  ['oidc without a client', { OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_CLIENT_ID is missing'],
  [
    'an issuer without TLS',
    { ...OIDC, OIDC_ISSUER: 'http://id.example.com' },
    'OIDC_ISSUER must be the https://',
  ],
  [
    'passwords readable on the network',
    { ...OUTSIDE, REDRIVE_USERS: USERS, PUBLIC_URL: 'http://redrive.example.com' },
    'accept that with REDRIVE_ALLOW_HTTP=yes',
  ],
  [
    'a public address that is no site',
    { PUBLIC_URL: 'https://redrive.example.com/api/console' },
    'PUBLIC_URL must be like https://redrive.example.com or https://example.com/redrive',
  ],
  ['no public address', { HOST: '0.0.0.0', REDRIVE_USERS: USERS }, 'PUBLIC_URL is missing'],
  ['two sources', { REDRIVE_USERS: USERS, REDRIVE_USERS_FILE: 'u.json' }, 'are both set: set one of them'],
  ['users that are no JSON', { REDRIVE_USERS: 'ann:secret' }, 'REDRIVE_USERS is not JSON'],
  ['a short key', { REDRIVE_AUDIT_KEY: 'short' }, 'REDRIVE_AUDIT_KEY must be at least 32'],
  ['a scope without openid', { ...OIDC, OIDC_SCOPES: 'profile' }, 'OIDC_SCOPES must hold openid'],
  ['grants of no role', { ...OIDC, OIDC_GRANTS: '{"ops":[{"role":"root"}]}' }, 'OIDC_GRANTS at ops.0.role'],
  ['a port that is none', { PORT: '70000' }, 'PORT must be a number from 1 to 65535'],
  ['a host that is none', { HOST: 'a b' }, 'HOST must be a name or an address'],
  ['a word that is no sign-in method', { AUTH: 'magic' }, 'AUTH must be a list of these'],
  ['proxies without a number', { TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be a number'],
  [
    'a name that is none',
    { REDRIVE_ALLOWED_HOSTS: 'https://a' },
    'REDRIVE_ALLOWED_HOSTS must be names such as',
  ],
  ['TLS promised to nobody knows whom', { REDRIVE_HSTS: 'all' }, 'REDRIVE_HSTS must be host or subdomains'],
  ['a rate of nothing', { REDRIVE_RATE_FACTOR: '0' }, 'REDRIVE_RATE_FACTOR must be at least 0.1'],
  ['a prefix with a colon', { REDRIVE_PREFIX: 'a:b' }, 'REDRIVE_PREFIX must start'],
  ['a lab that is neither', { REDRIVE_LAB: 'maybe' }, 'REDRIVE_LAB must be on or off'],
  [
    'eviction that is neither',
    { REDRIVE_ALLOW_EVICTION: 'true' },
    'REDRIVE_ALLOW_EVICTION must be yes or no',
  ],
  ['a level that is none', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace'],
  [
    'a session without end',
    { REDRIVE_SESSION_MAX_HOURS: '9999' },
    'REDRIVE_SESSION_MAX_HOURS must be at most 720',
  ],
  ['no Redis', { REDIS_URL: '' }, 'REDIS_URL is missing'],
  [
    'no address of a Redis',
    { REDIS_URL: 'http://localhost:6379' },
    'REDIS_URL must be the path of a unix socket',
  ],
  [
    'a database of a Cluster',
    { REDIS_URL: 'redis+cluster://localhost:7000/1' },
    'REDIS_URL names a database',
  ],
  [
    'authorities by half a path',
    { REDIS_CA_FILE: 'ca.pem' },
    'REDIS_CA_FILE must be the whole path of a file',
  ],
  ['alerts that are no JSON', { REDRIVE_ALERTS: 'slack' }, 'REDRIVE_ALERTS is not JSON'],
  [
    'alerts to a service on this machine',
    { REDRIVE_ALERTS: '{"channels":[{"name":"a","kind":"slack","url":"https://127.0.0.1/"}]}' },
    'REDRIVE_ALERTS at channels.0.url: is an address that is not public',
  ],
  [
    'alerts from two sources',
    { REDRIVE_ALERTS: '{}', REDRIVE_ALERTS_FILE: 'alerts.json' },
    'REDRIVE_ALERTS and REDRIVE_ALERTS_FILE are both set',
  ],
];

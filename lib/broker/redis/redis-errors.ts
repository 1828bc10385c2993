/** What Redis, its client and the network say when they cannot, turned into one sentence each that says what to do. */
import { errorText } from '@/lib/contract/describe-error';
import { RedriveError } from '@/lib/contract/redrive-error';

const UNCHANGED = 'Nothing was changed; try again when this is over.';

/** Redis's own refusals, by the word they start with. All but NOPERM mean: nothing was done. */
const REFUSALS: Record<string, string> = {
  LOADING: `Redis refused the call (LOADING): it is still reading its data after a start. ${UNCHANGED}`,
  BUSY: `Redis refused the call (BUSY): it is running a script that takes too long, none of Redrive's; SCRIPT KILL ends one that has written nothing. ${UNCHANGED}`,
  READONLY: `Redis refused the call (READONLY): this server is a replica, perhaps since a failover. The connection looks for the master again; without Sentinel or Cluster, point the address at the master. Nothing was changed.`,
  MISCONF: `Redis refused the call (MISCONF): it cannot save its data, mostly because its disk is full or not writable, and takes no writes until it can; its log says why. ${UNCHANGED}`,
  CLUSTERDOWN: `Redis refused the call (CLUSTERDOWN): part of the Cluster has no master. ${UNCHANGED}`,
  MASTERDOWN: `Redis refused the call (MASTERDOWN): this server is a replica that has lost its master. ${UNCHANGED}`,
  NOREPLICAS: `Redis refused the call (NOREPLICAS): fewer replicas keep up than min-replicas-to-write asks for. ${UNCHANGED}`,
  TRYAGAIN: `Redis refused the call (TRYAGAIN): this queue is being moved to another node of the Cluster. ${UNCHANGED}`,
  MOVED: `Redis refused the call (MOVED): this server is one node of a Cluster, and the queue is on another. Use an address that starts with redis+cluster:// or rediss+cluster://. Nothing was changed.`,
  ASK: `Redis refused the call (ASK): this server is one node of a Cluster, and the queue is on its way to another. Use an address that starts with redis+cluster:// or rediss+cluster://. Nothing was changed.`,
  NOAUTH: `Redis refused the call (NOAUTH): it wants a password. Put user and password into the address: redis://user:password@host:port. Nothing was changed.`,
  WRONGPASS: `Redis refused the call (WRONGPASS): it does not know this user and password, or the user is disabled. Correct them where they come from: a file of the address and a function for credentials are read anew at each try, an address needs a restart. Nothing was changed.`,
  NOPERM: `Redis refused the call (NOPERM): its user may not do this. The rules a broker needs are in docs/connections.md.`,
};
const REFUSAL = new RegExp(`(?:^-?|Last error: (?:\\w+: )?)(${Object.keys(REFUSALS).join('|')})\\b`);
/** A script refused to return more than Redrive writes. */
const OVERSIZED = 'OVERSIZED ';
export const isOversized = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.message.startsWith(OVERSIZED);
const NO_ANSWER = /timed out|timeout|Connection is closed|aborted due to connection|ECONN|EPIPE|max retries/i;
const NO_WAY =
  /Stream isn't writeable|Failed to refresh slots|None of startup nodes|Cluster isn't ready|Cluster is (ended|disconnect)|sentinels are unreachable|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES/i;

/** Keeps the sentence and drops the rest: ioredis hangs the whole command on its errors, payloads and passwords and all. */
export function toRedriveError(error: unknown): Error {
  if (error instanceof RedriveError) return error;
  const message = errorText(error);
  const cause = new Error(message);
  if (message.startsWith('OOM'))
    return new RedriveError(
      'REDIS_FULL',
      'Redis has reached its memory limit and refused the write. Nothing was changed. Raise maxmemory or purge.',
      { cause },
    );
  // See lua/redis/bounded.lua.
  if (message.startsWith(OVERSIZED))
    return new RedriveError('REDIS_UNAVAILABLE', `This cannot be read: ${message.slice(OVERSIZED.length)}`, {
      cause,
    });
  // What Redis says for NOPERM when it was a script that tried.
  const denied = message.includes('user executing the script') ? 'NOPERM' : undefined;
  // Sent back and forth between two nodes: the last one does not matter.
  const moving = /^Too many Cluster redirections.*(MOVED|ASK|TRYAGAIN)/.test(message)
    ? 'TRYAGAIN'
    : undefined;
  const refusal = REFUSALS[denied ?? moving ?? message.match(REFUSAL)?.[1] ?? ''];
  if (refusal) return new RedriveError('REDIS_UNAVAILABLE', refusal, { cause });
  if (NO_WAY.test(message)) return unavailableError(message);
  if (NO_ANSWER.test(message))
    return new RedriveError(
      'UNKNOWN_OUTCOME',
      'Redis did not answer in time: the change may or may not have been made. Sending it again under the same id is safe.',
      { cause },
    );
  return cause;
}

type Reason = [pattern: RegExp, reason: string | ((message: string) => string)];
const PLACE_REASONS: Reason[] = [
  [/ECONNREFUSED/, (m) => `nothing listens at ${m.match(/ECONNREFUSED (\S+)/)?.[1] ?? 'that address'}`],
  [/ENOENT/, 'the unix socket does not exist'],
  [/EACCES/, 'this process may not open the unix socket'],
  [
    /ENOTFOUND|EAI_AGAIN/,
    (m) => {
      const name = m.match(/(?:ENOTFOUND|EAI_AGAIN) (\S+)/)?.[1];
      return `its host name is not known${name ? ` (${name})` : ''}`;
    },
  ],
];
const reasonIn = (reasons: readonly Reason[], message: string): string | undefined => {
  const found = reasons.find(([pattern]) => pattern.test(message))?.[1];
  return typeof found === 'function' ? found(message) : found;
};
/** Of several that did not answer, what the last one said. */
function because(message: string): string {
  const reason = reasonIn(PLACE_REASONS, message);
  return reason ? `: ${reason}` : '';
}

const CERTIFICATE = /certificate|altnames|self.signed|unable to (?:get|verify)|key too small|md too weak/i;
/** By the fault that the client names. Of another one there is no advice. */
const CERTIFICATE_ADVICE: Reason[] = [
  [
    /altnames|hostname mismatch/i,
    '; if the server is the right one, give the name on the certificate as tls.servername',
  ],
  [/expired/i, '; renew it on the server, or its authority'],
  [/not yet valid/i, '; compare the clocks of this machine and of the one that issued it'],
  [/purpose/i, '; let it be issued for servers (extended key usage serverAuth)'],
  [/too small|too weak/i, '; let it be issued with a larger key and a newer signature'],
  [
    /self.signed|unable to (?:get|verify)/i,
    '; name the authority that signed it with tls.caFile or REDIS_CA_FILE',
  ],
];
const adviceOn = (message: string): string => reasonIn(CERTIFICATE_ADVICE, message) ?? '';

/** What could not be read before the connect; connection/redis-secrets.ts and tls-files.ts make these words. */
const SECRETS =
  /(?:^|Last error: |because )((?:credentials|urlFile|tls(?:\.\w+)?)(?: is not valid)?: .*?)\.?$/s;

/** Why there is no connection. What goes into the sentence is the client's own text: addresses, never passwords. */
const REASONS: Reason[] = [
  [SECRETS, (m) => m.match(SECRETS)?.[1] ?? ''],
  [
    /alert (?:certificate|bad certificate|unknown ca|handshake failure)|certificate required/i,
    'it does not accept the certificate of this client, or wants one; name what it knows with tls.certFile and tls.keyFile',
  ],
  [
    /protocol version|unsupported protocol/i,
    'it speaks no version of TLS that this client takes; let it offer TLS 1.2 or newer (tls-protocols)',
  ],
  [
    CERTIFICATE,
    (m) =>
      `its certificate was not accepted (${m.replace(/^.*Last error: /, '').slice(0, 160)})${adviceOn(m)}`,
  ],
  [
    /server speaks TLS/,
    'it speaks TLS there, and the address does not; start it with rediss://, rediss+sentinel:// or rediss+cluster://, or use a port without TLS',
  ],
  [
    /SSL|TLS|EPROTO|wrong version number/,
    'it does not speak TLS there; start the address with redis://, redis+sentinel:// or redis+cluster://, or use the port it serves TLS on',
  ],
  [/invalid reply|No such master/, 'no Sentinel knows a master of the name that ends the address'],
  [
    /unknown command .sentinel/i,
    'what answers there is no Sentinel; name the Sentinels in the address, or use redis:// for Redis itself',
  ],
  [/cluster support disabled/, 'it is not a Cluster; start the address with redis:// or rediss://'],
  [/sentinels are unreachable/, (m) => `no Sentinel answered${because(m)}`],
  [/slots cache|startup nodes/, (m) => `no node of the Cluster answered${because(m)}`],
  ...PLACE_REASONS,
  [/max number of clients/, 'it takes no more clients; raise maxclients'],
  [
    /LOADING|loading/,
    'it takes connections, but does not say that it is ready: it may still be reading its data after a start (LOADING), or the network loses its answers',
  ],
];

const SENTINELS_REFUSE =
  'The Sentinels refused the connection: they want a user and password of their own, or others than those given. Put ?sentinelPassword=… (and sentinelUsername=…) after the address. Nothing was changed.';

/** Whether the message says why there is no connection; "none of these nodes answered" does not. */
export const isClear = (message: string): boolean =>
  REFUSAL.test(message) ||
  REASONS.some(([pattern]) =>
    pattern.test(message.replace(/sentinels are unreachable|slots cache|startup nodes/, '')),
  );

export function unavailableError(message: string): RedriveError {
  const word = message.match(REFUSAL)?.[1];
  const options = message ? { cause: new Error(message) } : {};
  if (/sentinels are unreachable.*(?:NOAUTH|WRONGPASS)/.test(message))
    return new RedriveError('REDIS_UNAVAILABLE', SENTINELS_REFUSE, options);
  if (word && word !== 'LOADING')
    return new RedriveError('REDIS_UNAVAILABLE', REFUSALS[word] as string, options);
  const reason = reasonIn(REASONS, message);
  return new RedriveError(
    'REDIS_UNAVAILABLE',
    `Redis cannot be reached${reason ? `: ${reason}` : ''}. Nothing was changed; try again when it is back.`,
    options,
  );
}

const PLACE = /ECONN\w+ \S+|(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]):\d+/gi;

/** The sentence of an error without where Redis is: for answers, and for records that users read. The log says where. */
export function withoutAddresses(error: unknown): string {
  const message = errorText(error);
  if (message.startsWith('Redis cannot be reached:'))
    return 'Redis cannot be reached. Nothing was changed; try again when it is back. The log of the console says why.';
  return error instanceof RedriveError ? message : message.replace(PLACE, 'Redis');
}

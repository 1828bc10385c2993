/** User, password and TLS files of a connection: where they come from, and how the present ones are read. */
import type { RedisOptions } from 'ioredis';
import { errorText } from '@/lib/contract/describe-error';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { redisCredentialsSchema } from '@/lib/contract/redis/redis-credentials';
import { RedriveError } from '@/lib/contract/redrive-error';
import { readSmallFile } from '@/lib/process/read-small-file';
import { withDeadline } from '../call-deadline';
import { parseRedisUrl, type RedisAddress, redisUrlProblem } from '../redis-address';
import { type TlsFiles, tlsFilesOf, tlsOptions } from './tls-files';

/** Who a connection is. */
export interface RedisCredentials {
  /** Default: the user `default`. */
  username?: string;
  password: string;
  /** For the Sentinels, if they have users. */
  sentinelUsername?: string;
  sentinelPassword?: string;
}
/** A function is called before each connect, so that a rotated password or a short-lived token holds without a restart. It has 4 s. */
export type CredentialsSource = RedisCredentials | (() => RedisCredentials | Promise<RedisCredentials>);

/** Shorter than a call waits for a connection, so that the call can say why there is none. */
const CREDENTIALS_WITHIN_MS = 4_000;
const URL_FILE_MAX_BYTES = 10_000;
const REASON_MAX_CHARS = 200;

export interface SecretSources {
  readonly url?: string | undefined;
  readonly urlFile?: string | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly credentials?: CredentialsSource | undefined;
}
/** What ioredis is given. */
export interface Secrets extends Partial<RedisCredentials> {
  readonly tls: RedisOptions['tls'];
}
export interface SecretReader {
  readonly address: RedisAddress;
  /** What is known before the first connect. */
  readonly first: Secrets;
  /** Those of now. Null: they cannot change. @throws Error with a sentence that REASONS of redis-errors.ts passes on */
  readonly fresh: (() => Promise<Secrets>) | null;
}

/** @throws RedriveError VALIDATION naming the option, or the part of the address, that cannot be used */
export function secretReader({ url = '', urlFile, tls, credentials }: SecretSources): SecretReader {
  const readAddress = () => (urlFile === undefined ? parseRedisUrl(url) : addressIn(urlFile));
  const address = readAddress();
  if (credentials !== undefined && (address.username ?? address.password) !== undefined)
    throw refusal('credentials', 'the address names a user or a password, too: leave it out there');
  const given = typeof credentials === 'function' ? undefined : credentials;
  const known = given && parseOrThrow(redisCredentialsSchema, given, 'credentials');
  const of = (now: RedisAddress, who = known): Secrets => ({
    ...(who ?? ofAddress(now)),
    tls: tlsOptions(now, tls),
  });
  const fresh = async () => {
    const now = readAddress();
    if (placeOf(now) !== placeOf(address))
      throw refusal('urlFile', `the file ${urlFile} names another Redis now: restart this process to use it`);
    return of(now, typeof credentials === 'function' ? await ask(credentials) : known);
  };
  const { caFile, certFile, keyFile } = tlsFilesOf(address, tls);
  const canChange =
    urlFile !== undefined ||
    typeof credentials === 'function' ||
    (address.secure && Boolean(caFile || certFile || keyFile));
  return { address, first: of(address), fresh: canChange ? fresh : null };
}

function ofAddress(address: RedisAddress): Partial<RedisCredentials> {
  const { username, password } = address;
  if (address.kind !== 'sentinel') return { username, password };
  const { sentinelUsername, sentinelPassword } = address;
  return { username, password, sentinelUsername, sentinelPassword };
}

/** Everything of an address but its secrets. */
function placeOf(address: RedisAddress): string {
  const { username: _user, password: _password, files: _files, ...place } = address;
  return JSON.stringify({ ...place, sentinelUsername: undefined, sentinelPassword: undefined });
}

async function ask(source: () => RedisCredentials | Promise<RedisCredentials>): Promise<RedisCredentials> {
  let answer: unknown;
  try {
    const late = () => new Error(`it took longer than ${CREDENTIALS_WITHIN_MS / 1_000} s`);
    answer = await withDeadline((async () => source())(), CREDENTIALS_WITHIN_MS, late);
  } catch (error) {
    throw new Error(`credentials: the function failed (${errorText(error).slice(0, REASON_MAX_CHARS)})`);
  }
  return parseOrThrow(redisCredentialsSchema, answer, 'credentials');
}

/** @throws RedriveError VALIDATION that names the file, and never repeats the address */
export function addressIn(urlFile: string): RedisAddress {
  const url = readUrlFile(urlFile);
  const problem = redisUrlProblem(url);
  if (problem !== null) throw refusal('urlFile', `the address in the file ${urlFile} ${problem}`);
  return parseRedisUrl(url);
}

/** The address in a file, as secrets are handed to containers. @throws RedriveError VALIDATION */
export function readUrlFile(path: string): string {
  let text: string;
  try {
    text = readSmallFile(path, URL_FILE_MAX_BYTES).trim();
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw refusal('urlFile', `the file ${path} cannot be read (${code})`);
  }
  if (text === '')
    throw refusal('urlFile', `the file ${path} must hold the address of Redis and nothing else`);
  return text;
}

const refusal = (field: string, message: string) =>
  new RedriveError('VALIDATION', `${field}: ${message}.`, { fields: [{ field, message }] });
